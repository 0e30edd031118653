package io.queenmq.server.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CountingTest {
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(nullValues = "none", value = {"done, DONE", "more, MORE", "busy, BUSY", "none, FAILED", "{}, FAILED"})
    void anUnknownResultIsAFailure(String answer, Counting counting) {
        assertThat(Counting.of(answer)).isEqualTo(counting);
    }

    @ParameterizedTest(name = "{0}, late {1}: {2}")
    @CsvSource({"DONE,   false, END", "MORE,   false, REPEAT", "BUSY,   false, REPEAT_AFTER_PAUSE",
        "FAILED, false, END", "DONE,   true,  END", "MORE,   true,  END", "BUSY,   true,  END", "FAILED, true,  END"})
    void aCallIsRepeatedWhileARequestWaits(Counting counting, boolean isLate, Counting.Next next) {
        assertThat(counting.whileRequestWaits(isLate)).isEqualTo(next);
    }

    /** The counts of another session are valid for this server, too. */
    @ParameterizedTest(name = "{0}, closed {1}: {2}")
    @CsvSource({"DONE, false, false", "MORE, false, true", "BUSY, false, false", "FAILED, false, false",
        "MORE, true, false"})
    void theSearchIsRepeatedWhilePartitionsAreUncounted(Counting counting, boolean isClosed, boolean isRepeated) {
        assertThat(counting.isRepeatedInBackground(isClosed)).isEqualTo(isRepeated);
    }

    @ParameterizedTest
    @CsvSource({"DONE, true", "MORE, true", "BUSY, true", "FAILED, false"})
    void onlyAFailureMarksTheShardAsFailed(Counting counting, boolean isWell) {
        assertThat(counting.isWell()).isEqualTo(isWell);
    }

    @ParameterizedTest(name = "begun {0} ms ago, under way {1}: {2}")
    @CsvSource({"0,    true,  LAST", "0,    false, LAST", "249,  true,  LAST", "249,  false, LAST",
        "250,  true,  FOLLOWING", "250,  false, NEW", "9000, true,  FOLLOWING", "9000, false, NEW"})
    void aRequestSharesARecentRoundAndOtherwiseWaitsForTheNext(long ageMs, boolean isUnderWay, CountingRound round) {
        assertThat(CountingRound.of(Duration.ofMillis(ageMs).toNanos(), isUnderWay)).isEqualTo(round);
    }
}
