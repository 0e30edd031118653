package io.queenmq.verify.check;

import io.queenmq.verify.check.Entry.Delivered;
import io.queenmq.verify.check.Entry.Pushed;
import java.util.HashMap;
import java.util.Map;

/** Messages of a partition are stored in the order of their pushes and delivered in the order of their offsets. */
final class OrderCheck extends SkipCheck {
    /** The last confirmed push of a producer to a partition, in one period without a change of the server. */
    private record Last(long m, long offset, long end) {}

    private final Map<String, Last> lasts = new HashMap<>();

    OrderCheck(Findings findings) {
        super("order", "Messages of one producer and partition are stored in the order of their pushes, and a group"
                + " receives a partition in the order of its offsets.", findings);
    }

    @Override
    protected boolean appliesTo(QueueFacts queue, String group) {
        return queue.isComplete(group) && !queue.isRetained() && !queue.isExpiring();
    }

    @Override
    protected void read(Entry.Push push, Ledger ledger) {
        Map<String, Last> next = new HashMap<>();
        for (Pushed item : push.items()) {
            if (!item.status().equals("queued") || item.offset() < 0 || item.partitionId().isEmpty()) {
                continue;
            }
            String key = item.producer() + '\0' + item.partitionId();
            Last last = next.getOrDefault(key, lasts.get(key));
            boolean isSameRequest = next.containsKey(key);
            if (last != null && (isSameRequest || last.end < push.line().start()) && item.offset() <= last.offset
                    && !ledger.excuses().apply(FaultExemptions.HISTORY, last.end, push.line().end())) {
                findings.add(name(),
                        "message " + item.m() + " was pushed after message " + last.m
                                + " by the same producer, but stored before it: offset " + item.offset()
                                + " is not behind " + last.offset,
                        Evidence.ofMessage(item.m()).or(Evidence.ofMessage(last.m)));
            }
            next.put(key, new Last(item.m(), item.offset(), push.line().end()));
        }
        lasts.putAll(next);
    }

    @Override
    protected void read(Entry.Pop pop, Ledger ledger) {
        Map<String, Delivered> before = new HashMap<>();
        for (Delivered each : pop.messages()) {
            Delivered last = before.put(each.partitionId(), each);
            if (last != null && each.offset() <= last.offset()) {
                findings.add(name(),
                        "offset " + each.offset() + " of partition " + each.partition()
                                + " was delivered behind offset " + last.offset() + " in one response",
                        Evidence.ofLines(pop.line().n()));
            }
        }
        super.read(pop, ledger);
    }
}
