package io.queenmq.engine.simulation;

import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.simulation.store.LeaseEnd;
import io.queenmq.engine.simulation.store.LeaseSpan;
import io.queenmq.engine.simulation.store.Store;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * A lease does not expire if one request has completed all of its messages before, also if several of them have the same
 * transactionId. Acks contain transactionIds and not offsets, so this is the only way to check that each of these acks finished a message
 * of its own.
 */
final class AcknowledgedLeases {
    private record Leased(History.Request request, UUID leaseId, UUID partitionId) {}

    private final Store store;
    private final History history;
    private final Reverts reverts;
    private final Consumer<String> violations;

    AcknowledgedLeases(Store store, History history, Reverts reverts, Consumer<String> violations) {
        this.store = store;
        this.history = history;
        this.reverts = reverts;
        this.violations = violations;
    }

    void check() {
        Map<Leased, Set<Long>> completed = new HashMap<>();
        Map<Leased, Long> answered = new HashMap<>();
        for (History.Ack ack : history.acks()) {
            if (Boolean.TRUE.equals(ack.isAccepted) && ack.item.status() == AckItem.Status.COMPLETED
                    && !reverts.mayHaveLost(ack.askedNs, ack.answeredNs, ack.server)) {
                Leased leased = new Leased(ack.request, ack.item.leaseId(), ack.item.partitionId());
                completed.computeIfAbsent(leased, _ -> new HashSet<>()).add(ack.offset);
                answered.merge(leased, ack.answeredNs, Math::max);
            }
        }
        Map<String, LeaseSpan> expired = new HashMap<>();
        store.content().leases().stream().filter(lease -> lease.how() == LeaseEnd.EXPIRED)
                .forEach(lease -> expired.put(lease.leaseId() + "/" + lease.partitionId(), lease));
        completed.forEach((leased, offsets) -> {
            LeaseSpan lease = expired.get(leased.leaseId + "/" + leased.partitionId);
            if (lease != null && lease.endedAt() > World.epochMicros(answered.get(leased)) && isWhole(lease, offsets)) {
                violations.accept("the lease of %s from %d to %d expired after one request had completed all of its"
                        .formatted(lease.group(), lease.first(), lease.end()) + " messages");
            }
        });
    }

    private static boolean isWhole(LeaseSpan lease, Set<Long> offsets) {
        return LongStream.range(lease.first(), lease.end())
                .allMatch(offset -> !lease.covers(offset) || offsets.contains(offset));
    }
}
