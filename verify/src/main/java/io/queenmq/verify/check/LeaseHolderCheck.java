package io.queenmq.verify.check;

import io.queenmq.verify.check.Entry.Delivered;
import io.queenmq.verify.check.GroupPartition.Holding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * At most one consumer of a group has a lease on a partition. A lease is certain from the response of its pop until the requested
 * time after the begin of the pop, or until a request begins that may end it. Two certain times must not overlap.
 */
final class LeaseHolderCheck extends Check {
    private record Suspicion(GroupPartition group, String lease, String other, long line, long otherLine, long at) {}

    private final List<Suspicion> suspicions = new ArrayList<>();

    LeaseHolderCheck(Findings findings) {
        super("lease-holder", "At most one consumer of a group has a lease on a partition at a time.", findings);
    }

    @Override
    protected void read(Entry.Pop pop, Ledger ledger) {
        if (pop.isAutoAck() || pop.group().equals(Ledger.AUDIT)) {
            return;
        }
        Map<String, Delivered> partitions = new LinkedHashMap<>();
        pop.messages().forEach(each -> partitions.putIfAbsent(each.partitionId(), each));
        long from = pop.line().end();
        long until = pop.line().start() + (long) (pop.leaseSeconds() * 1_000_000);
        for (String partitionId : partitions.keySet()) {
            Partition partition = ledger.find(partitionId);
            if (partition == null) {
                continue;
            }
            Holding before = partition.group(pop.group()).holding();
            if (before == null || before.lease().equals(pop.lease())) {
                continue;
            }
            if (Math.max(before.from(), from) < Math.min(before.until(), until)
                    && !ledger.excuses().apply(FaultExemptions.LEASES, before.from(), from)
                    && !ledger.excuses().apply(FaultExemptions.CLOCK, before.from(), from)
                    && !ledger.excuses().apply(FaultExemptions.HISTORY, before.from(), from)) {
                suspicions.add(new Suspicion(partition.group(pop.group()), before.lease(), pop.lease(), before.line(),
                        pop.line().n(), from));
            }
        }
    }

    /** An ack that began before the second pop ended may have ended the first lease. */
    @Override
    protected void read(Entry.Acked ack, String group, Entry.Line line, Ledger ledger) {
        suspicions.removeIf(each -> each.lease.equals(ack.lease()) && line.start() < each.at);
    }

    @Override
    protected void read(Entry.Seek seek, Ledger ledger) {
        suspicions.removeIf(each -> each.group.group().equals(seek.group()) && seek.line().start() < each.at);
    }

    @Override
    protected void finish(Ledger ledger) {
        for (Suspicion each : suspicions) {
            Partition partition = each.group.partition();
            if (!ledger.queue(partition.queue()).isDeleted()) {
                findings.add(name(),
                        "partition " + partition.name() + " of queue " + partition.queue()
                                + " was leased to two consumers of group " + each.group.group() + " at a time: "
                                + each.lease + " and " + each.other,
                        Evidence.ofLeases(each.lease, each.other));
            }
        }
    }
}
