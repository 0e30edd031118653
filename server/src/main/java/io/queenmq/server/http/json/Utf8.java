package io.queenmq.server.http.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Validates UTF-8. The JSON parser accepts overlong forms, surrogates and numbers beyond Unicode, but PostgreSQL does not:
 * one such payload would make its whole segment unreadable for SQL.
 */
final class Utf8 {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HIGH_BITS = 0x8080808080808080L;

    private Utf8() {}

    static boolean isValid(byte[] bytes) {
        int at = 0;
        while (at < bytes.length) {
            if (at + Long.BYTES <= bytes.length && ((long) LONGS.get(bytes, at) & HIGH_BITS) == 0) {
                at += Long.BYTES;
            } else if (bytes[at] >= 0) {
                at++;
            } else {
                int length = sequenceLength(bytes, at);
                if (length == 0) {
                    return false;
                }
                at += length;
            }
        }
        return true;
    }

    /** Returns the number of bytes of the character at this position; 0 if it is invalid. */
    private static int sequenceLength(byte[] bytes, int at) {
        int first = bytes[at] & 0xff;
        if (first >= 0xc2 && first <= 0xdf) {
            return isContinued(bytes, at, 1, 0x80, 0xbf) ? 2 : 0;
        }
        if (first >= 0xe0 && first <= 0xef) {
            int min = first == 0xe0 ? 0xa0 : 0x80;
            int max = first == 0xed ? 0x9f : 0xbf;
            return isContinued(bytes, at, 2, min, max) ? 3 : 0;
        }
        if (first >= 0xf0 && first <= 0xf4) {
            int min = first == 0xf0 ? 0x90 : 0x80;
            int max = first == 0xf4 ? 0x8f : 0xbf;
            return isContinued(bytes, at, 3, min, max) ? 4 : 0;
        }
        return 0;
    }

    /**
     * Returns true if the second byte is in its range, which depends on the first byte. The ranges exclude overlong forms,
     * surrogates and numbers beyond Unicode.
     */
    private static boolean isContinued(byte[] bytes, int at, int count, int secondMin, int secondMax) {
        if (at + count >= bytes.length) {
            return false;
        }
        int second = bytes[at + 1] & 0xff;
        if (second < secondMin || second > secondMax) {
            return false;
        }
        for (int i = 2; i <= count; i++) {
            if ((bytes[at + i] & 0xc0) != 0x80) {
                return false;
            }
        }
        return true;
    }
}
