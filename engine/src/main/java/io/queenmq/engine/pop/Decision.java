package io.queenmq.engine.pop;

import io.queenmq.engine.reply.Failure;
import java.util.List;

/** The next step of a pop. Made by {@link PopPlanner}, executed by {@link Pops}. */
sealed interface Decision {
    /** Lease these partitions, all of one shard. Never empty. */
    record Lease(List<GroupPartition> partitions) implements Decision {}

    /** Load from PostgreSQL which partitions of the backlog have messages, and plan again afterward. */
    record Scan(Backlog backlog) implements Decision {}

    /** Wait, and plan again when the reason no longer applies. */
    record Wait(Reason reason) implements Decision {}

    /** Read the messages of the acquired leases and deliver them. */
    record Fetch() implements Decision {}

    /** Answer that there is no message. */
    record Empty() implements Decision {}

    /** Answer with the failure. */
    record Fail(Failure failure) implements Decision {}

    /** The reason why a pop waits. */
    enum Reason {
        /** The subscription of its group has to be recorded first. */
        SUBSCRIPTION,
        /** A lease call of another pop for its partition and group is in flight. */
        PARTITION_IN_USE,
        /** There is no message. */
        MESSAGE,
        /** PostgreSQL is unavailable. */
        DATABASE
    }
}
