package io.queenmq.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class Utf8Test {
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

    private static void check(byte[] bytes) {
        boolean isValid;
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            isValid = true;
        } catch (CharacterCodingException _) {
            isValid = false;
        }
        if (Utf8.isValid(bytes) != isValid) {
            assertThat(Utf8.isValid(bytes)).as(java.util.HexFormat.of().formatHex(bytes)).isEqualTo(isValid);
        }
    }
}
