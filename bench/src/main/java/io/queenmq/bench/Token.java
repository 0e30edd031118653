package io.queenmq.bench;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A text that is counted in responses. The search skips by the byte at its end, so most bytes are not read. */
final class Token {
    private final byte[] text;
    private final int[] jumps = new int[256];

    Token(String text) {
        this.text = text.getBytes(StandardCharsets.US_ASCII);
        Arrays.fill(jumps, this.text.length);
        for (int i = 0; i < this.text.length - 1; i++) {
            jumps[this.text[i] & 0xff] = this.text.length - 1 - i;
        }
    }

    int countIn(HttpAnswer answer) {
        return countIn(answer.bytes(), answer.bodyStart(), answer.bodyEnd());
    }

    int countIn(byte[] bytes, int from, int to) {
        int count = 0;
        int at = from;
        while (at + text.length <= to) {
            if (Arrays.equals(bytes, at, at + text.length, text, 0, text.length)) {
                count++;
                at += text.length;
            } else {
                at += jumps[bytes[at + text.length - 1] & 0xff];
            }
        }
        return count;
    }
}
