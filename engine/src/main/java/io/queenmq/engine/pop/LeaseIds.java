package io.queenmq.engine.pop;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Makes lease ids. A lease id is a fencing token, so clients must not be able to guess it. It begins like the id of the partition
 * for which it was made, so that any server finds the partition by the lease id, without an index on a frequently updated column.
 */
final class LeaseIds {
    private static final long PARTITION_BITS = 0xffff_ffff_ffff_0000L;

    private final RandomGenerator random;
    private final ByteBuffer randomBytes = ByteBuffer.allocate(4096).limit(0);

    /** @param random must be unpredictable */
    LeaseIds(RandomGenerator random) {
        this.random = random;
    }

    UUID next(UUID partitionId) {
        if (randomBytes.remaining() < 16) {
            random.nextBytes(randomBytes.array());
            randomBytes.clear();
        }
        long high = partitionId.getMostSignificantBits() & PARTITION_BITS | 0x8000 | randomBytes.getLong() & 0x0fff;
        long low = randomBytes.getLong() & 0x3fff_ffff_ffff_ffffL | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    static boolean isMadeFor(UUID leaseId, UUID partitionId) {
        return ((leaseId.getMostSignificantBits() ^ partitionId.getMostSignificantBits()) & PARTITION_BITS) == 0;
    }
}
