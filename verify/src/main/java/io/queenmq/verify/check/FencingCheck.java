package io.queenmq.verify.check;

import io.queenmq.verify.check.Entry.Outcome;
import io.queenmq.verify.check.GroupPartition.Holding;
import java.util.ArrayList;
import java.util.List;

/** An ack under a lease that has expired, or that another consumer has replaced, takes no effect. */
final class FencingCheck extends Check {
    private static final int SUSPICIONS_MAX = 1_000;
    /** An ack that begins so long after the latest possible end of its lease is late. */
    private static final long EXPIRED_MICROS_MIN = 250_000;

    private record Suspicion(GroupPartition group, long offset, String stale, String reason, long line, long end) {}

    private final List<Suspicion> suspicions = new ArrayList<>();

    FencingCheck(Findings findings) {
        super("fencing", "An ack or a transaction under a lease that has ended takes no effect.", findings);
    }

    @Override
    protected void read(Entry.Acked ack, String groupName, Entry.Line line, Ledger ledger) {
        Partition partition = ledger.find(ack.partitionId());
        if (partition == null) {
            return;
        }
        GroupPartition group = partition.group(groupName);
        // Another ack of the message that began earlier may have finished it; then this one confirms what is true.
        suspicions.removeIf(each -> each.group == group && each.offset == ack.offset() && line.start() < each.end);
        Holding current = group.holding();
        if (ack.outcome() != Outcome.DONE || current == null || ack.lease().isEmpty() || !current.contains(ack.offset())
                || group.isSettled(ack.offset())
                || ledger.excuses().apply(FaultExemptions.HISTORY, current.from(), line.end())
                || ledger.excuses().apply(FaultExemptions.CLOCK, current.from(), line.end())) {
            return;
        }
        boolean isReplaced = !current.lease().equals(ack.lease()) && current.from() < line.start()
                && line.end() < current.until();
        boolean isExpired = current.lease().equals(ack.lease()) && line.start() > current.latest() + EXPIRED_MICROS_MIN;
        if ((isReplaced || isExpired) && suspicions.size() < SUSPICIONS_MAX) {
            suspicions.add(new Suspicion(group, ack.offset(), ack.lease(),
                    isReplaced
                            ? "although lease " + current.lease() + " of another consumer had replaced it"
                            : "although the lease had expired",
                    line.n(), line.end()));
        }
    }

    @Override
    protected void finish(Ledger ledger) {
        for (Suspicion each : suspicions) {
            Partition partition = each.group.partition();
            if (isDead(each, ledger)) {
                // The message was already finished: an ack of it changes nothing and is confirmed.
                continue;
            }
            findings.add(name(),
                    "an ack under lease " + each.stale + " was confirmed for offset " + each.offset + " of partition "
                            + partition.name() + ", " + each.reason,
                    Evidence.ofLines(each.line).or(Evidence.ofOffset(partition.id(), each.offset, each.group.group())));
        }
    }

    private static boolean isDead(Suspicion each, Ledger ledger) {
        Partition partition = each.group.partition();
        return each.group.is(each.offset, GroupPartition.DEAD) || ledger.queue(partition.queue()).isRedriven()
                && ledger.messages().copies(partition.messageAt(each.offset)) > 1;
    }
}
