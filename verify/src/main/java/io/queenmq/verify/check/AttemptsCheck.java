package io.queenmq.verify.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.verify.check.Entry.Delivered;
import io.queenmq.verify.check.Entry.Outcome;

/** Deliveries are counted: a failure raises the attempt, and only the last attempt leads to the dead letters. */
final class AttemptsCheck extends Check {
    /** An attempt that was charged shortly before a crash may be lost. */
    private static final long COMMITTED_MICROS_MAX = 5_000_000;

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
            boolean isExcused = isExcused(Math.min(group.deliveredMicros(each.offset()), pop.line().start()), pop,
                    ledger);
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

    /** A crash of PostgreSQL between two deliveries may have lost the attempt of the first. */
    private static boolean isExcused(long deliveredMicros, Entry.Pop pop, Ledger ledger) {
        return ledger.excuses().apply(FaultExemptions.LEASES, deliveredMicros - COMMITTED_MICROS_MAX, pop.line().end())
                || ledger.excuses().apply(FaultExemptions.HISTORY, deliveredMicros - COMMITTED_MICROS_MAX,
                        pop.line().end());
    }

    @Override
    protected void read(Entry.Line line, Ledger ledger) {
        if (!line.op().equals("letters")) {
            return;
        }
        int attempts = 1 + ledger.queue(line.text("queue")).retryLimit();
        for (JsonNode each : line.node().path("letters")) {
            int counted = each.path("attempts").asInt();
            // A message of a batch whose last attempt expired with others is tried once more, alone.
            if (each.path("reason").asText().contains("retr") && (counted < attempts - 1 || counted > attempts + 1)) {
                findings.add(name(),
                        "message " + each.path("m").asLong() + " is a dead letter of group "
                                + each.path("group").asText() + " with " + counted + " attempts instead of " + attempts,
                        Evidence.ofMessage(each.path("m").asLong()));
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
