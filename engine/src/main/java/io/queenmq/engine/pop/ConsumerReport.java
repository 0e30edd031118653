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
import org.jspecify.annotations.Nullable;

/**
 * The consumers of this server at one time, by queue and group. Contains no I/O. Bounded: consumers beyond the limit are not
 * reported.
 */
public final class ConsumerReport {
    static final int CONSUMERS_MAX = 2_000;
    static final int UNCONFIRMED_MAX = 500;

    /** The maximum time between two pops of a consumer that does not wait. */
    private static final long BETWEEN_POPS_NS = 3_000_000_000L;
    /** The time without confirmation after which the database is asked whether a lease is active. Most leases end before that. */
    private static final long UNCONFIRMED_AFTER_NS = 3_000_000_000L;
    /** A lease that was not confirmed for this time is not counted: it may have ended on another server. */
    private static final long COUNTED_FOR_NS = 10_000_000_000L;

    private final long nowNs;
    private final Map<Consumer, Count> counts = new LinkedHashMap<>();
    private final List<UnconfirmedLease> unconfirmed = new ArrayList<>();

    ConsumerReport(long nowNs) {
        this.nowNs = nowNs;
    }

    /** Adds waiting pops of a group. */
    void addWaiting(String queue, String group, int pops) {
        Count count = of(queue, group);
        if (count != null) {
            count.waiting += pops;
        }
    }

    /** Adds the consumer of a lease. */
    void addLease(UUID leaseId, Map<UUID, LeasedRange> partitions) {
        Set<String> queues = new HashSet<>(2);
        partitions.forEach((partitionId, range) -> {
            if (range.isEnded() || range.untilNs() - nowNs <= 0) {
                return;
            }
            if (nowNs - range.confirmedNs() > UNCONFIRMED_AFTER_NS && unconfirmed.size() < UNCONFIRMED_MAX) {
                unconfirmed.add(new UnconfirmedLease(leaseId, partitionId, range.group()));
            }
            Count count = nowNs - range.confirmedNs() > COUNTED_FOR_NS ? null : of(range.queue(), range.group());
            if (count != null) {
                count.leases += queues.add(range.queue()) ? 1 : 0;
                count.leasedForNs = Math.max(count.leasedForNs, range.untilNs() - nowNs);
            }
        });
    }

    /** Adds a group that popped recently: its consumer may be between two pops. */
    void addRecentPop(Backlog backlog) {
        if (backlog.isPoppedSince(nowNs - BETWEEN_POPS_NS)) {
            of(backlog.queueName(), backlog.group());
        }
    }

    boolean isEmpty() {
        return counts.isEmpty() && unconfirmed.isEmpty();
    }

    /** Returns the leases that the database should check, because they may have ended on another server. */
    List<UnconfirmedLease> unconfirmed() {
        return unconfirmed;
    }

    /** Adds the arguments of the routine report_presence after the first. */
    Tuple addTo(Tuple arguments) {
        return arguments.addValue(counts.keySet().stream().map(Consumer::queue).toArray(String[]::new))
                .addValue(counts.keySet().stream().map(Consumer::group).toArray(String[]::new))
                .addValue(numbers(count -> count.waiting)).addValue(numbers(count -> count.leases))
                .addValue(counts.values().stream().map(count -> count.leasedForNs / 1_000_000).toArray(Long[]::new))
                .addValue(unconfirmed.stream().map(UnconfirmedLease::leaseId).toArray(UUID[]::new))
                .addValue(unconfirmed.stream().map(UnconfirmedLease::partitionId).toArray(UUID[]::new))
                .addValue(unconfirmed.stream().map(UnconfirmedLease::group).toArray(String[]::new));
    }

    private Integer[] numbers(ToIntFunction<Count> part) {
        return counts.values().stream().map(part::applyAsInt).toArray(Integer[]::new);
    }

    /** Returns the counts of a consumer; null if there are too many consumers. */
    private @Nullable Count of(String queue, String group) {
        Consumer consumer = new Consumer(queue, group);
        Count count = counts.get(consumer);
        if (count == null && counts.size() < CONSUMERS_MAX) {
            count = new Count();
            counts.put(consumer, count);
        }
        return count;
    }

    private record Consumer(String queue, String group) {}

    /** A partition of a lease that may have ended. */
    record UnconfirmedLease(UUID leaseId, UUID partitionId, String group) {}

    private static final class Count {
        private int waiting;
        private int leases;
        private long leasedForNs;
    }
}
