package io.queenmq.schema;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** The request to lease a partition. */
record LeaseRequest(UUID partition, String group, UUID lease, int batch, int leaseS, int delayS, int windowS,
        int partitionLimit) {
    static LeaseRequest of(Partition partition, String group, int batch) {
        return new LeaseRequest(partition.id(), group, partition.newLeaseId(), batch, 60, 0, 0, 1000);
    }

    LeaseRequest forSeconds(int seconds) {
        return new LeaseRequest(partition, group, lease, batch, seconds, delayS, windowS, partitionLimit);
    }

    LeaseRequest delayedBy(int seconds) {
        return new LeaseRequest(partition, group, lease, batch, leaseS, seconds, windowS, partitionLimit);
    }

    LeaseRequest withWindow(int seconds) {
        return new LeaseRequest(partition, group, lease, batch, leaseS, delayS, seconds, partitionLimit);
    }

    /** Returns true if it is alone under its lease id, which begins like the partition id, and has no delays. */
    boolean isPlain(LeaseRequest... all) {
        return lease != null && delayS == 0 && windowS == 0
                && lease.getMostSignificantBits() >> 16 == partition.getMostSignificantBits() >> 16
                && Arrays.stream(all).filter(request -> lease.equals(request.lease)).count() == 1;
    }

    /** Returns true if it requests one partition or one message in total. */
    boolean isSole() {
        return batch == 1 || partitionLimit == 1;
    }

    LeaseRequest withPartitionLimit(int limit) {
        return new LeaseRequest(partition, group, lease, batch, leaseS, delayS, windowS, limit);
    }

    LeaseRequest as(UUID leaseId) {
        return new LeaseRequest(partition, group, leaseId, batch, leaseS, delayS, windowS, partitionLimit);
    }

    /** Returns the first arguments of the routine lease. */
    static List<?> arguments(Args<LeaseRequest> args) {
        return List.of(args.uuids(LeaseRequest::partition), args.texts(LeaseRequest::group),
                args.uuids(LeaseRequest::lease), args.ints(LeaseRequest::batch), args.ints(LeaseRequest::leaseS),
                args.ints(LeaseRequest::delayS), args.ints(LeaseRequest::windowS),
                args.ints(LeaseRequest::partitionLimit));
    }
}
