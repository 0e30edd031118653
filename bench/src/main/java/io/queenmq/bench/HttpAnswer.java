package io.queenmq.bench;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A reusable parser of a response. It reads the status and the length, but not the body. */
final class HttpAnswer {
    private static final int START_BYTES = 4 * 1024;
    private static final int BYTES_MAX = 64 * 1024 * 1024;
    private static final int STATUS_AT = 9;
    private static final int STATUS_DIGITS = 3;
    private static final int NO_CONTENT = 204;
    private static final int SHOWN_MAX = 200;
    private static final byte[] PROTOCOL = ascii("HTTP/1.");
    private static final byte[] CONTENT_LENGTH = ascii("content-length:");

    private byte[] bytes = new byte[START_BYTES];
    private int length;
    private int bodyStart;
    private int bodyEnd;
    private int status;

    /** Clears the parser for the next response. */
    void clear() {
        length = 0;
        bodyStart = 0;
    }

    /** Adds received bytes and returns true if the response is complete. */
    boolean add(ByteBuffer arrived) {
        int searchFrom = Math.max(0, length - 3);
        append(arrived);
        if (bodyStart == 0 && !findHead(searchFrom)) {
            return false;
        }
        if (length > bodyEnd) {
            throw new BenchAbortedException("the server sent more than it was asked for");
        }
        return length == bodyEnd;
    }

    int status() {
        return status;
    }

    byte[] bytes() {
        return bytes;
    }

    int bodyStart() {
        return bodyStart;
    }

    int bodyEnd() {
        return bodyEnd;
    }

    /** Returns the status and the beginning of the body. */
    @Override
    public String toString() {
        int end = Math.min(bodyEnd, bodyStart + SHOWN_MAX);
        String body = new String(bytes, bodyStart, end - bodyStart, StandardCharsets.UTF_8);
        return "status " + status + (body.isEmpty() ? "" : ", " + body + (end < bodyEnd ? "…" : ""));
    }

    private void append(ByteBuffer arrived) {
        int more = arrived.remaining();
        if (length + more > BYTES_MAX) {
            throw new BenchAbortedException("the server sent an answer of more than " + BYTES_MAX + " bytes");
        }
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, bytes.length * 2));
        }
        arrived.get(bytes, length, more);
        length += more;
    }

    private boolean findHead(int from) {
        for (int i = from; i + 3 < length; i++) {
            if (bytes[i] == '\r' && bytes[i + 1] == '\n' && bytes[i + 2] == '\r' && bytes[i + 3] == '\n') {
                readHead(i + 2);
                return true;
            }
        }
        return false;
    }

    private void readHead(int end) {
        if (end < STATUS_AT + STATUS_DIGITS || !startsWith(PROTOCOL, 0)) {
            throw new BenchAbortedException("the server does not answer in HTTP/1.1");
        }
        status = (int) digits(STATUS_AT, STATUS_AT + STATUS_DIGITS);
        bodyStart = end + 2;
        long bodyLength = status == NO_CONTENT ? 0 : contentLength(end);
        if (bodyStart + bodyLength > BYTES_MAX) {
            throw new BenchAbortedException("the server announced an answer of " + bodyLength + " bytes");
        }
        bodyEnd = bodyStart + (int) bodyLength;
    }

    private long contentLength(int end) {
        for (int i = STATUS_AT; i < end; i++) {
            if (bytes[i] == '\n' && startsWith(CONTENT_LENGTH, i + 1)) {
                return digits(i + 1 + CONTENT_LENGTH.length, end);
            }
        }
        throw new BenchAbortedException("the server sent an answer without Content-Length (status " + status + ")");
    }

    private boolean startsWith(byte[] expected, int at) {
        if (at + expected.length > length) {
            return false;
        }
        for (int i = 0; i < expected.length; i++) {
            byte each = bytes[at + i];
            if (each != expected[i] && (each | 0x20) != expected[i]) {
                return false;
            }
        }
        return true;
    }

    /** Returns the number at this position, after optional spaces. */
    private long digits(int from, int end) {
        int at = from;
        while (at < end && bytes[at] == ' ') {
            at++;
        }
        long value = 0;
        for (; at < end && bytes[at] >= '0' && bytes[at] <= '9' && value < BYTES_MAX; at++) {
            value = value * 10 + bytes[at] - '0';
        }
        return value;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
