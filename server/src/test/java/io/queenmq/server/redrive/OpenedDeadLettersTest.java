package io.queenmq.server.redrive;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.config.EncryptionConfig;
import io.queenmq.engine.push.MessageIds;
import io.queenmq.server.operator.PayloadView;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The letters of a row: {@code a} and {@code b} have partitions of these names as targets, {@code missing} a queue that does
 * not exist. {@code sealed} cannot be opened. {@code encrypt} has an encrypted queue as target while this server has no key.
 */
class OpenedDeadLettersTest {
    private static final PayloadCipher NO_KEY = new PayloadCipher(new EncryptionConfig(null, List.of()));
    private static final UUID REDRIVE = UUID.randomUUID();
    private static final UUID PARTITION = UUID.randomUUID();
    private static final UUID QUEUE = UUID.randomUUID();

    private static final PayloadView PAYLOADS = new PayloadView() {
        @Override
        public byte[] shown(byte[] data) {
            return data;
        }

        @Override
        public byte[] opened(byte[] line, UUID partitionId, long offset) {
            if (new String(line, StandardCharsets.UTF_8).contains("sealed")) {
                throw new IllegalStateException("no key");
            }
            return line;
        }
    };

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', nullValues = "none", textBlock = """
            a                | 0     | a=1     | none
            a b a            | 0 1 2 | a=2 b=1 | none
            a missing b      | 0 2   | a=1 b=1 | none
            a sealed b       | 0 2   | a=1 b=1 | the stored message cannot be opened: no key
            missing sealed a | 2     | a=1     | the stored message cannot be opened: no key
            missing          | none  | none    | none
            """)
    void lettersThatCanBeOpenedAndHaveATargetAreMovable(String row, String movable, String byTarget,
            String firstUnopened) {
        OpenedDeadLetters letters = open(row);

        assertThat(letters.movable().stream().map(String::valueOf).collect(Collectors.joining(" ")))
                .isEqualTo(movable == null ? "" : movable);
        assertThat(letters.movableByTarget().entrySet().stream()
                .map(each -> each.getKey().partition() + "=" + each.getValue()).collect(Collectors.joining(" ")))
                .isEqualTo(byTarget == null ? "" : byTarget);
        assertThat(letters.firstUnopened()).isEqualTo(firstUnopened);
    }

    @Test
    void eachLetterThatStaysHasAReason() {
        assertThat(open("a missing sealed").errors()).containsExactly(null, "there is no queue \"q\"",
                "the stored message cannot be opened: no key");
    }

    @Test
    void aLetterForAnEncryptedQueueStaysWhileThisServerHasNoKey() {
        OpenedDeadLetters letters = open("encrypt");

        assertThat(letters.movable()).isEmpty();
        assertThat(letters.firstUnopened()).isNotNull();
    }

    @Test
    void aLetterThatPostgresRejectsIsNotMovable() {
        OpenedDeadLetters letters = open("a b");

        letters.refuse(1, "the queue is full");

        assertThat(letters.movable()).containsExactly(0);
        assertThat(letters.errors()).containsExactly(null, "the queue is full");
        assertThat(letters.firstUnopened()).as("it could be opened").isNull();
    }

    private static OpenedDeadLetters open(String row) {
        List<String> kinds = Arrays.asList(row.split(" "));
        List<DeadLetter> claimed = IntStream.range(0, kinds.size()).mapToObj(i -> letter(kinds.get(i), i)).toList();
        return new OpenedDeadLetters(claimed, new MessageIds(() -> 1_000), PAYLOADS, NO_KEY);
    }

    private static DeadLetter letter(String kind, long offset) {
        byte[] line = ("{\"id\":\"" + UUID.randomUUID() + "\",\"transactionId\":\"t\",\"data\":\"" + kind + "\"}")
                .getBytes(StandardCharsets.UTF_8);
        return new DeadLetter(REDRIVE, new DeadLetter.Key(PARTITION, "g", offset), OffsetDateTime.MIN, "t", line,
                new DeadLetter.Target(kind.equals("missing") ? null : QUEUE, "q", kind, PARTITION,
                        kind.equals("encrypt"), false, 0));
    }
}
