package io.queenmq.engine.simulation;

import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.simulation.store.Store;
import io.queenmq.engine.simulation.store.StoredMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Checks the rule of duplicates: a message is not stored if and only if another one with its transactionId is stored
 * and their acceptance times differ by less than the window. Every other accepted message is stored once.
 */
final class DuplicateChecker {
    private static final long SECOND = 1_000_000;
    /** The tolerance for the check of a live push. */
    private static final long TOLERANCE = SECOND;
    /** Servers estimate PostgreSQL's clock for their spools, from calls that take up to four seconds. */
    private static final long SPOOL_TOLERANCE = 2_500_000;

    private final Simulation simulation;
    private final Store store;
    private final History history;
    private final ViolationReport violations;
    private final long window;
    private final Map<UUID, StoredMessage> lost;
    private final Reverts reverts;
    private final Map<UUID, StoredMessage> byId = new HashMap<>();
    private final Map<String, List<StoredMessage>> byTransactionId = new HashMap<>();

    /** Reports a violation. */
    interface ViolationReport {
        void add(String text, Object... arguments);
    }

    DuplicateChecker(Simulation simulation, Store store, History history, ViolationReport violations) {
        this.simulation = simulation;
        this.store = store;
        this.history = history;
        this.violations = violations;
        this.lost = store.content().lostMessages();
        this.reverts = simulation.postgres().reverts();
        this.window = simulation.plan().dedupWindowSeconds() * SECOND;
    }

    void check() {
        store.content().messages().values().forEach(partition -> partition.forEach(this::add));
        byTransactionId.values().forEach(this::areApart);
        for (History.Push push : history.pushes()) {
            for (int i = 0; push.outcomes != null && i < push.items.size(); i++) {
                PushItem item = push.items.get(i);
                switch (push.outcomes.get(i)) {
                    case PushOutcome.Queued _ -> isStored(item);
                    case PushOutcome.Buffered _ -> isStoredOrDuplicate(item, push.request);
                    case PushOutcome.Duplicate(_, var original) -> isDuplicate(item, push.request, original);
                    case PushOutcome.Failed _ -> {
                    }
                }
            }
        }
    }

    private void add(StoredMessage message) {
        StoredMessage before = byId.put(message.messageId(), message);
        // A call whose response is lost cannot be recognized if its messages are removed before that is detected.
        if (before != null && !history.wasRemoved(message.partitionId(), before.offset(), message.createdAt())) {
            violations.add("message %s, %s, is stored twice, at %d and %d", message.messageId(),
                    message.transactionId(), before.offset(), message.offset());
        }
        byTransactionId.computeIfAbsent(key(message.queue(), message.partition(), message.transactionId()),
                _ -> new ArrayList<>()).add(message);
    }

    private static String key(String queue, String partition, String transactionId) {
        return queue + "/" + partition + "/" + transactionId;
    }

    private void areApart(List<StoredMessage> messages) {
        for (StoredMessage later : messages) {
            for (StoredMessage earlier : messages) {
                if (earlier.offset() < later.offset() && Math.abs(later.acceptedAt() - earlier.acceptedAt()) < window
                        && !history.wasRemoved(later.partitionId(), earlier.offset(), later.createdAt())) {
                    violations.add("%s is stored twice in %s/%s, at %d and %d, accepted %.3f s apart",
                            later.transactionId(), later.queue(), later.partition(), earlier.offset(), later.offset(),
                            (later.acceptedAt() - earlier.acceptedAt()) / 1e6);
                }
            }
        }
    }

    private void isStored(PushItem item) {
        if (!byId.containsKey(item.messageId()) && !lost.containsKey(item.messageId())) {
            violations.add("%s was answered queued and is not stored", item.transactionId());
        }
    }

    private void isStoredOrDuplicate(PushItem item, History.Request request) {
        StoredMessage own = byId.get(item.messageId());
        if (own != null) {
            if (distance(own.acceptedAt(), request) > SPOOL_TOLERANCE) {
                violations.add("%s was buffered at %.3f and is stored as accepted at %.3f", item.transactionId(),
                        request.askedNs / 1e9, nsOf(own.acceptedAt()) / 1e9);
            }
            return;
        }
        boolean isDuplicate = byTransactionId
                .getOrDefault(key(item.queue(), item.partition(), item.transactionId()), List.of()).stream().anyMatch(
                        original -> window > 0 && distance(original.acceptedAt(), request) < window + SPOOL_TOLERANCE);
        if (!isDuplicate && !wasLost(item) && !simulation.setAside().contains(item.messageId())) {
            violations.add("%s was answered buffered at %.3f and is not stored", item.transactionId(),
                    request.askedNs / 1e9);
        }
    }

    /** Returns true if the message was lost, under its own id or the id of another one with its transactionId. */
    private boolean wasLost(PushItem item) {
        return lost.containsKey(item.messageId()) || lost.values().stream()
                .anyMatch(message -> key(message.queue(), message.partition(), message.transactionId())
                        .equals(key(item.queue(), item.partition(), item.transactionId())));
    }

    private void isDuplicate(PushItem item, History.Request request, UUID originalId) {
        boolean mayBeLost = reverts.mayHaveLost(request.askedNs, request.answeredNs, request.server);
        StoredMessage original = byId.getOrDefault(originalId, mayBeLost ? lost.get(originalId) : null);
        if (original == null || !original.transactionId().equals(item.transactionId())
                || !original.partition().equals(item.partition())) {
            violations.add("%s was answered duplicate of %s, which is %s", item.transactionId(), originalId, original);
        } else if (window == 0 || distance(original.acceptedAt(), request) >= window + TOLERANCE) {
            violations.add("%s was answered duplicate at %.3f of a message that was accepted at %.3f",
                    item.transactionId(), request.askedNs / 1e9, nsOf(original.acceptedAt()) / 1e9);
        }
    }

    /** Returns the distance of a time from the interval between a request and its response, in microseconds. */
    private long distance(long moment, History.Request request) {
        long at = nsOf(moment) / 1_000;
        return Math.max(0, Math.max(request.askedNs / 1_000 - at, at - request.answeredNs / 1_000));
    }

    private long nsOf(long moment) {
        return (moment - simulation.world().epochMicros()) * 1_000 + simulation.world().nowNs();
    }
}
