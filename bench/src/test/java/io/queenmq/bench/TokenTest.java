package io.queenmq.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class TokenTest {
    @Test
    void countsTheSameAsASlowSearch() {
        SplittableRandom random = new SplittableRandom(1);
        for (int round = 0; round < 2_000; round++) {
            String text = letters(random, 60);
            String token = letters(random, 1 + random.nextInt(4));

            int count = new Token(token).countIn(text.getBytes(StandardCharsets.US_ASCII), 0, text.length());

            assertThat(count).as("%s in %s", token, text)
                    .isEqualTo((int) Pattern.compile(token).matcher(text).results().count());
        }
    }

    private static String letters(SplittableRandom random, int length) {
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < length; i++) {
            letters.append((char) ('a' + random.nextInt(2)));
        }
        return letters.toString();
    }
}
