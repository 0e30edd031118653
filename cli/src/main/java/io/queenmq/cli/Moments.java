package io.queenmq.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses times and durations in the form that users type. */
final class Moments {
    private static final Pattern PART = Pattern.compile("(\\d+)(ms|s|m|h|d)");
    private static final Pattern DURATION = Pattern.compile("(\\d+(ms|s|m|h|d))+");

    private Moments() {}

    /** Converts {@code 30s}, {@code 1h30m}, {@code 500ms}. */
    static final class ToDuration implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return duration(text);
        }
    }

    /** Converts {@code 2026-01-31T12:00:00Z}, {@code 2026-01-31}, or {@code 15m} for 15 minutes ago. */
    static final class ToInstant implements ITypeConverter<Instant> {
        @Override
        public Instant convert(String text) {
            return instant(text);
        }
    }

    static Duration duration(String text) {
        if (!DURATION.matcher(text).matches()) {
            throw new TypeConversionException("'" + text + "' is not a duration; use 30s, 15m, 2h, 7d or 500ms");
        }
        Duration sum = Duration.ZERO;
        Matcher parts = PART.matcher(text);
        while (parts.find()) {
            long value = Long.parseLong(parts.group(1));
            sum = sum.plus(switch (parts.group(2)) {
                case "ms" -> Duration.ofMillis(value);
                case "s" -> Duration.ofSeconds(value);
                case "m" -> Duration.ofMinutes(value);
                case "h" -> Duration.ofHours(value);
                default -> Duration.ofDays(value);
            });
        }
        return sum;
    }

    static Instant instant(String text) {
        if (text.equals("now")) {
            return Instant.now();
        }
        if (DURATION.matcher(text).matches()) {
            return Instant.now().minus(duration(text));
        }
        try {
            return text.indexOf('T') < 0
                    ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
                    : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw new TypeConversionException("'" + text
                    + "' is not a time; use 2026-01-31T12:00:00Z, 2026-01-31, now, or 15m for 15 minutes ago");
        }
    }
}
