package io.queenmq.engine.push;

import java.nio.charset.StandardCharsets;

/**
 * The 64-bit hash of a transactionId: {@code hashtextextended(id, 0)} of PostgreSQL, so that SQL and Java compute the same hash.
 * Stored in every segment, so it must never change.
 */
public final class TransactionHash {
    private static final int START = 0x9e3779b9 + 3923095;

    private TransactionHash() {}

    public static long of(String transactionId) {
        return of(transactionId.getBytes(StandardCharsets.UTF_8));
    }

    static long of(byte[] key) {
        int a = START + key.length;
        int b = a;
        int c = a;
        int at = 0;
        int left = key.length;
        for (; left >= 12; left -= 12, at += 12) {
            a += word(key, at, 4);
            b += word(key, at + 4, 4);
            c += word(key, at + 8, 4);

            a -= c;
            a ^= Integer.rotateLeft(c, 4);
            c += b;
            b -= a;
            b ^= Integer.rotateLeft(a, 6);
            a += c;
            c -= b;
            c ^= Integer.rotateLeft(b, 8);
            b += a;
            a -= c;
            a ^= Integer.rotateLeft(c, 16);
            c += b;
            b -= a;
            b ^= Integer.rotateLeft(a, 19);
            a += c;
            c -= b;
            c ^= Integer.rotateLeft(b, 4);
            b += a;
        }
        a += word(key, at, Math.min(left, 4));
        b += word(key, at + 4, Math.clamp(left - 4, 0, 4));
        // The lowest byte of the last word is reserved for the length, which is part of the start value.
        c += word(key, at + 8, Math.clamp(left - 8, 0, 3)) << 8;

        c ^= b;
        c -= Integer.rotateLeft(b, 14);
        a ^= c;
        a -= Integer.rotateLeft(c, 11);
        b ^= a;
        b -= Integer.rotateLeft(a, 25);
        c ^= b;
        c -= Integer.rotateLeft(b, 16);
        a ^= c;
        a -= Integer.rotateLeft(c, 4);
        b ^= a;
        b -= Integer.rotateLeft(a, 14);
        c ^= b;
        c -= Integer.rotateLeft(b, 24);
        return (long) b << 32 | c & 0xffffffffL;
    }

    private static int word(byte[] key, int at, int length) {
        int word = 0;
        for (int i = 0; i < length; i++) {
            word |= (key[at + i] & 0xff) << 8 * i;
        }
        return word;
    }
}
