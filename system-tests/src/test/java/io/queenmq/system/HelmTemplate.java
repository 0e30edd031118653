package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Renders the templates of our chart as far as the tests need them, because Helm is not available in every build. Lines that consist
 * of a directive are removed, so all conditions count as true and included labels are absent. Expressions in other lines are replaced
 * by the value in values.yaml that they name, or by a placeholder.
 */
final class HelmTemplate {
    private static final Pattern EXPRESSION = Pattern.compile("\\{\\{-?\\s*(.*?)\\s*-?}}");
    private static final Pattern DIRECTIVE_LINE = Pattern.compile("\\s*\\{\\{-.*}}\\s*");
    private static final Pattern VALUE = Pattern.compile("\\.Values((?:\\.\\w+)+)");
    private static final Pattern OPENING = Pattern.compile("(if|with|range|define)\\b.*");

    private final String name;
    private final String text;

    HelmTemplate(String name, String text) {
        this.name = name;
        this.text = text;
    }

    /** Returns the paths of all values that the template uses, such as {@code postgres.host}. */
    List<String> valuePaths() {
        List<String> paths = new ArrayList<>();
        for (String expression : expressions()) {
            Matcher value = VALUE.matcher(expression);
            while (value.find()) {
                paths.add(value.group(1).substring(1));
            }
        }
        return paths;
    }

    /** Every block must be closed, and every brace must belong to an expression. */
    void assertIsBalanced() {
        Deque<String> open = new ArrayDeque<>();
        for (String expression : expressions()) {
            if (OPENING.matcher(expression).matches()) {
                open.push(expression);
            } else if (expression.equals("end")) {
                assertThat(open).as("blocks at an end in " + name).isNotEmpty();
                open.pop();
            }
        }
        assertThat(open).as("open blocks of " + name).isEmpty();
        String rest = EXPRESSION.matcher(text).replaceAll("");
        assertThat(rest).as(name).doesNotContain("{{", "}}");
    }

    /** Returns the text with the given values. Lists and maps are left out, with their keys. */
    String render(JsonNode values) {
        StringBuilder rendered = new StringBuilder();
        for (String line : text.lines().toList()) {
            if (!DIRECTIVE_LINE.matcher(line).matches()) {
                rendered.append(EXPRESSION.matcher(line)
                        .replaceAll(match -> Matcher.quoteReplacement(value(match.group(1), values)))).append('\n');
            }
        }
        return rendered.toString();
    }

    private static String value(String expression, JsonNode values) {
        boolean isQuoted = expression.endsWith("| quote");
        Matcher path = VALUE.matcher(expression);
        String text = "queen";
        if (path.find()) {
            text = values.at(path.group(1).replace('.', '/')).asText();
        } else if (expression.startsWith("$name")) {
            text = "PLACEHOLDER";
        }
        return isQuoted ? "\"" + text + "\"" : text;
    }

    private List<String> expressions() {
        return EXPRESSION.matcher(text).results().map(match -> match.group(1)).toList();
    }
}
