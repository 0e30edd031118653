package io.queenmq.engine.simulation.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The signature of a routine, read from the file that creates it, so that the store uses the same names of arguments and columns.
 *
 * @param columns the columns it returns; empty if it returns a single value, or rows of a table
 */
record Signature(String routine, List<String> parameters, List<String> columns) {
    private static final String ROOT = "/queen/schema/";
    private static final Pattern HEAD = Pattern.compile(
            "create function :api\\.(\\w+)\\((.*?)\\)\\s*returns\\s+(?:table \\((.*?)\\)|[^\\n]+)\\s*language",
            Pattern.DOTALL);
    private static final Map<String, Signature> ALL = new ConcurrentHashMap<>();

    static Signature of(String routine) {
        return ALL.computeIfAbsent(routine, Signature::read);
    }

    /** Returns the statement that calls it and selects all columns. */
    String statement(String api) {
        String arguments = IntStream.rangeClosed(1, parameters.size()).mapToObj(i -> "$" + i)
                .collect(Collectors.joining(", "));
        String call = api + "." + routine + "(" + arguments + ")";
        return columns.isEmpty()
                ? "select " + call
                : "select " + columns.stream().map(column -> '"' + column + '"').collect(Collectors.joining(", "))
                        + " from " + call;
    }

    private static Signature read(String routine) {
        Matcher head = HEAD.matcher(text(routine));
        if (!head.find() || !head.group(1).equals(routine)) {
            throw new IllegalStateException("the file of " + routine + " does not begin like files of routines");
        }
        return new Signature(routine, names(head.group(2)), head.group(3) == null ? List.of() : names(head.group(3)));
    }

    private static List<String> names(String declarations) {
        return Arrays.stream(declarations.split(",")).map(String::strip)
                .map(each -> each.substring(0, each.indexOf(' ')).replace("\"", "")).toList();
    }

    private static String text(String routine) {
        String file = resource("index.txt").lines().filter(each -> each.endsWith("/" + routine + ".sql")).findFirst()
                .orElseThrow(() -> new IllegalStateException("there is no routine " + routine));
        return resource(file);
    }

    private static String resource(String name) {
        try (var in = Signature.class.getResourceAsStream(ROOT + name)) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
