package io.queenmq.engine.pop;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Makes lease ids. A lease id is a fencing token, so nobody can guess one; and it begins like the id of the partition it was
 * made for, so that any server finds the partition by the lease id alone without an index on a column that moves.
 */
final class LeaseIds {
    private static final long PARTITION_BITS = 0xffff_ffff_ffff_0000L;

    private final RandomGenerator random;
    private final ByteBuffer pool = ByteBuffer.allocate(4096).limit(0);

    /** @param random one that nobody can predict */
    LeaseIds(RandomGenerator random) {
        this.random = random;
    }

    UUID next(UUID partitionId) {
        if (pool.remaining() < 16) {
            random.nextBytes(pool.array());
            pool.clear();
        }
        long high = partitionId.getMostSignificantBits() & PARTITION_BITS | 0x8000 | pool.getLong() & 0x0fff;
        long low = pool.getLong() & 0x3fff_ffff_ffff_ffffL | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    static boolean isMadeFor(UUID leaseId, UUID partitionId) {
        return ((leaseId.getMostSignificantBits() ^ partitionId.getMostSignificantBits()) & PARTITION_BITS) == 0;
    }
}
