package io.queenmq.engine.cipher;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.cipher.Reencryption.Policy;
import io.queenmq.engine.cipher.Reencryption.Run;
import io.queenmq.engine.config.EncryptionConfig;
import io.queenmq.engine.config.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ReencryptionTest {
    private static final UUID PARTITION = UUID.randomUUID();
    private static final Policy REWRITE = new Policy(true, true);
    private static final Secret FIRST = key(1);
    private static final Secret SECOND = key(2);
    private static final Secret LOST = key(3);

    private final PayloadCipher old = cipher(FIRST);
    private final PayloadCipher lost = cipher(LOST);
    private final PayloadCipher rotated = cipher(SECOND, FIRST);

    @Test
    void everyLineOfAnOldKeyIsEncryptedWithTheCurrentOneAndBound() {
        byte[] body = join(old.encrypt(line(1), null), old.encrypt(line(2), at(11)),
                old.encrypt(line(3), new MessagePosition(PARTITION, MessagePosition.UNKNOWN_OFFSET)));

        Reencryption done = Reencryption.of(rotated, REWRITE, PARTITION, 10, body);

        assertThat(done.failures()).isZero();
        assertThat(done.runs()).singleElement().satisfies(run -> {
            assertThat(run).extracting(Run::first, Run::end, Run::keyId, Run::isBound).containsExactly(10L, 13L,
                    rotated.currentKeyId(), true);
            assertThat(run.bytes()).isEqualTo(done.body().length);
        });
        assertThat(clear(cipher(SECOND), done.body(), 10)).isEqualTo(text(join(line(1), line(2), line(3))));
        assertThat(Reencryption.of(rotated, REWRITE, PARTITION, 10, done.body()).body()).isNull();
    }

    @Test
    void linesInClearOfTheCurrentKeyOrOfAnUnknownOneKeepEveryByte() {
        byte[] current = rotated.encrypt(line(2), at(1));
        byte[] foreign = lost.encrypt(line(3), at(2));
        byte[] body = join(line(1), current, foreign);

        Reencryption untouched = Reencryption.of(rotated, REWRITE, PARTITION, 0, body);

        assertThat(untouched.body()).isNull();
        assertThat(untouched.failures()).isZero();
        assertThat(untouched.runs()).extracting(Run::keyId).containsExactly(Reencryption.CLEAR, rotated.currentKeyId(),
                lost.currentKeyId());

        Reencryption mixed = Reencryption.of(rotated, REWRITE, PARTITION, 0, join(body, old.encrypt(line(4), at(3))));
        assertThat(Arrays.copyOf(mixed.body(), body.length)).isEqualTo(body);
        assertThat(mixed.runs()).extracting(Run::first).containsExactly(0L, 1L, 2L, 3L);
    }

    @Test
    void aLineThatCannotBeDecryptedIsUnchangedAndCounted() {
        byte[] moved = old.encrypt(line(1), at(99));
        byte[] body = join(moved, old.encrypt(line(2), at(1)));

        Reencryption done = Reencryption.of(rotated, REWRITE, PARTITION, 0, body);

        assertThat(done.failures()).isOne();
        assertThat(Arrays.copyOf(done.body(), moved.length)).isEqualTo(moved);
        assertThat(done.runs()).extracting(Run::keyId).containsExactly(old.currentKeyId(), rotated.currentKeyId());
    }

    @Test
    void withoutBindingOnlyTheKeyChangesAndWithoutRewritingNoLineChanges() {
        byte[] body = join(old.encrypt(line(1), null), old.encrypt(line(2), at(1)));

        Reencryption done = Reencryption.of(rotated, new Policy(true, false), PARTITION, 0, body);
        assertThat(done.runs()).extracting(Run::isBound).containsExactly(false, true);
        assertThat(Reencryption.of(rotated, new Policy(true, false), PARTITION, 0, done.body()).body()).isNull();

        assertThat(Reencryption.of(rotated, new Policy(false, true), PARTITION, 0, body).body()).isNull();
        assertThat(Reencryption
                .of(new PayloadCipher(new EncryptionConfig(null, List.of(FIRST))), REWRITE, PARTITION, 0, body).body())
                .isNull();
    }

    private static MessagePosition at(long offset) {
        return new MessagePosition(PARTITION, offset);
    }

    private static String clear(PayloadCipher cipher, byte[] body, long base) {
        StringBuilder clear = new StringBuilder();
        long offset = base;
        for (String line : text(body).split("\n")) {
            byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
            clear.append(text(cipher.decrypt(bytes, 0, bytes.length, at(offset++)))).append('\n');
        }
        return clear.toString();
    }

    private static byte[] line(int number) {
        return ("{\"id\":\"0190a5e0-0000-7000-8000-00000000000" + number
                + "\",\"transactionId\":\"t\",\"traceId\":null," + "\"producerSub\":null,\"data\":{\"text\":\"Zürich "
                + number + "\"}}\n").getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] join(byte[]... lines) {
        StringBuilder all = new StringBuilder();
        for (byte[] line : lines) {
            all.append(text(line));
        }
        return all.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static PayloadCipher cipher(Secret key, Secret... oldKeys) {
        return new PayloadCipher(new EncryptionConfig(key, List.of(oldKeys)));
    }

    private static Secret key(int filling) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) filling);
        return new Secret(bytes);
    }
}
