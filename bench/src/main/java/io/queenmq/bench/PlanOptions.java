package io.queenmq.bench;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the options of {@code queen bench --plan}. */
final class PlanOptions {
    static final String OPTION = "--plan";
    private static final Map<String, Long> DEFAULTS = Map.of("--messages", 1_000L, "--payload", 1_000L, "--groups", 1L,
            "--batch", 1L, "--servers", 3L);
    private static final String RETENTION = "--retention";
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})([smhd])");

    static final String USAGE = """

            usage: queen bench --plan [--messages N] [--payload BYTES] [--groups N] [--batch N] [--retention TIME] [--servers N]

            Estimate disk, WAL, cores and connections for a load, without any load.

              --messages N       pushed messages per second (default: 1000)
              --payload BYTES    bytes of a payload (default: 1000)
              --groups N         groups that read each message (default: 1)
              --batch N          messages per push in one partition, and per pop (default: 1)
              --retention TIME   time for which messages are stored, such as 12h or 7d (default: 1d)
              --servers N        number of servers (default: 3)
            """;

    private PlanOptions() {}

    static CapacityPlan parse(String... args) {
        Map<String, Long> values = new HashMap<>(DEFAULTS);
        Duration retention = Duration.ofDays(1);
        for (int i = 0; i < args.length; i++) {
            int equals = args[i].indexOf('=');
            String name = equals < 0 ? args[i] : args[i].substring(0, equals);
            if (name.equals(OPTION)) {
                continue;
            }
            if (!DEFAULTS.containsKey(name) && !name.equals(RETENTION)) {
                throw new BadArguments("there is no option " + name + " of " + OPTION);
            }
            if (equals < 0 && i + 1 == args.length) {
                throw new BadArguments(name + " requires a value");
            }
            String value = equals < 0 ? args[++i] : args[i].substring(equals + 1);
            if (name.equals(RETENTION)) {
                retention = time(value);
            } else {
                values.put(name, number(name, value));
            }
        }
        return new CapacityPlan(value(values, "--messages"), value(values, "--payload"),
                Math.toIntExact(value(values, "--groups")), Math.toIntExact(value(values, "--batch")), retention,
                Math.toIntExact(value(values, "--servers")));
    }

    private static long value(Map<String, Long> values, String name) {
        return values.getOrDefault(name, 0L);
    }

    private static long number(String name, String value) {
        if (value.matches("\\d{1,9}") && Long.parseLong(value) > 0) {
            return Long.parseLong(value);
        }
        throw new BadArguments(name + " must be a positive whole number, not \"" + value + "\"");
    }

    private static Duration time(String value) {
        Matcher time = TIME.matcher(value);
        if (!time.matches()) {
            throw new BadArguments(RETENTION + " must be a time such as 12h or 7d, not \"" + value + "\"");
        }
        long number = Long.parseLong(time.group(1));
        return switch (time.group(2)) {
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }
}
