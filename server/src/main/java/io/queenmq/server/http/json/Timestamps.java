package io.queenmq.server.http.json;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Formats timestamps in UTC with microseconds, and parses timestamps of clients, which are not always RFC 3339. */
public final class Timestamps {
    private static final Pattern MOMENT = Pattern
            .compile("(\\d{4}-\\d\\d-\\d\\d)(?:[Tt ](\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d{1,9})?)?)"
                    + "(?:Z|z| ?UTC|([+\\- ]\\d\\d(?::?\\d\\d)?))?)?");

    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'");
    private static final int MICROS_PER_SECOND = 1_000_000;

    private Timestamps() {}

    public static String text(OffsetDateTime moment) {
        return MICROS.format(moment.withOffsetSameInstant(ZoneOffset.UTC));
    }

    /** @param micros since 1970 */
    public static String textOfMicros(long micros) {
        long seconds = Math.floorDiv(micros, MICROS_PER_SECOND);
        int rest = Math.floorMod(micros, MICROS_PER_SECOND);
        return MICROS.format(LocalDateTime.ofEpochSecond(seconds, rest * 1_000, ZoneOffset.UTC));
    }

    /** Parses a timestamp. Without a time it means midnight, without an offset UTC. */
    public static OffsetDateTime parse(String text, String field) {
        Matcher matcher = MOMENT.matcher(text.strip());
        if (!matcher.matches()) {
            throw unreadable(field, text);
        }
        try {
            LocalDate date = LocalDate.parse(matcher.group(1));
            String time = matcher.group(2);
            LocalTime clock = time == null ? LocalTime.MIDNIGHT : LocalTime.parse(time.replace(',', '.'));
            return OffsetDateTime.of(date, clock, offset(matcher.group(3)));
        } catch (DateTimeException _) {
            throw unreadable(field, text);
        }
    }

    private static ZoneOffset offset(String text) {
        if (text == null) {
            return ZoneOffset.UTC;
        }
        // An unescaped plus of a query string arrives as a space.
        return ZoneOffset.of(text.replace(' ', '+'));
    }

    private static BadRequest unreadable(String field, String text) {
        return new BadRequest(field + " must be a timestamp such as 2024-01-31T12:00:00Z, but is '" + text + "'");
    }
}
