package io.queenmq.server.http.json;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A buffer for JSON text as UTF-8 bytes. Owned by one event loop, which writes all its responses into the same
 * buffer, one after the other.
 */
public final class JsonBuffer {
    private static final int START_BYTES = 8 * 1024;

    /** The memory of a larger response is not kept, because such responses are rare. */
    private static final int KEPT_BYTES_MAX = 1024 * 1024;

    private static final int GROWTH_BYTES_MAX = 8 * 1024 * 1024;

    /** Replaces an unpaired surrogate, which has no UTF-8 form. */
    private static final char REPLACEMENT = '\ufffd';

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NO_BYTES = {};

    private byte[] bytes = NO_BYTES;
    private int length;

    /** Clears the buffer for a new text. */
    public JsonBuffer clear() {
        length = 0;
        if (bytes.length == 0 || bytes.length > KEPT_BYTES_MAX) {
            bytes = new byte[START_BYTES];
        }
        return this;
    }

    public int length() {
        return length;
    }

    /** Returns the array. Bytes after {@link #length} belong to earlier texts. */
    public byte[] bytes() {
        return bytes;
    }

    public byte[] copy() {
        return Arrays.copyOf(bytes, length);
    }

    /** Returns the array with the text, which may be longer than the text. The buffer continues with a new array. */
    public byte[] detach() {
        byte[] text = bytes;
        bytes = NO_BYTES;
        length = 0;
        return text;
    }

    /** Reserves memory for this number of bytes. */
    public JsonBuffer expect(long more) {
        ensure(Math.toIntExact(more));
        return this;
    }

    /** Appends ASCII text unchanged. */
    @SuppressWarnings("deprecation") // the only method of String that copies its bytes directly
    public JsonBuffer raw(String ascii) {
        int count = ascii.length();
        ensure(count);
        ascii.getBytes(0, count, bytes, length);
        length += count;
        return this;
    }

    public JsonBuffer raw(byte[] from, int start, int end) {
        ensure(end - start);
        System.arraycopy(from, start, bytes, length, end - start);
        length += end - start;
        return this;
    }

    /** Appends a part of this buffer again. */
    public JsonBuffer again(int start, int end) {
        return raw(bytes, start, end);
    }

    public JsonBuffer number(long number) {
        if (number >= 0 && number < 10) {
            ensure(1);
            bytes[length++] = (byte) ('0' + number);
            return this;
        }
        return raw(Long.toString(number));
    }

    /** Appends a number, without a fraction if it is whole. */
    public JsonBuffer number(double number) {
        return raw(BigDecimal.valueOf(number).stripTrailingZeros().toPlainString());
    }

    public JsonBuffer bool(boolean value) {
        return raw(value ? "true" : "false");
    }

    /** Appends a string in quotes, or null. */
    public JsonBuffer stringOrNull(@Nullable String text) {
        return text == null ? raw("null") : string(text);
    }

    /** Appends a string in quotes; null is not allowed. */
    public JsonBuffer string(String text) {
        ensure(text.length() + 2);
        bytes[length++] = '"';
        if (isPlain(text)) {
            raw(text);
        } else {
            escape(text);
        }
        ensure(1);
        bytes[length++] = '"';
        return this;
    }

    /** Appends a UUID in quotes, or an empty string for null. */
    public JsonBuffer uuid(@Nullable UUID id) {
        ensure(38);
        bytes[length++] = '"';
        if (id != null) {
            long high = id.getMostSignificantBits();
            long low = id.getLeastSignificantBits();
            hex(high, 60, 32);
            bytes[length++] = '-';
            hex(high, 28, 16);
            bytes[length++] = '-';
            hex(high, 12, 0);
            bytes[length++] = '-';
            hex(low, 60, 48);
            bytes[length++] = '-';
            hex(low, 44, 0);
        }
        bytes[length++] = '"';
        return this;
    }

    private void hex(long bits, int fromShift, int toShift) {
        for (int shift = fromShift; shift >= toShift; shift -= 4) {
            bytes[length++] = HEX[(int) (bits >>> shift) & 0xf];
        }
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x20 || c >= 0x80 || c == '"' || c == '\\') {
                return false;
            }
        }
        return true;
    }

    /**
     * Escapes only what JSON requires, in the same form as PostgreSQL: transactionIds are compared byte by byte with
     * those that SQL has written.
     */
    private void escape(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> raw("\\\"");
                case '\\' -> raw("\\\\");
                case '\b' -> raw("\\b");
                case '\f' -> raw("\\f");
                case '\n' -> raw("\\n");
                case '\r' -> raw("\\r");
                case '\t' -> raw("\\t");
                default -> {
                    if (c < 0x20) {
                        raw("\\u00");
                        ensure(2);
                        hex(c, 4, 0);
                    } else if (!Character.isSurrogate(c)) {
                        utf8(c);
                    } else if (i + 1 < text.length() && Character.isSurrogatePair(c, text.charAt(i + 1))) {
                        utf8(Character.toCodePoint(c, text.charAt(++i)));
                    } else {
                        utf8(REPLACEMENT);
                    }
                }
            }
        }
    }

    private void utf8(int character) {
        ensure(4);
        if (character < 0x80) {
            bytes[length++] = (byte) character;
        } else if (character < 0x800) {
            bytes[length++] = (byte) (0xc0 | character >> 6);
            continuation(character);
        } else if (character < 0x10000) {
            bytes[length++] = (byte) (0xe0 | character >> 12);
            continuation(character >> 6);
            continuation(character);
        } else {
            bytes[length++] = (byte) (0xf0 | character >> 18);
            continuation(character >> 12);
            continuation(character >> 6);
            continuation(character);
        }
    }

    private void continuation(int bits) {
        bytes[length++] = (byte) (0x80 | bits & 0x3f);
    }

    private void ensure(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes,
                    Math.max(length + more, bytes.length + Math.min(bytes.length, GROWTH_BYTES_MAX)));
        }
    }
}
