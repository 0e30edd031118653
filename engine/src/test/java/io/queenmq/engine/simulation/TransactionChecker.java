package io.queenmq.engine.simulation;

import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.simulation.store.Store;
import io.queenmq.engine.simulation.store.StoredMessage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Checks transactions over several partitions: they are stored as a whole, and block no other partition. */
final class TransactionChecker {
    /** A partition may have been locked just before the push, which is retried after half a second. */
    private static final long SETTLES_WITHIN_NS = 1_000_000_000L;
    private static final long PROMPT_NS = 1_000_000_000L;

    private final Simulation simulation;
    private final Store store;
    private final History history;
    private final List<String> violations = new ArrayList<>();

    TransactionChecker(Simulation simulation, Store store, History history) {
        this.simulation = simulation;
        this.store = store;
        this.history = history;
    }

    List<String> violations() {
        if (simulation.plan().operators() == 0) {
            transactionsAreWhole();
        }
        if (simulation.plan().hasOnlyLocks()) {
            lockedPartitionsBlockNoOther();
        }
        return violations;
    }

    private void transactionsAreWhole() {
        Set<String> stored = new HashSet<>();
        for (List<StoredMessage> partition : store.content().messages().values()) {
            partition.forEach(message -> stored.add(message.transactionId()));
        }
        for (History.Push push : history.pushes()) {
            long found = push.items.stream().map(PushItem::transactionId).filter(stored::contains).count();
            if (push.isTransaction && found > 0 && found < push.items.size()) {
                violations.add("of the %d messages of a transaction, %d are stored: %s".formatted(push.items.size(),
                        found, push.items.getFirst().transactionId()));
            }
        }
    }

    private void lockedPartitionsBlockNoOther() {
        for (History.Push push : history.pushes()) {
            History.Request request = push.request;
            long endNs = request.isAnswered() ? request.answeredNs : simulation.world().nowNs();
            boolean isFree = push.items.stream().noneMatch(item -> wasLocked(item, request.askedNs, endNs));
            if (isFree && (endNs - request.askedNs > PROMPT_NS || request.failure != null)) {
                violations.add("a %s to partitions that nothing locked took %d ms and failed by %s"
                        .formatted(request.what, (endNs - request.askedNs) / 1_000_000, request.failure));
            }
        }
    }

    private boolean wasLocked(PushItem item, long fromNs, long toNs) {
        UUID partition = store.content().partitionId(item.queue(), item.partition());
        return partition != null && history.wasLocked(partition, fromNs - SETTLES_WITHIN_NS, toNs);
    }
}
