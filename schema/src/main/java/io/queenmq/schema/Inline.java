package io.queenmq.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * SQL with parameters that replaces its calls, {@code :name(argument, …)}, in routines. A function is not possible: it would be
 * called on the node of a shard, in a session without the search_path of the shard, and Citus rejects functions with queries
 * inside a query of a shard. Aliases in an inline must begin with {@code in_}, so that they do not hide those of the caller.
 */
record Inline(String name, List<String> parameters, String sql) {
    private static final Pattern FIRST_LINE = Pattern.compile("-- :(\\w+)\\(([\\w, ]+)\\)");
    private static final Pattern SIMPLE = Pattern.compile("[\\w.]+");

    /** Parses an inline: the first line declares the call, other comment lines are dropped. */
    static Inline from(Script script) {
        var first = FIRST_LINE.matcher(script.text().lines().findFirst().orElse(""));
        if (!first.matches() || !first.group(1).equals(script.name())) {
            throw new IllegalArgumentException(
                    script.path() + " must begin with -- :" + script.name() + "(parameters)");
        }
        var sql = String.join("\n", script.text().lines().filter(line -> !line.startsWith("--")).toList());
        return new Inline(script.name(), List.of(first.group(2).split(", ")), sql);
    }

    /** Replaces the calls of all inlines, including calls in other inlines. */
    static String expandAll(List<Inline> inlines, String text) {
        var expanded = text;
        for (var before = ""; !expanded.equals(before);) {
            before = expanded;
            for (var inline : inlines) {
                expanded = inline.expandIn(expanded);
            }
        }
        return expanded;
    }

    private String expandIn(String text) {
        var call = ":" + name + "(";
        var expanded = new StringBuilder();
        int from = 0;
        for (int at = text.indexOf(call); at >= 0; at = text.indexOf(call, from)) {
            int open = at + call.length();
            var arguments = new ArrayList<String>();
            int end = readArguments(text, open, arguments);
            expanded.append(text, from, at).append(with(arguments));
            from = end;
        }
        return expanded.append(text.substring(from)).toString();
    }

    private String with(List<String> arguments) {
        if (arguments.size() != parameters.size()) {
            throw new IllegalArgumentException(":" + name + " has the parameters " + parameters + ", not " + arguments);
        }
        var result = sql;
        for (int i = 0; i < parameters.size(); i++) {
            var argument = arguments.get(i);
            var value = SIMPLE.matcher(argument).matches() ? argument : "(" + argument + ")";
            result = result.replaceAll(":" + parameters.get(i) + "\\b", Matcher.quoteReplacement(value));
        }
        return result;
    }

    /** Splits at the commas outside of parentheses, brackets and quotes. Returns the position after the call. */
    private static int readArguments(String text, int open, List<String> arguments) {
        int depth = 0;
        boolean isQuoted = false;
        int begin = open;
        for (int i = open; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\'') {
                isQuoted = !isQuoted;
            } else if (isQuoted) {
                continue;
            } else if (depth == 0 && (c == ',' || c == ')')) {
                arguments.add(text.substring(begin, i).strip());
                begin = i + 1;
                if (c == ')') {
                    return begin;
                }
            } else if (c == '(' || c == '[') {
                depth++;
            } else if (c == ')' || c == ']') {
                depth--;
            }
        }
        throw new IllegalArgumentException("a call is not closed: " + text.substring(open));
    }
}
