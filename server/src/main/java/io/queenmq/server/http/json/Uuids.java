package io.queenmq.server.http.json;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Parses UUIDs in their standard form; {@link UUID#fromString} accepts more than PostgreSQL does. */
public final class Uuids {
    private static final int LENGTH = 36;

    private Uuids() {}

    /** Returns null if the text is not a UUID. */
    public static @Nullable UUID parse(String text) {
        if (text.length() != LENGTH || text.charAt(8) != '-' || text.charAt(13) != '-' || text.charAt(18) != '-'
                || text.charAt(23) != '-') {
            return null;
        }
        long high = hex(text, 0, 8);
        high = high << 16 | hex(text, 9, 13);
        high = high << 16 | hex(text, 14, 18);
        long low = hex(text, 19, 23);
        low = low << 48 | hex(text, 24, 36);
        return isHex(text) ? new UUID(high, low) : null;
    }

    /** @param text null or empty if the request does not contain it */
    public static UUID require(@Nullable String text, String field) {
        if (text == null || text.isEmpty()) {
            throw new BadRequest(field + " is missing");
        }
        UUID id = parse(text);
        if (id == null) {
            throw new BadRequest(field + " must be a UUID");
        }
        return id;
    }

    private static long hex(String text, int start, int end) {
        long value = 0;
        for (int i = start; i < end; i++) {
            value = value << 4 | Character.digit(text.charAt(i), 16) & 0xf;
        }
        return value;
    }

    private static boolean isHex(String text) {
        for (int i = 0; i < LENGTH; i++) {
            char c = text.charAt(i);
            boolean isDigit = c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F';
            if (!isDigit && (c != '-' || i != 8 && i != 13 && i != 18 && i != 23)) {
                return false;
            }
        }
        return true;
    }
}
