package io.queenmq.verify.check;

import io.queenmq.verify.check.Entry.Outcome;
import io.queenmq.verify.check.GroupPartition.Holding;
import java.util.ArrayList;
import java.util.List;

/** An ack under a lease that another consumer has replaced takes no effect. */
final class FencingCheck extends Check {
    private record Suspicion(GroupPartition group, long offset, String stale, String current, long line, long end) {}

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
        if (ack.outcome() == Outcome.DONE && current != null && !ack.lease().isEmpty()
                && !current.lease().equals(ack.lease()) && current.from() < line.start() && line.end() < current.until()
                && current.contains(ack.offset()) && !group.isSettled(ack.offset())
                && !ledger.excuses().apply(FaultExemptions.HISTORY, current.from(), line.end())
                && !ledger.excuses().apply(FaultExemptions.CLOCK, current.from(), line.end())) {
            suspicions.add(new Suspicion(group, ack.offset(), ack.lease(), current.lease(), line.n(), line.end()));
        }
    }

    @Override
    protected void finish(Ledger ledger) {
        for (Suspicion each : suspicions) {
            Partition partition = each.group.partition();
            findings.add(name(),
                    "an ack under lease " + each.stale + " was confirmed for offset " + each.offset + " of partition "
                            + partition.name() + ", although lease " + each.current
                            + " of another consumer had replaced it",
                    Evidence.ofLines(each.line).or(Evidence.ofLeases(each.stale, each.current)));
        }
    }
}
