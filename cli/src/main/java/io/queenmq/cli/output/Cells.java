package io.queenmq.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Formats values for users and programs. */
final class Cells {
    private static final int PAYLOAD_CHARACTERS_MAX = 60;
    private static final String NOTHING = "-";

    private final Clock clock;

    Cells(Clock clock) {
        this.clock = clock;
    }

    /** Returns the text for a table. */
    String text(@Nullable Object value, Format format) {
        return switch (value) {
            case null -> NOTHING;
            case Instant moment ->
                format == Format.TABLE ? ago(moment) : moment.truncatedTo(ChronoUnit.MILLIS).toString();
            case Duration duration -> inWords(duration);
            case Payload payload -> format == Format.TABLE ? shortened(payload.json()) : printable(payload.json());
            case Boolean flag -> flag ? "yes" : "no";
            case Double number -> String.format("%.1f", number);
            case Number number -> String.format("%,d", number.longValue());
            case List<?> list -> list.isEmpty()
                    ? NOTHING
                    : list.stream().map(each -> text(each, format)).collect(Collectors.joining(","));
            case Map<?, ?> map -> map.isEmpty()
                    ? NOTHING
                    : map.entrySet().stream().map(each -> printable(each.getKey() + "=" + each.getValue()))
                            .collect(Collectors.joining(" "));
            default -> value.toString().isEmpty() ? NOTHING : printable(value.toString());
        };
    }

    /** Returns the value for programs: times in ISO 8601, durations in seconds. */
    static JsonNode node(@Nullable Object value) {
        JsonNodeFactory make = JsonNodeFactory.instance;
        return switch (value) {
            case null -> make.nullNode();
            case JsonNode node -> node;
            case Payload payload -> make.rawValueNode(new RawValue(payload.json()));
            case Boolean flag -> make.booleanNode(flag);
            case Integer number -> make.numberNode(number.longValue());
            case Long number -> make.numberNode(number.longValue());
            case Double number -> make.numberNode(number.doubleValue());
            case Duration duration -> duration.toMillisPart() == 0
                    ? make.numberNode(duration.toSeconds())
                    : make.numberNode(duration.toMillis() / 1000.0);
            case List<?> list -> {
                ArrayNode array = make.arrayNode();
                list.forEach(each -> array.add(node(each)));
                yield array;
            }
            case Map<?, ?> map -> {
                ObjectNode object = make.objectNode();
                map.forEach((name, each) -> object.set(name.toString(), node(each)));
                yield object;
            }
            default -> make.textNode(value.toString());
        };
    }

    /** Replaces control characters, so that stored text cannot move the cursor or break the line. */
    static String printable(String text) {
        @Nullable
        StringBuilder plain = null;
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                plain = plain == null ? new StringBuilder(text) : plain;
                plain.setCharAt(i, ' ');
            }
        }
        return plain == null ? text : plain.toString();
    }

    private static String shortened(String json) {
        String line = printable(json);
        return line.length() <= PAYLOAD_CHARACTERS_MAX ? line : line.substring(0, PAYLOAD_CHARACTERS_MAX - 1) + "…";
    }

    private String ago(Instant moment) {
        Duration age = Duration.between(moment, clock.instant());
        return age.isNegative() ? "in " + inWords(age.negated()) : inWords(age) + " ago";
    }

    /** Returns the duration in its two largest units. */
    static String inWords(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds == 0) {
            return duration.isZero() ? "0s" : duration.toMillis() + "ms";
        }
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3600) {
            return seconds / 60 + "m" + rest(seconds % 60, "s");
        }
        if (seconds < 86_400) {
            return seconds / 3600 + "h" + rest(seconds % 3600 / 60, "m");
        }
        return seconds / 86_400 + "d" + rest(seconds % 86_400 / 3600, "h");
    }

    private static String rest(long value, String unit) {
        return value == 0 ? "" : value + unit;
    }
}
