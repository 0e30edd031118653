package io.queenmq.server.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.server.upkeep.FullSweeps.Place;
import io.queenmq.server.upkeep.KeyRoutines.EncryptedQueue;
import io.queenmq.server.upkeep.KeyRoutines.StoredDeadLetter;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeadLetterPassesTest {
    private static final UUID QUEUE = UUID.randomUUID();
    private static final Place PLACE = new Place(QUEUE, "queen_00");
    private static final OffsetDateTime LAST = OffsetDateTime.parse("2030-01-01T12:00:00Z");
    private static final OffsetDateTime NOW = OffsetDateTime.parse("2030-01-01T12:10:00Z");

    private final DeadLetterPasses passes = new DeadLetterPasses();

    @Test
    void theFirstPassOfThisServerReadsAllLetters() {
        DeadLetterPasses.Pass pass = passes.next(PLACE, queue("k1", LAST), "k1", 0);

        assertThat(pass.isFull()).isTrue();
        assertThat(pass.since()).isNull();
        assertThat(pass.startedAt()).isEqualTo(NOW);
        assertThat(pass.keyId()).isEqualTo("k1");
    }

    /** A full pass with the key k1 ended at minute 0. The overlap of an hour covers transactions that were under way. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', nullValues = "all", textBlock = """
            a minute later                           | false |  1 | k1 | k1 | 2030-01-01T12:00:00Z | 2030-01-01T11:00:00Z
            almost an hour later                     | false | 59 | k1 | k1 | 2030-01-01T12:00:00Z | 2030-01-01T11:00:00Z
            an hour later                            | false | 60 | k1 | k1 | 2030-01-01T12:00:00Z | all
            letters are left to be encrypted again   | true  |  0 | k1 | k1 | 2030-01-01T12:00:00Z | all
            the current key has changed              | false |  1 | k1 | k2 | 2030-01-01T12:00:00Z | all
            another server checked with another key  | false |  1 | k2 | k1 | 2030-01-01T12:00:00Z | all
            no letter was ever checked               | false |  1 | k1 | k1 | all                  | all
            """)
    void theNextPassReadsNewLettersUnlessAllAreDue(String row, boolean areLeft, long minutes, String recordedKey,
            String currentKey, OffsetDateTime lettersTo, OffsetDateTime since) {
        passes.ended(PLACE, passes.next(PLACE, queue("k1", LAST), "k1", 0), 0, areLeft);

        DeadLetterPasses.Pass pass = passes.next(PLACE, queue(recordedKey, lettersTo), currentKey, minutes(minutes));

        assertThat(pass.since()).isEqualTo(since);
        assertThat(pass.isFull()).isEqualTo(since == null);
        assertThat(pass.last()).isNull();
    }

    @Test
    void aPassOfNewLettersDoesNotDelayTheNextFullPass() {
        passes.ended(PLACE, passes.next(PLACE, queue("k1", LAST), "k1", 0), 0, false);
        passes.ended(PLACE, passes.next(PLACE, queue("k1", LAST), "k1", minutes(59)), minutes(59), false);

        assertThat(passes.next(PLACE, queue("k1", LAST), "k1", minutes(60)).isFull()).isTrue();
    }

    @Test
    void aPassThatRanOutOfTimeIsResumed() {
        DeadLetterPasses.Pass pass = passes.next(PLACE, queue("k1", LAST), "k1", 0);
        StoredDeadLetter letter = new StoredDeadLetter(LAST, QUEUE, "g", 7, new byte[0], "failed");
        pass.read(letter);

        DeadLetterPasses.Pass resumed = passes.next(PLACE, queue("k1", LAST), "k1", minutes(1));

        assertThat(resumed).isSameAs(pass);
        assertThat(resumed.last()).isSameAs(letter);
    }

    @Test
    void aPassIsNotResumedWithAnotherKey() {
        DeadLetterPasses.Pass pass = passes.next(PLACE, queue("k1", LAST), "k1", 0);

        assertThat(passes.next(PLACE, queue("k1", LAST), "k2", 0)).isNotSameAs(pass)
                .extracting(DeadLetterPasses.Pass::keyId).isEqualTo("k2");
    }

    @Test
    void shardsHavePassesOfTheirOwn() {
        passes.ended(PLACE, passes.next(PLACE, queue("k1", LAST), "k1", 0), 0, false);

        assertThat(passes.next(new Place(QUEUE, "queen_01"), queue("k1", LAST), "k1", 0).isFull()).isTrue();
    }

    private static EncryptedQueue queue(String lettersKey, OffsetDateTime lettersTo) {
        return new EncryptedQueue(QUEUE, LAST, lettersKey, lettersTo, NOW);
    }

    private static long minutes(long minutes) {
        return Duration.ofMinutes(minutes).toNanos();
    }
}
