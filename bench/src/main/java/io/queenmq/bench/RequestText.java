package io.queenmq.bench;

import java.nio.charset.StandardCharsets;

/** Writes requests, and overwrites fields of fixed width in them. */
final class RequestText {
    /** Leading zeros are allowed in Content-Length, so its width can be fixed. */
    static final String LENGTH_FIELD = "00000000";

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private RequestText() {}

    static byte[] get(String path, String host) {
        return ascii("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    }

    /** Returns the head of a POST. The length is written later. */
    static String postHead(String path, String host) {
        return "POST " + path + " HTTP/1.1\r\nHost: " + host + "\r\nContent-Type: application/json\r\nContent-Length: "
                + LENGTH_FIELD + "\r\n\r\n";
    }

    static int lengthFieldIn(String head) {
        return head.indexOf(LENGTH_FIELD, head.indexOf("Content-Length: "));
    }

    static void decimal(byte[] bytes, int at, int width, long value) {
        long rest = value;
        for (int i = at + width - 1; i >= at; i--) {
            bytes[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    static void hex(byte[] bytes, int at, int width, long value) {
        long rest = value;
        for (int i = at + width - 1; i >= at; i--) {
            bytes[i] = HEX[(int) (rest & 15)];
            rest >>>= 4;
        }
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
