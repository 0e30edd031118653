package io.queenmq.server.scenario;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A parsed text of Prometheus (format 0.0.4). The parser is as strict as the description of the format: every family exists once
 * and is contiguous, HELP and TYPE precede its samples, and no series is repeated.
 */
final class Exposition {
    private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
    private static final Pattern HELP = Pattern.compile("# HELP (" + NAME + ") ((?:[^\\\\]|\\\\\\\\|\\\\n)*)");
    private static final Pattern TYPE = Pattern.compile("# TYPE (" + NAME + ") (counter|gauge|summary|histogram)");
    private static final Pattern SAMPLE = Pattern.compile("(" + NAME + ")(?:\\{(.*)\\})? (\\S+)");
    private static final Pattern LABEL = Pattern
            .compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\\n]|\\\\\\\\|\\\\\"|\\\\n)*)\"(,|$)");

    private final Map<String, Family> families = new LinkedHashMap<>();

    /** @param samples the values by name and labels */
    record Family(String name, String help, String type, Map<Series, Double> samples) {}

    record Series(String name, Map<String, String> labels) {}

    private Exposition() {}

    static Exposition parse(String text) {
        Exposition read = new Exposition();
        if (!text.endsWith("\n")) {
            throw new AssertionError("the last line has no line break");
        }
        String help = null;
        Family family = null;
        for (String line : text.substring(0, text.length() - 1).split("\n", -1)) {
            Matcher match;
            if ((match = HELP.matcher(line)).matches()) {
                help = match.group(1) + " " + match.group(2);
                family = null;
            } else if ((match = TYPE.matcher(line)).matches()) {
                String name = match.group(1);
                if (help == null || !help.startsWith(name + " ")) {
                    throw new AssertionError("no HELP before " + line);
                }
                family = new Family(name, help.substring(name.length() + 1), match.group(2), new LinkedHashMap<>());
                if (read.families.put(name, family) != null) {
                    throw new AssertionError("family repeated: " + line);
                }
                help = null;
            } else if (family != null && (match = SAMPLE.matcher(line)).matches()) {
                read.add(family, match);
            } else {
                throw new AssertionError("malformed or misplaced line: " + line);
            }
        }
        return read;
    }

    private void add(Family family, Matcher sample) {
        String name = sample.group(1);
        Set<String> allowed = switch (family.type) {
            case "summary" -> Set.of(family.name, family.name + "_sum", family.name + "_count");
            case "histogram" -> Set.of(family.name + "_bucket", family.name + "_sum", family.name + "_count");
            default -> Set.of(family.name);
        };
        if (!allowed.contains(name)) {
            throw new AssertionError(sample.group() + " is among the samples of " + family.name);
        }
        Series series = new Series(name, labels(sample.group(2)));
        if (family.samples.put(series, Double.valueOf(sample.group(3))) != null) {
            throw new AssertionError("series repeated: " + sample.group());
        }
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new LinkedHashMap<>();
        if (text == null) {
            return labels;
        }
        Matcher label = LABEL.matcher(text);
        int end = 0;
        while (end < text.length()) {
            if (!label.find(end) || label.start() != end) {
                throw new AssertionError("expected a label at " + text.substring(end) + " of " + text);
            }
            if (labels.put(label.group(1), unescaped(label.group(2))) != null) {
                throw new AssertionError("label repeated: " + text);
            }
            end = label.end();
        }
        return labels;
    }

    private static String unescaped(String text) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
                plain.append(text.charAt(i) == 'n' ? '\n' : text.charAt(i));
            } else {
                plain.append(c);
            }
        }
        return plain.toString();
    }

    Map<String, Family> families() {
        return families;
    }

    /** Returns the value of a series, or null. */
    Double value(String name, Map<String, String> labels) {
        return families.values().stream().map(family -> family.samples.get(new Series(name, labels)))
                .filter(value -> value != null).findFirst().orElse(null);
    }

    /** Returns all series without their values. */
    Set<Series> series() {
        Set<Series> all = new HashSet<>();
        families.values().forEach(family -> all.addAll(family.samples.keySet()));
        return all;
    }

    /** Returns the labels of the samples of a name; null if there is no sample. */
    Set<String> labelsOf(String name) {
        List<Series> found = new ArrayList<>();
        series().stream().filter(each -> each.name.equals(name)).forEach(found::add);
        if (found.isEmpty()) {
            return null;
        }
        Set<String> labels = new TreeSet<>();
        found.forEach(each -> labels.addAll(each.labels.keySet()));
        return labels;
    }
}
