package io.queenmq.schema;

import java.util.UUID;

/** A partition that exists. */
record Partition(UUID queueId, String queue, UUID id, String name) {
    /** A lease id for this partition begins like the partition's id. */
    UUID newLeaseId() {
        var random = UUID.randomUUID();
        long high = id.getMostSignificantBits() & ~0xffffL | random.getMostSignificantBits() & 0xffffL;
        return new UUID(high, random.getLeastSignificantBits());
    }
}
