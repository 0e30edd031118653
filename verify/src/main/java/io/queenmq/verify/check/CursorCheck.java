package io.queenmq.verify.check;

import io.queenmq.verify.check.Entry.Delivered;

/** A finished message is not delivered to its group again, unless a request moved the cursor. */
final class CursorCheck extends Check {
    /** An ack that was confirmed after a fault may have taken effect before it. */
    private static final long ACK_MICROS_MAX = 20_000_000;

    CursorCheck(Findings findings) {
        super("cursor",
                "A cursor never moves back by itself: a message whose ack was confirmed is not delivered again.",
                findings);
    }

    @Override
    protected void read(Entry.Pop pop, Ledger ledger) {
        for (Delivered each : pop.messages()) {
            Partition partition = ledger.find(each.partitionId());
            if (partition == null || pop.group().equals(Ledger.AUDIT)) {
                continue;
            }
            GroupPartition group = partition.group(pop.group());
            if (group.is(each.offset(), GroupPartition.FINISHED)
                    && group.finishedMicros(each.offset()) < pop.line().start() && group.movedAt() < pop.line().start()
                    && !ledger.excuses().apply(FaultExemptions.HISTORY,
                            group.finishedMicros(each.offset()) - ACK_MICROS_MAX,
                            group.finishedMicros(each.offset()))) {
                findings.add(name(),
                        "offset " + each.offset() + " of partition " + each.partition() + " of queue " + each.queue()
                                + " was delivered to group " + pop.group() + " again after its ack was confirmed",
                        Evidence.ofOffset(each.partitionId(), each.offset(), pop.group()));
            }
        }
    }
}
