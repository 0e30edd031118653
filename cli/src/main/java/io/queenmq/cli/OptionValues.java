package io.queenmq.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.client.operator.QueueOptions;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Parses and formats options of queues. The server ignores unknown options, so misspelled names are rejected here. */
final class OptionValues {
    private OptionValues() {}

    static String requireName(String name) {
        if (!QueueOptions.NAMES.contains(name)) {
            throw CommandFailed.byUser("there is no option " + name + "; there are "
                    + String.join(", ", new TreeSet<>(QueueOptions.NAMES)));
        }
        return name;
    }

    /** @param setting the source of the value, for the error */
    static Object parse(String text, String setting) {
        if (text.equals("true") || text.equals("false")) {
            return Boolean.valueOf(text);
        }
        if (!text.matches("-?\\d{1,18}(\\.\\d{1,9})?")) {
            throw CommandFailed.byUser("a value must be a number, true or false, not as in " + setting);
        }
        BigDecimal number = new BigDecimal(text).stripTrailingZeros();
        return number.scale() > 0 ? (Object) number.doubleValue() : (Object) number.longValue();
    }

    /**
     * Returns the options for display: numbers with units, or their meanings in words. Options without effect are left out. The
     * option for expired messages has its title as name, because failed messages become dead letters in any case.
     */
    static Map<String, @Nullable Object> inWords(Map<String, ? extends @Nullable Object> options) {
        Map<String, @Nullable Object> inWords = new LinkedHashMap<>();
        options.forEach((name, value) -> {
            if (!OptionSchemas.of(name).path("deprecated").asBoolean()) {
                inWords.put(name.equals("deadLetterQueue") ? "deadLettersForExpired" : name,
                        value instanceof Long number ? inWords(name, number) : value);
            }
        });
        return inWords;
    }

    private static Object inWords(String name, long value) {
        JsonNode schema = OptionSchemas.of(name);
        JsonNode meaning = schema.path("x-meanings").path(Long.toString(value));
        if (meaning.isTextual()) {
            return meaning.asText();
        }
        return switch (schema.path("x-unit").asText()) {
            case "s" -> time(value);
            case "ms" -> value % 1000 == 0 ? time(value / 1000) : value + "ms";
            case "messages" -> String.format("%,d messages", value);
            default -> value;
        };
    }

    /** Returns the exact duration in the largest unit of which it is a multiple. */
    private static String time(long seconds) {
        if (seconds > 0 && seconds % 86_400 == 0) {
            return seconds / 86_400 + "d";
        }
        if (seconds > 0 && seconds % 3600 == 0) {
            return seconds / 3600 + "h";
        }
        return seconds > 0 && seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }
}
