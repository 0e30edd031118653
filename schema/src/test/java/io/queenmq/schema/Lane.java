package io.queenmq.schema;

import java.util.UUID;

/** A lane that exists. */
record Lane(UUID queueId, String queue, UUID id, String name) {
    /** A lease id for this lane begins like the lane's id. */
    UUID newLeaseId() {
        var random = UUID.randomUUID();
        long high = id.getMostSignificantBits() & ~0xffffL | random.getMostSignificantBits() & 0xffffL;
        return new UUID(high, random.getLeastSignificantBits());
    }
}
