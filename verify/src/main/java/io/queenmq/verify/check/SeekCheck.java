package io.queenmq.verify.check;

import io.queenmq.verify.check.Entry.Delivered;
import io.queenmq.verify.check.Entry.Outcome;
import java.util.HashMap;
import java.util.Map;

/** The first delivery after a seek is the first message at or after the requested position. Reads queues with {@code seeks}. */
final class SeekCheck extends Check {
    private final Map<String, Entry.Seek> pending = new HashMap<>();
    /** The creation time of each message of the queues with seeks, by partition and offset. */
    private final Map<String, Map<Long, Long>> created = new HashMap<>();

    SeekCheck(Findings findings) {
        super("seek", "After a seek, the group receives exactly the messages from the requested position on.",
                findings);
    }

    @Override
    protected void read(Entry.Seek seek, Ledger ledger) {
        if (seek.partition() != null) {
            String key = seek.group() + '\0' + seek.queue() + '\0' + seek.partition();
            if (seek.outcome() == Outcome.DONE) {
                pending.put(key, seek);
            } else if (seek.outcome() == Outcome.UNKNOWN) {
                pending.remove(key);
            }
        }
    }

    @Override
    protected void read(Entry.Pop pop, Ledger ledger) {
        for (Delivered each : pop.messages()) {
            if (!ledger.queue(each.queue()).hasSeeks()) {
                continue;
            }
            created.computeIfAbsent(each.partitionId(), _ -> new HashMap<>()).put(each.offset(), each.createdMicros());
            Entry.Seek seek = pending.get(pop.group() + '\0' + each.queue() + '\0' + each.partition());
            if (seek != null && pop.line().start() > seek.line().end()) {
                pending.remove(pop.group() + '\0' + each.queue() + '\0' + each.partition());
                check(seek, each, pop);
            }
        }
    }

    private void check(Entry.Seek seek, Delivered first, Entry.Pop pop) {
        long expected = seek.offset();
        Long after = seek.createdAfterMicros();
        if (after != null) {
            expected = created.getOrDefault(first.partitionId(), Map.of()).entrySet().stream()
                    .filter(each -> each.getValue() > after).mapToLong(Map.Entry::getKey).min().orElse(first.offset());
        }
        if (expected >= 0 && first.offset() != expected) {
            findings.add(name(),
                    "after the seek of group " + seek.group() + " in partition " + first.partition()
                            + " the first delivered offset is " + first.offset() + " instead of " + expected,
                    Evidence.ofLines(seek.line().n(), pop.line().n()));
        }
    }
}
