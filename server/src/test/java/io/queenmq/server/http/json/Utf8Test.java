package io.queenmq.server.http.json;

import static org.assertj.core.api.Assertions.fail;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class Utf8Test {
    private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    private final CharBuffer decoded = CharBuffer.allocate(100);

    @Test
    void agreesWithTheJdkOnEverySequenceOfUpToThreeBytes() {
        for (int value = 0; value < 1 << 24; value += value < 1 << 16 ? 1 : 7) {
            check(new byte[]{(byte) (value >> 16), (byte) (value >> 8), (byte) value});
        }
    }

    @Test
    void agreesWithTheJdkOnDamagedText() {
        SplittableRandom random = new SplittableRandom(1);
        byte[] text = "plain text, é, 日本語, 😀 and plain text again".getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 200_000; i++) {
            byte[] damaged = text.clone();
            damaged[random.nextInt(text.length)] = (byte) random.nextInt(256);
            check(damaged);
        }
    }

    private void check(byte[] bytes) {
        decoded.clear();
        boolean isValid = !decoder.reset().decode(ByteBuffer.wrap(bytes), decoded, true).isError();
        if (Utf8.isValid(bytes) != isValid) {
            fail(HexFormat.of().formatHex(bytes) + " is " + (isValid ? "" : "not ") + "UTF-8");
        }
    }
}
