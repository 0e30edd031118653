package io.queenmq.server.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.cipher.Reencryption.Run;
import io.queenmq.server.upkeep.KeyRoutines.EncryptedQueue;
import io.queenmq.server.upkeep.KeyRoutines.StoredSegment;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyProgressTest {
    private static final OffsetDateTime NOON = OffsetDateTime.parse("2030-01-01T12:00:00Z");

    private final KeyProgress progress = new KeyProgress();

    @Test
    void allPartitionsAreReadFirst() {
        assertThat(progress.isFullReadDue(0)).isTrue();
    }

    @ParameterizedTest(name = "{0} minutes after the last one: {1}")
    @CsvSource({"0, false", "59, false", "60, true", "61, true"})
    void allPartitionsAreReadOnceAnHour(long minutes, boolean isDue) {
        progress.allRead(minutes(5));

        assertThat(progress.isFullReadDue(minutes(5 + minutes))).isEqualTo(isDue);
    }

    /** The overlap covers transactions that began before the last check and committed after it. */
    @ParameterizedTest(name = "checked at {0}, full read {1}: since {2}")
    @CsvSource(nullValues = "never", value = {"2030-01-01T12:00:00Z, false, 2030-01-01T11:00:00Z",
        "2030-01-01T12:00:00Z, true,  never", "never,                false, never"})
    void partitionsAreReadSinceAnHourBeforeTheLastCheck(OffsetDateTime checkedAt, boolean isFullRead,
            OffsetDateTime since) {
        assertThat(KeyProgress.since(new EncryptedQueue(UUID.randomUUID(), checkedAt, null, null, NOON), isFullRead))
                .isEqualTo(since);
    }

    @Test
    void keysAreCountedFirst() {
        assertThat(progress.isCountDue(0)).isTrue();
    }

    @ParameterizedTest(name = "{0} minutes after the last one, changed since {1}: {2}")
    @CsvSource({"0, false, false", "9, false, false", "10, false, true", "0, true, true"})
    void keysAreCountedAfterAChangeAndEveryTenMinutes(long minutes, boolean isChanged, boolean isDue) {
        progress.changed();
        progress.counted(minutes(5));
        if (isChanged) {
            progress.changed();
        }

        assertThat(progress.isCountDue(minutes(5 + minutes))).isEqualTo(isDue);
    }

    /** A run is first-end:key/bytes. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            all of a run                                 | 0-10:a/100          | 0 | 10 | 0-10:a/100
            the first part of a run                      | 0-10:a/100          | 0 | 4  | 0-4:a/40
            the last part of a run                       | 0-10:a/100          | 7 | 10 | 7-10:a/30
            the middle of a run                          | 0-10:a/100          | 3 | 5  | 3-5:a/20
            a run before the first offset                | 0-5:a/50 5-10:b/50  | 5 | 10 | 5-10:b/50
            a run after the last offset                  | 0-5:a/50 5-10:b/50  | 0 | 5  | 0-5:a/50
            two keys                                     | 0-5:a/50 5-10:b/50  | 3 | 7  | 3-5:a/20 5-7:b/20
            runs of one key are joined                   | 0-5:a/50 5-10:a/50  | 3 | 7  | 3-7:a/40
            no run at all                                | 0-5:a/50            | 7 | 9  |
            """)
    void runsAreCutToTheOffsetsThatWereRead(String row, String found, long first, long end, String expected) {
        List<Run> runs = new ArrayList<>();

        KeyProgress.addWithin(runs, Arrays.stream(found.split(" ")).map(KeyProgressTest::run).toList(), first, end);

        assertThat(runs.stream().map(run -> run.first() + "-" + run.end() + ":" + run.keyId() + "/" + run.bytes())
                .collect(Collectors.joining(" "))).isEqualTo(expected == null ? "" : expected);
    }

    @Test
    void theSweepContinuesAfterTheLastSegmentOrAfterWhatRetentionRemoved() {
        List<StoredSegment> segments = List.of(new StoredSegment(10, 5, new byte[0]),
                new StoredSegment(15, 7, new byte[0]));

        assertThat(StoredSegment.endOf(segments, 100)).isEqualTo(22);
        assertThat(StoredSegment.endOf(List.of(), 100)).isEqualTo(100);
    }

    private static Run run(String notation) {
        String[] parts = notation.split("[-:/]");
        return new Run(Long.parseLong(parts[0]), Long.parseLong(parts[1]), parts[2], false, Long.parseLong(parts[3]));
    }

    private static long minutes(long minutes) {
        return Duration.ofMinutes(minutes).toNanos();
    }
}
