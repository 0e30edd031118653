package io.queenmq.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class LeasesTest {
    private static final UUID LEASE = new UUID(1, 1);
    private static final UUID PARTITION = new UUID(2, 1);
    private static final UUID OTHER_PARTITION = new UUID(2, 2);
    private static final long SECOND = 1_000_000_000;

    private final Leases leases = new Leases();

    @Test
    void aLeaseIsFoundByItsIdAndPartition() {
        LeasedRange range = until(10);
        leases.add(LEASE, PARTITION, range);

        assertThat(leases.find(LEASE, PARTITION)).isSameAs(range);
        assertThat(leases.find(LEASE, OTHER_PARTITION)).isNull();
        assertThat(leases.find(new UUID(1, 2), PARTITION)).isNull();
    }

    @Test
    void aLeaseOfSeveralPartitionsCountsOnce() {
        leases.add(LEASE, PARTITION, until(10));
        leases.add(LEASE, OTHER_PARTITION, until(10));
        leases.add(LEASE, PARTITION, until(20));

        assertThat(leases.count()).isEqualTo(1);
        assertThat(leases.partitionCount()).isEqualTo(2);
        assertThat(leases.partitionsOf(LEASE)).containsOnlyKeys(PARTITION, OTHER_PARTITION);
    }

    @Test
    void aLeaseEndsWithItsLastPartition() {
        leases.add(LEASE, PARTITION, until(10));
        leases.add(LEASE, OTHER_PARTITION, until(10));

        leases.remove(LEASE, PARTITION);
        assertThat(leases.count()).isEqualTo(1);
        leases.remove(LEASE, OTHER_PARTITION);
        leases.remove(LEASE, OTHER_PARTITION);

        assertThat(leases.count()).isZero();
        assertThat(leases.partitionCount()).isZero();
    }

    @Test
    void expiredPartitionsAreRemovedAndOthersStay() {
        leases.add(LEASE, PARTITION, until(10));
        leases.add(LEASE, OTHER_PARTITION, until(20));
        leases.add(new UUID(1, 2), PARTITION, until(10));

        leases.removeExpired(10 * SECOND);
        assertThat(leases.partitionCount()).as("a lease is valid until its end").isEqualTo(3);
        leases.removeExpired(10 * SECOND + 1);

        assertThat(leases.partitionsOf(LEASE)).containsOnlyKeys(OTHER_PARTITION);
        assertThat(leases.count()).isEqualTo(1);
        assertThat(leases.partitionCount()).isEqualTo(1);
    }

    @Test
    void leasesExpireAcrossAnOverflowOfTheClock() {
        long nearEnd = Long.MAX_VALUE - 5;
        leases.add(LEASE, PARTITION, new LeasedRange("billing", "orders", "a", nearEnd, nearEnd + 10));

        leases.removeExpired(nearEnd);
        assertThat(leases.count()).isEqualTo(1);
        leases.removeExpired(nearEnd + 11);
        assertThat(leases.count()).isZero();
    }

    @Test
    void theOldestLeasesAreEvictedBeyondTheBound() {
        for (int i = 0; i <= Leases.PARTITIONS_MAX; i++) {
            leases.add(new UUID(1, i), PARTITION, until(10));
        }

        assertThat(leases.partitionCount()).isEqualTo(Leases.PARTITIONS_MAX);
        assertThat(leases.find(new UUID(1, 0), PARTITION)).isNull();
        assertThat(leases.find(new UUID(1, 1), PARTITION)).isNotNull();
    }

    @Test
    void aLeaseThatEndedOnAnotherServerIsKeptForAtMostAMinute() {
        LeasedRange longer = until(3_600);
        longer.end(100 * SECOND);
        assertThat(longer.isEnded()).isTrue();
        assertThat(longer.untilNs()).isEqualTo(160 * SECOND);

        LeasedRange shorter = until(110);
        shorter.end(100 * SECOND);
        assertThat(shorter.untilNs()).isEqualTo(110 * SECOND);
    }

    @Test
    void anOffsetIsFoundByTheHashOfItsTransactionId() {
        LeasedRange range = until(10);
        range.add(new long[]{70, 71, 72, 73}, 1, 3, 500);
        range.add(new long[]{90}, 0, 1, 800);

        assertThat(range.find(71)).isEqualTo(500);
        assertThat(range.find(72)).isEqualTo(501);
        assertThat(range.find(90)).isEqualTo(800);
        assertThat(range.find(70)).as("before the range").isEqualTo(-1);
        assertThat(range.find(73)).as("after the range").isEqualTo(-1);
    }

    private static LeasedRange until(long seconds) {
        return new LeasedRange("billing", "orders", "a", 0, seconds * SECOND);
    }
}
