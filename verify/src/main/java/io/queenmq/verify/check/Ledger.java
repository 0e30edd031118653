package io.queenmq.verify.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.verify.check.Entry.Acked;
import io.queenmq.verify.check.Entry.Delivered;
import io.queenmq.verify.check.Entry.Outcome;
import io.queenmq.verify.check.Entry.Pushed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The state of a run as its history implies it. Checks read it before each entry is applied. */
final class Ledger {
    /** The group of the audit, which reads all stored messages at the end of the run. */
    static final String AUDIT = "verify-audit";

    private static final int LEASES_KEPT = 50_000;

    private final Messages messages = new Messages();
    private final FaultExemptions excuses = new FaultExemptions();
    private final Map<String, Partition> partitions = new LinkedHashMap<>();
    private final List<Partition> byNumber = new ArrayList<>();
    private final Map<String, QueueFacts> queues = new LinkedHashMap<>();
    private final Map<String, List<GroupPartition>> byLease = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, List<GroupPartition>> eldest) {
            return size() > LEASES_KEPT;
        }
    };
    private boolean isDrained;

    Messages messages() {
        return messages;
    }

    FaultExemptions excuses() {
        return excuses;
    }

    /** Returns true if consumers received all messages before the end of the run. */
    boolean isDrained() {
        return isDrained;
    }

    Iterable<Partition> partitions() {
        return byNumber;
    }

    Partition partition(int number) {
        return byNumber.get(number);
    }

    @Nullable
    Partition find(String partitionId) {
        return partitions.get(partitionId);
    }

    Partition partition(String partitionId, String queue, String name) {
        return partitions.computeIfAbsent(partitionId, id -> {
            Partition partition = new Partition(byNumber.size(), id, queue, name);
            byNumber.add(partition);
            return partition;
        });
    }

    QueueFacts queue(String name) {
        return queues.computeIfAbsent(name, each -> new QueueFacts(each, queues.size()));
    }

    Collection<QueueFacts> queues() {
        return queues.values();
    }

    void apply(Entry entry) {
        switch (entry) {
            case Entry.Push push -> push.items().forEach(item -> apply(item, push.line().start()));
            case Entry.Pop pop -> apply(pop);
            case Entry.Ack ack -> ack.items().forEach(item -> apply(item, ack.group(), ack.line()));
            case Entry.Transaction transaction -> {
                transaction.pushes().forEach(item -> apply(item, transaction.line().start()));
                transaction.acks().forEach(item -> apply(item, transaction.group(), transaction.line()));
            }
            case Entry.Renewal renewal -> apply(renewal);
            case Entry.Seek seek -> apply(seek);
            case Entry.Control control -> apply(control.line());
        }
    }

    private void apply(Entry.Renewal renewal) {
        if (renewal.outcome() == Outcome.REJECTED) {
            return;
        }
        long micros = (long) (renewal.seconds() * 1_000_000);
        long certain = renewal.outcome() == Outcome.DONE ? renewal.line().start() + micros : 0;
        forEachHolding(renewal.lease(), each -> each.extendTo(certain, renewal.line().end() + micros));
    }

    private void apply(Pushed item, long atMicros) {
        if (messages.is(item.m(), Messages.PUSHED)) {
            messages.set(item.m(), Messages.RETRIED);
        }
        messages.set(item.m(), Messages.PUSHED);
        messages.setQueue(item.m(), queue(item.queue()).number());
        if (item.isReused()) {
            messages.set(item.m(), Messages.REUSED);
        }
        switch (item.outcome()) {
            case DONE -> messages.setAccepted(item.m(), atMicros);
            case REJECTED -> messages.set(item.m(), Messages.REJECTED);
            case UNKNOWN -> messages.set(item.m(), Messages.UNKNOWN);
        }
        switch (item.status()) {
            case "buffered" -> messages.set(item.m(), Messages.BUFFERED);
            case "duplicate" -> messages.set(item.m(), Messages.DUPLICATE);
            case "queued" -> {
                if (item.offset() >= 0 && !item.partitionId().isEmpty()) {
                    Partition partition = partition(item.partitionId(), item.queue(), item.partition());
                    if (partition.messageAt(item.offset()) < 0) {
                        store(partition, item.offset(), item.m());
                    }
                }
            }
            default -> {
                // Not confirmed.
            }
        }
    }

    private void store(Partition partition, long offset, long m) {
        partition.setMessage(offset, m);
        messages.setPosition(m, partition, offset);
        messages.countCopy(m);
    }

    /** Records a delivered message. After a return of PostgreSQL to an earlier state, its offset may have had another one. */
    private void see(Delivered each, Partition partition) {
        long known = partition.messageAt(each.offset());
        if (known < 0) {
            store(partition, each.offset(), each.m());
        } else if (known != each.m() && excuses.apply(FaultExemptions.HISTORY, 0, Long.MAX_VALUE)) {
            store(partition, each.offset(), each.m());
            partition.groups().values().forEach(group -> group.forget(each.offset()));
        }
        messages.set(each.m(), Messages.SEEN);
    }

    private void apply(Entry.Pop pop) {
        Map<Partition, int[]> ranges = new LinkedHashMap<>();
        for (Delivered each : pop.messages()) {
            Partition partition = partition(each.partitionId(), each.queue(), each.partition());
            if (each.m() >= 0) {
                see(each, partition);
            }
            if (pop.group().equals(AUDIT)) {
                partition.setAudited();
                queue(each.queue()).countAudited();
                if (each.m() >= 0) {
                    messages.set(each.m(), Messages.AUDITED);
                }
                continue;
            }
            GroupPartition group = partition.group(pop.group());
            group.setDelivered(each.offset(), pop.line().start());
            group.setAttempt(each.offset(), each.attempt());
            if (pop.isAutoAck()) {
                group.setFinished(each.offset(), pop.line().end());
            }
            int[] range = ranges.computeIfAbsent(partition, _ -> new int[]{Integer.MAX_VALUE, 0});
            range[0] = Math.min(range[0], (int) each.offset());
            range[1] = Math.max(range[1], (int) each.offset() + 1);
        }
        if (!pop.isAutoAck() && !pop.lease().isEmpty()) {
            List<GroupPartition> leased = new ArrayList<>(ranges.size());
            long until = pop.line().start() + (long) (pop.leaseSeconds() * 1_000_000);
            ranges.forEach((partition, range) -> {
                GroupPartition group = partition.group(pop.group());
                GroupPartition.Holding last = group.holding();
                if (last != null && until < last.from()) {
                    // The response of an older lease was delayed.
                    return;
                }
                group.setHolding(new GroupPartition.Holding(pop.lease(), pop.line().n(), pop.line().end(), until,
                        pop.line().end() + (long) (pop.leaseSeconds() * 1_000_000), range[0], range[1]));
                leased.add(group);
            });
            byLease.put(pop.lease(), leased);
        }
    }

    private void apply(Acked item, String group, Entry.Line line) {
        Partition partition = partitions.get(item.partitionId());
        if (partition == null) {
            return;
        }
        GroupPartition state = partition.group(group);
        if (state.holding() != null && state.holding().lease().equals(item.lease())) {
            state.holding().endAt(line.start());
        }
        boolean isPositive = item.status().equals("completed");
        switch (item.outcome()) {
            case DONE -> {
                if (item.isDead() || item.status().equals("dlq")) {
                    state.set(item.offset(), GroupPartition.DEAD);
                } else if (isPositive) {
                    state.setFinished(item.offset(), line.end());
                } else {
                    state.set(item.offset(), GroupPartition.FAILED);
                }
            }
            // A negative ack whose outcome is unknown may have moved the message to the dead letters.
            case UNKNOWN -> state.set(item.offset(), GroupPartition.PERHAPS_FINISHED);
            case REJECTED -> {
                // Nothing happened.
            }
        }
    }

    private void apply(Entry.Seek seek) {
        if (seek.outcome() == Outcome.REJECTED) {
            return;
        }
        for (Partition partition : byNumber) {
            if (partition.queue().equals(seek.queue())
                    && (seek.partition() == null || seek.partition().equals(partition.name()))) {
                partition.group(seek.group()).reset(seek.line().end());
            }
        }
    }

    private void apply(Entry.Line line) {
        excuses.read(line);
        switch (line.op()) {
            case "queue", "group", "delete-queue", "redrive", "audit" -> queue(line.text("queue")).read(line);
            case "letters" -> letters(line);
            case "drain" -> isDrained = line.node().path("complete").asBoolean();
            default -> {
                // Read by a check, or information for readers.
            }
        }
    }

    /** The dead letters of a queue at the end of the run: their groups do not finish them. */
    private void letters(Entry.Line line) {
        for (JsonNode each : line.node().path("letters")) {
            Partition partition = partitions.get(each.path("partitionId").asText());
            long m = each.path("m").asLong(-1);
            if (partition == null || m < 0) {
                continue;
            }
            for (int offset = 0; offset < partition.end(); offset++) {
                if (partition.messageAt(offset) == m) {
                    partition.group(each.path("group").asText()).set(offset, GroupPartition.DEAD);
                }
            }
        }
    }

    private void forEachHolding(String lease, Consumer<GroupPartition.Holding> consumer) {
        for (GroupPartition each : byLease.getOrDefault(lease, List.of())) {
            GroupPartition.Holding holding = each.holding();
            if (holding != null && holding.lease().equals(lease)) {
                consumer.accept(holding);
            }
        }
    }
}
