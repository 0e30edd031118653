package io.queenmq.schema;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** A partition that somebody wants to lease, and how. */
record Wish(UUID partition, String group, UUID lease, int batch, int leaseS, int delayS, int windowS,
        int partitionLimit) {
    static Wish of(Partition partition, String group, int batch) {
        return new Wish(partition.id(), group, partition.newLeaseId(), batch, 60, 0, 0, 1000);
    }

    Wish forSeconds(int seconds) {
        return new Wish(partition, group, lease, batch, seconds, delayS, windowS, partitionLimit);
    }

    Wish delayedBy(int seconds) {
        return new Wish(partition, group, lease, batch, leaseS, seconds, windowS, partitionLimit);
    }

    Wish withWindow(int seconds) {
        return new Wish(partition, group, lease, batch, leaseS, delayS, seconds, partitionLimit);
    }

    /** Alone under its lease id, which begins like the partition's, and without due times. */
    boolean isPlain(Wish... all) {
        return lease != null && delayS == 0 && windowS == 0
                && lease.getMostSignificantBits() >> 16 == partition.getMostSignificantBits() >> 16
                && Arrays.stream(all).filter(wish -> lease.equals(wish.lease)).count() == 1;
    }

    /** Wants one partition or one message in all. */
    boolean isSole() {
        return batch == 1 || partitionLimit == 1;
    }

    Wish withPartitionLimit(int limit) {
        return new Wish(partition, group, lease, batch, leaseS, delayS, windowS, limit);
    }

    Wish as(UUID leaseId) {
        return new Wish(partition, group, leaseId, batch, leaseS, delayS, windowS, partitionLimit);
    }

    /** Returns the first arguments of the routine lease. */
    static List<?> arguments(Args<Wish> args) {
        return List.of(args.uuids(Wish::partition), args.texts(Wish::group), args.uuids(Wish::lease),
                args.ints(Wish::batch),
                args.ints(Wish::leaseS), args.ints(Wish::delayS), args.ints(Wish::windowS),
                args.ints(Wish::partitionLimit));
    }
}
