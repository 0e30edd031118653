package io.queenmq.cli;

import io.queenmq.client.operator.QueueOptions;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;

/** Options of queues as they are typed and shown. The server passes over what it does not know, so a slip is found here. */
final class OptionValues {
    private OptionValues() {}

    static String requireName(String name) {
        if (!QueueOptions.NAMES.contains(name)) {
            throw CommandFailed.byUser("there is no option " + name + "; there are "
                    + String.join(", ", new TreeSet<>(QueueOptions.NAMES)));
        }
        return name;
    }

    /** @param setting where it stands, for the error */
    static Object parse(String text, String setting) {
        if (text.equals("true") || text.equals("false")) {
            return Boolean.valueOf(text);
        }
        if (!text.matches("-?\\d{1,18}(\\.\\d{1,9})?")) {
            throw CommandFailed.byUser("a value is a number, true or false, and not as in " + setting);
        }
        BigDecimal number = new BigDecimal(text).stripTrailingZeros();
        return number.scale() > 0 ? (Object) number.doubleValue() : (Object) number.longValue();
    }

    /** What options mean, for people: with units, and in words where a number stands for something else. */
    static Map<String, Object> inWords(Map<String, Object> options) {
        Map<String, Object> inWords = new LinkedHashMap<>();
        options.forEach(
                (name, value) -> inWords.put(name, value instanceof Long number ? inWords(name, number) : value));
        return inWords;
    }

    private static Object inWords(String name, long value) {
        return switch (name) {
            // The server takes 0 for a minute.
            case "leaseTime" -> time(value == 0 ? 60 : value);
            case "retryDelay" -> value % 1000 == 0 ? time(value / 1000) : value + "ms";
            case "delayedProcessing", "windowBuffer", "dedupWindowSeconds" -> value == 0 ? "none" : time(value);
            case "maxWaitTimeSeconds" -> value == 0 ? "no limit" : time(value);
            // Older clients send 3600 without being asked, so it limits nothing.
            case "ttl" -> value == 0 || value == 3600 ? "no limit" : time(value);
            case "retentionSeconds", "completedRetentionSeconds" -> value == 0 ? "for ever" : time(value);
            case "maxSize" -> value == 0 ? "no limit" : String.format("%,d messages", value);
            default -> value;
        };
    }

    /** Exactly, in the largest unit that it is a whole number of. */
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
