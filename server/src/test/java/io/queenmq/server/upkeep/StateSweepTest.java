package io.queenmq.server.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.cipher.Reencryption.Policy;
import io.queenmq.server.upkeep.FullSweeps.Place;
import io.queenmq.server.upkeep.StateSweep.Action;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StateSweepTest {
    private static final Place PLACE = new Place(UUID.randomUUID(), "queen_00");

    private final FullSweeps sweeps = new FullSweeps();

    /** This server has the keys new and old, and new is the current one. */
    @ParameterizedTest(name = "{0}, rewriting {1}: {2}")
    @CsvSource({"new,     true,  NONE", "new,     false, NONE", "old,     true,  REENCRYPT", "old,     false, COUNT",
        "foreign, true,  COUNT", "foreign, false, COUNT"})
    void onlyValuesOfAnotherKeyOfThisServerAreEncryptedAgain(String keyId, boolean isRewriting, Action action) {
        assertThat(Action.of(keyId, "new", List.of("new", "old"), new Policy(isRewriting, false))).isEqualTo(action);
    }

    @Test
    void theFirstSweepIsDueAtOnce() {
        assertThat(sweeps.isDue(PLACE, -7)).isTrue();
    }

    @ParameterizedTest(name = "{0} minutes after the start of the last one, values left {1}: {2}")
    @CsvSource({"0, false, false", "59, false, false", "60, false, true", "0, true, true"})
    void theNextSweepIsDueInAnHourUnlessValuesAreLeft(long minutes, boolean areLeft, boolean isDue) {
        sweeps.ended(PLACE, minutes(5), areLeft);

        assertThat(sweeps.isDue(PLACE, minutes(5 + minutes))).isEqualTo(isDue);
        assertThat(sweeps.isDue(new Place(PLACE.queueId(), "queen_01"), minutes(5))).as("another shard").isTrue();
    }

    @Test
    void valuesAndBytesAreCountedByKey() {
        OtherKeys others = new OtherKeys();
        others.add("old", 10);
        others.add("foreign", 5);
        others.add("old", 7);

        assertThat(others.keyIds()).containsExactly("foreign", "old");
        assertThat(others.counts()).containsExactly(1L, 2L);
        assertThat(others.bytes()).containsExactly(5L, 17L);
    }

    @ParameterizedTest(name = "keys of this server {0}: {1}")
    @CsvSource({"new old, true", "new, false", "'', false"})
    void valuesAreLeftIfThisServerHasTheirKey(String keyIds, boolean areLeft) {
        OtherKeys others = new OtherKeys();
        others.add("old", 10);
        others.add("foreign", 5);

        assertThat(others.containsAny(List.of(keyIds.split(" ")))).isEqualTo(areLeft);
    }

    private static long minutes(long minutes) {
        return Duration.ofMinutes(minutes).toNanos();
    }
}
