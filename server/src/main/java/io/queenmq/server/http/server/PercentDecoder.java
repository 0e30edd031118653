package io.queenmq.server.http.server;

import io.queenmq.server.http.json.BadRequest;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Decodes percent-encoded paths and queries. Rejects incomplete escapes and invalid UTF-8, because a replacement character would
 * make one name of two different ones.
 */
final class PercentDecoder {
    private PercentDecoder() {}

    /** Decodes a segment of a path, in which {@code +} is a plus. */
    static String ofPath(String text) {
        return text.indexOf('%') < 0 && isAscii(text) ? text : decode(text, '+');
    }

    /** Decodes a name or value of a query, in which {@code +} is a space. */
    static String ofQuery(String text) {
        return text.indexOf('%') < 0 && text.indexOf('+') < 0 && isAscii(text) ? text : decode(text, ' ');
    }

    private static String decode(String text, char plus) {
        // Bytes beyond ASCII that were not escaped arrive as one character each.
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        int length = 0;
        for (int i = 0; i < bytes.length; i++) {
            byte b = bytes[i];
            if (b == '%') {
                bytes[length++] = (byte) (digit(bytes, i + 1) << 4 | digit(bytes, i + 2));
                i += 2;
            } else {
                bytes[length++] = b == '+' ? (byte) plus : b;
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length)).toString();
        } catch (CharacterCodingException _) {
            throw new BadRequest("the address is not valid UTF-8");
        }
    }

    private static int digit(byte[] bytes, int at) {
        int digit = at < bytes.length ? Character.digit(bytes[at], 16) : -1;
        if (digit < 0) {
            throw new BadRequest("the address has a % that is not followed by two hexadecimal digits");
        }
        return digit;
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }
}
