package io.queenmq.engine.unit;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.connection.SqlFailure;
import io.queenmq.engine.numbers.PushRefusal;
import io.queenmq.engine.unit.UnitPlanner.Next;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The steps that follow from the answer for a transaction or a cycle. */
class UnitPlannerTest {
    private static final Set<UUID> PARTITIONS = Set.of(new UUID(0, 1));

    static Stream<Arguments> rejections() {
        return Stream.of(Arguments.of(SqlFailure.PARTITION_MOVED, new Next.PrepareAgain(PARTITIONS)),
                Arguments.of(SqlFailure.LEASE_GONE, new Next.LeaseGone("why")),
                Arguments.of(SqlFailure.BUSY, new Next.Repeat("why")),
                Arguments.of(SqlFailure.OUTDATED, new Next.RefreshCatalog("why")),
                Arguments.of(SqlFailure.FULL, new Next.Reject(PushRefusal.FULL, "why")));
    }

    @ParameterizedTest
    @MethodSource("rejections")
    void aCallThatTookNoEffect(SqlFailure why, Next expected) {
        assertThat(UnitPlanner.onNotApplied(new UnitAnswer.NotApplied<>(why, "why", PARTITIONS))).isEqualTo(expected);
    }

    @Test
    void aUnitThatCannotBeEncryptedIsRejected() {
        assertThat(UnitPlanner.onNotEncrypted(new UnitAnswer.NotEncrypted<>("no key")))
                .isEqualTo(new Next.Reject(PushRefusal.ENCRYPTION, "no key"));
    }

    @Test
    void aUnitWithUnknownOutcomeIsRepeated() {
        assertThat(UnitPlanner.onUnknown(new UnitAnswer.Unknown<>("away"))).isEqualTo(new Next.Repeat("away"));
    }

    @ParameterizedTest(name = "waited {0} ms: {1} ms")
    @CsvSource({"0, 1", "4, 1", "40, 10", "400, 100", "4000, 100", "5000, 100"})
    void theDelayGrowsWithTheTimeAUnitHasWaited(long waitedMs, long delayMs) {
        assertThat(UnitPlanner.repeatDelayNs(waitedMs * 1_000_000, 5_000_000_000L)).hasValue(delayMs * 1_000_000);
    }

    @Test
    void aUnitThatHasWaitedForTooLongIsNotRepeated() {
        assertThat(UnitPlanner.repeatDelayNs(5_000_000_001L, 5_000_000_000L)).isEmpty();
    }
}
