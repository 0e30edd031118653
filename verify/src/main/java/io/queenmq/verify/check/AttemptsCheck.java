package io.queenmq.verify.check;

import io.queenmq.verify.check.Entry.Delivered;
import io.queenmq.verify.check.Entry.Outcome;

/** Deliveries are counted: a failure raises the attempt, and only the last attempt leads to the dead letters. */
final class AttemptsCheck extends Check {
    AttemptsCheck(Findings findings) {
        super("attempts",
                "Each failed delivery costs a message one attempt, and it is dead after 1 + retryLimit attempts.",
                findings);
    }

    @Override
    protected void read(Entry.Pop pop, Ledger ledger) {
        for (Delivered each : pop.messages()) {
            Partition partition = ledger.find(each.partitionId());
            if (pop.group().equals(Ledger.AUDIT) || pop.isAutoAck()) {
                continue;
            }
            int max = ledger.queue(each.queue()).retryLimit() + 2;
            if (each.attempt() < 1 || each.attempt() > max) {
                report(each, pop,
                        "was delivered with attempt " + each.attempt() + "; at most " + max + " are possible");
            }
            if (partition == null) {
                continue;
            }
            GroupPartition group = partition.group(pop.group());
            int before = group.attempt(each.offset());
            boolean isExcused = ledger.excuses().apply(FaultExemptions.LEASES, 0, pop.line().end())
                    || ledger.excuses().apply(FaultExemptions.HISTORY, 0, pop.line().end());
            GroupPartition.Holding last = group.holding();
            if (last != null && last.from() > pop.line().start()) {
                // The responses of two pops that ran at the same time may arrive in another order than their leases began.
                continue;
            }
            if (each.attempt() < before && !isExcused) {
                report(each, pop, "was delivered with attempt " + each.attempt() + " after attempt " + before);
            } else if (group.is(each.offset(), GroupPartition.FAILED) && each.attempt() <= before && !isExcused) {
                report(each, pop, "failed and was delivered with attempt " + each.attempt() + " again");
            }
        }
    }

    private void report(Delivered each, Entry.Pop pop, String text) {
        findings.add(name(),
                "offset " + each.offset() + " of partition " + each.partition() + " of queue " + each.queue() + " "
                        + text + " (group " + pop.group() + ")",
                Evidence.ofOffset(each.partitionId(), each.offset(), pop.group()));
    }

    @Override
    protected void read(Entry.Acked ack, String groupName, Entry.Line line, Ledger ledger) {
        Partition partition = ledger.find(ack.partitionId());
        if (partition == null || ack.outcome() != Outcome.DONE || !ack.isDead() || !ack.status().equals("failed")) {
            return;
        }
        GroupPartition group = partition.group(groupName);
        int attempts = 1 + ledger.queue(partition.queue()).retryLimit();
        if (group.attempt(ack.offset()) < attempts) {
            findings.add(name(),
                    "offset " + ack.offset() + " of partition " + partition.name() + " was moved to the dead"
                            + " letters of group " + groupName + " in attempt " + group.attempt(ack.offset()) + " of "
                            + attempts,
                    Evidence.ofOffset(ack.partitionId(), ack.offset(), groupName));
        }
    }
}
