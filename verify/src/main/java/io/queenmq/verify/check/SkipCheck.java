package io.queenmq.verify.check;

import io.queenmq.verify.check.Entry.Delivered;
import io.queenmq.verify.check.Entry.Outcome;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Detects that a message is delivered to a group while an earlier one of its partition is unfinished. The ack of the earlier
 * message may have taken effect although its response is later in the history, so a suspicion is only confirmed at the end.
 */
abstract class SkipCheck extends Check {
    /** Offsets that were unfinished when a later one was delivered. */
    private record Suspicion(BitSet offsets, long popLine, long popEnd, long delivered) {}

    /** A response that was received so long after a fault may be of a request that began before it. */
    private static final long RESPONSE_MICROS_MAX = 30_000_000;

    private final Map<GroupPartition, Map<Long, Suspicion>> suspicions = new HashMap<>();

    SkipCheck(String name, String guarantee, Findings findings) {
        super(name, guarantee, findings);
    }

    protected abstract boolean appliesTo(QueueFacts queue, String group);

    @Override
    protected void read(Entry.Pop pop, Ledger ledger) {
        if (pop.group().equals(Ledger.AUDIT)) {
            return;
        }
        Map<String, Delivered> before = new LinkedHashMap<>();
        for (Delivered each : pop.messages()) {
            Delivered last = before.put(each.partitionId(), each);
            boolean isNext = last != null && each.offset() == last.offset() + 1;
            if (isNext || ledger.find(each.partitionId()) == null && each.offset() == 0
                    || !appliesTo(ledger.queue(each.queue()), pop.group())) {
                continue;
            }
            GroupPartition group = ledger.partition(each.partitionId(), each.queue(), each.partition())
                    .group(pop.group());
            int from = last == null ? group.low() : (int) last.offset() + 1;
            if (from < each.offset()) {
                suspect(group, from, each.offset(), pop.line());
            }
        }
    }

    private void suspect(GroupPartition group, int from, long delivered, Entry.Line line) {
        BitSet offsets = new BitSet();
        for (int offset = from; offset < delivered; offset++) {
            offsets.set(offset, !group.isSettled(offset));
        }
        if (!offsets.isEmpty()) {
            suspicions.computeIfAbsent(group, _ -> new HashMap<>()).putIfAbsent(delivered,
                    new Suspicion(offsets, line.n(), line.end(), delivered));
        }
    }

    @Override
    protected void read(Entry.Acked ack, String groupName, Entry.Line line, Ledger ledger) {
        Partition partition = ledger.find(ack.partitionId());
        if (partition == null || ack.outcome() == Outcome.REJECTED) {
            return;
        }
        GroupPartition group = partition.group(groupName);
        Map<Long, Suspicion> ofGroup = suspicions.get(group);
        if (ofGroup != null) {
            ofGroup.values().removeIf(each -> {
                if (line.start() < each.popEnd) {
                    each.offsets.clear((int) ack.offset());
                }
                return each.offsets.isEmpty();
            });
            if (ofGroup.isEmpty()) {
                suspicions.remove(group);
            }
        }
    }

    @Override
    protected void finish(Ledger ledger) {
        suspicions.forEach((group, ofGroup) -> ofGroup.values().forEach(each -> {
            // Messages whose last lease expired are dead without an ack.
            int offset = each.offsets.stream().filter(one -> !group.is(one, GroupPartition.DEAD)).findFirst()
                    .orElse(-1);
            Partition partition = group.partition();
            if (offset >= 0 && !ledger.queue(partition.queue()).isDeleted()
                    && !ledger.queue(partition.queue()).isRedriven() && !ledger.excuses().apply(FaultExemptions.HISTORY,
                            each.popEnd - RESPONSE_MICROS_MAX, each.popEnd)) {
                findings.add(name(),
                        "offset " + each.delivered + " of partition " + partition.name() + " of queue "
                                + partition.queue() + " was delivered to group " + group.group() + " while offset "
                                + offset + " was not finished",
                        Evidence.ofOffset(partition.id(), offset, group.group()).or(Evidence.ofLines(each.popLine)));
            }
        }));
    }
}
