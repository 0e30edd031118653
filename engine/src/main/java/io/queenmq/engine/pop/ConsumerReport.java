package io.queenmq.engine.pop;

import io.queenmq.engine.lease.LeasedRange;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.ToIntFunction;

/**
 * Who consumes on this server at one moment, by queue and group. Pure: it is told what there is, and says what to report.
 * Bounded; who comes first counts.
 */
public final class ConsumerReport {
    static final int READERS_MAX = 2_000;
    static final int DOUBTS_MAX = 500;

    /** A consumer that does not wait is between two pops for no longer than this. */
    private static final long BETWEEN_POPS_NS = 3_000_000_000L;
    /** Most leases are over by then, and need not be asked for. */
    private static final long DOUBTED_AFTER_NS = 3_000_000_000L;
    /** A lease that nobody has confirmed for so long does not count: its end may have been told to another server. */
    private static final long BELIEVED_FOR_NS = 10_000_000_000L;

    private final long nowNs;
    private final Map<Reader, Count> counts = new LinkedHashMap<>();
    private final List<Doubt> doubts = new ArrayList<>();

    ConsumerReport(long nowNs) {
        this.nowNs = nowNs;
    }

    /** So many pops wait. */
    void waits(String queue, String group, int pops) {
        Count count = of(queue, group);
        if (count != null) {
            count.waiting += pops;
        }
    }

    /** Somebody holds partitions. */
    void holds(UUID leaseId, Map<UUID, LeasedRange> partitions) {
        Set<String> queues = new HashSet<>(2);
        partitions.forEach((partitionId, range) -> {
            if (range.isOver() || range.untilNs() - nowNs <= 0) {
                return;
            }
            if (nowNs - range.heardOfNs() > DOUBTED_AFTER_NS && doubts.size() < DOUBTS_MAX) {
                doubts.add(new Doubt(leaseId, partitionId, range.group()));
            }
            Count count = nowNs - range.heardOfNs() > BELIEVED_FOR_NS ? null : of(range.queue(), range.group());
            if (count != null) {
                count.leases += queues.add(range.queue()) ? 1 : 0;
                count.leasedForNs = Math.max(count.leasedForNs, range.untilNs() - nowNs);
            }
        });
    }

    /** Somebody who neither waits nor holds anything may be between two pops. */
    void popped(Backlog backlog) {
        if (backlog.isPoppedSince(nowNs - BETWEEN_POPS_NS)) {
            of(backlog.queueName(), backlog.group());
        }
    }

    boolean isNobody() {
        return counts.isEmpty() && doubts.isEmpty();
    }

    /** The leases of which it is worth asking whether they are over. */
    List<Doubt> doubts() {
        return doubts;
    }

    /** The arguments of the routine report_presence after the first. */
    Tuple addTo(Tuple arguments) {
        return arguments.addValue(counts.keySet().stream().map(Reader::queue).toArray(String[]::new))
                .addValue(counts.keySet().stream().map(Reader::group).toArray(String[]::new))
                .addValue(numbers(count -> count.waiting))
                .addValue(numbers(count -> count.leases))
                .addValue(counts.values().stream().map(count -> count.leasedForNs / 1_000_000).toArray(Long[]::new))
                .addValue(doubts.stream().map(Doubt::leaseId).toArray(UUID[]::new))
                .addValue(doubts.stream().map(Doubt::partitionId).toArray(UUID[]::new))
                .addValue(doubts.stream().map(Doubt::group).toArray(String[]::new));
    }

    private Integer[] numbers(ToIntFunction<Count> part) {
        return counts.values().stream().map(part::applyAsInt).toArray(Integer[]::new);
    }

    /** Null when too many are known already. */
    private Count of(String queue, String group) {
        Reader reader = new Reader(queue, group);
        Count count = counts.get(reader);
        if (count == null && counts.size() < READERS_MAX) {
            count = new Count();
            counts.put(reader, count);
        }
        return count;
    }

    private record Reader(String queue, String group) {}

    /** A partition of a lease that may be over. */
    record Doubt(UUID leaseId, UUID partitionId, String group) {}

    private static final class Count {
        private int waiting;
        private int leases;
        private long leasedForNs;
    }
}
