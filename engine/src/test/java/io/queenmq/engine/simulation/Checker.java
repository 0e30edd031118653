package io.queenmq.engine.simulation;

import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.simulation.store.LeaseEnd;
import io.queenmq.engine.simulation.store.LeaseSpan;
import io.queenmq.engine.simulation.store.Store;
import io.queenmq.engine.simulation.store.StoredContent;
import io.queenmq.engine.simulation.store.StoredMessage;
import io.queenmq.schema.Shards;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks each guarantee: compares the responses to clients with the content of the database. */
final class Checker {
    private static final long AT_ONCE_NS = 2_000_000_000L;
    /** A pop may be calling a failing shard for partitions, for a lease and for messages; each call fails after 3 s. */
    private static final long POP_DELAY_NS = 10_000_000_000L;

    private final Simulation simulation;
    private final Store store;
    private final History history;
    private final Leftovers leftovers;
    private final List<String> violations = new ArrayList<>();
    private final Map<UUID, StoredMessage> byId = new HashMap<>();
    private final Map<UUID, StoredMessage> lost;
    private final Reverts reverts;
    /** Partitions and transactionIds with several stored messages. */
    private final Set<String> reused = new HashSet<>();

    Checker(Simulation simulation, Store store, History history, Leftovers leftovers) {
        this.simulation = simulation;
        this.store = store;
        this.history = history;
        this.leftovers = leftovers;
        this.lost = store.content().lostMessages();
        this.reverts = simulation.postgres().reverts();
        Set<String> seen = new HashSet<>();
        store.content().messages().values().forEach(partition -> partition.forEach(message -> {
            byId.put(message.messageId(), message);
            String key = message.partitionId() + "/" + message.transactionId();
            if (!seen.add(key)) {
                reused.add(key);
            }
        }));
    }

    List<String> violations() {
        violations.addAll(history.violations());
        everyRequestIsAnsweredInTime();
        otherShardsDoNotWaitForAnUnavailableOne();
        new DuplicateChecker(simulation, store, history, this::wrong).check();
        new AcknowledgedLeases(store, history, reverts, this::wrong).check();
        partitionsKeepTheOrderOfPushes();
        deliveredMessagesAreStored();
        nothingFinishedIsDeliveredAgain();
        onlyStoredMessagesAreAcked();
        acceptedAcksAreStored();
        aPartitionHasOneLeaseAtATime();
        noUndeliveredMessageIsCharged();
        everyMessageIsReadAtTheEnd();
        everyTransferIsWhole();
        serversAreIdle();
        violations.addAll(new TransactionChecker(simulation, store, history).violations());
        return violations;
    }

    private void everyRequestIsAnsweredInTime() {
        for (History.Request request : history.requests()) {
            if (!request.server.isAlive()) {
                continue;
            }
            long openNs = simulation.world().nowNs() - request.askedNs;
            if (!request.isAnswered() && openNs > request.withinNs) {
                wrong("a %s requested at %s was never answered", request.what, time(request.askedNs));
            } else if (request.isAnswered() && request.answeredNs - request.askedNs > request.withinNs) {
                wrong("a %s requested at %s was answered after %s s", request.what, time(request.askedNs),
                        time(request.answeredNs - request.askedNs));
            }
        }
    }

    /**
     * While a shard is unavailable and there is no other fault, pushes and acks in other shards succeed promptly, and
     * no pop waits much longer than requested.
     */
    private void otherShardsDoNotWaitForAnUnavailableOne() {
        if (!simulation.plan().hasOnlyShardOutages()) {
            return;
        }
        Shards shards = new Shards(simulation.plan().shards());
        for (History.Push push : history.pushes()) {
            History.Request request = push.request;
            boolean isInAnotherShard = push.items.stream()
                    .noneMatch(item -> history.wasUnavailable(
                            shards.of(store.content().partitionId(item.queue(), item.partition())), request.askedNs,
                            endOf(request)));
            if (isInAnotherShard && (request.failure != null || endOf(request) - request.askedNs > AT_ONCE_NS)) {
                wrong("a push requested at %s, in available shards, took %s s and failed by %s", time(request.askedNs),
                        time(endOf(request) - request.askedNs), request.failure);
            }
        }
        for (History.Ack ack : history.acks()) {
            long endNs = ack.answeredNs == 0 ? simulation.world().nowNs() : ack.answeredNs;
            if (endNs - ack.askedNs > AT_ONCE_NS
                    && !history.wasUnavailable(shards.of(ack.item.partitionId()), ack.askedNs, endNs)) {
                wrong("an ack requested at %s, in an available shard, took %s s", time(ack.askedNs),
                        time(endNs - ack.askedNs));
            }
        }
        for (History.Request request : history.requests()) {
            long askedForNs = request.withinNs - Simulation.ANSWER_WITHIN_NS;
            if (request.what.equals("pop") && endOf(request) - request.askedNs > askedForNs + POP_DELAY_NS) {
                wrong("a pop requested at %s with a wait of %s s took %s s", time(request.askedNs), time(askedForNs),
                        time(endOf(request) - request.askedNs));
            }
        }
    }

    private long endOf(History.Request request) {
        return request.isAnswered() ? request.answeredNs : simulation.world().nowNs();
    }

    /**
     * In a partition, messages of one request are in its order, and messages of a request that was sent after the
     * response to another one follow the messages of that. Messages in the spool of one server are ordered only
     * relative to those that this server accepts.
     */
    private void partitionsKeepTheOrderOfPushes() {
        Map<UUID, List<Placed>> partitions = new LinkedHashMap<>();
        int[] position = new int[1];
        forEachOutcome((item, outcome, request) -> {
            StoredMessage stored = byId.get(item.messageId());
            boolean isBuffered = outcome instanceof PushOutcome.Buffered;
            if ((outcome instanceof PushOutcome.Queued || isBuffered) && stored != null) {
                partitions.computeIfAbsent(stored.partitionId(), _ -> new ArrayList<>())
                        .add(new Placed(stored, request, position[0]++, isBuffered));
            }
        });
        for (List<Placed> partition : partitions.values()) {
            for (Placed earlier : partition) {
                for (Placed later : partition) {
                    boolean isBefore = earlier.request == later.request
                            ? earlier.position < later.position
                            : earlier.request.answeredNs < later.request.askedNs && (!earlier.isBuffered
                                    || earlier.request.server.spool() == later.request.server.spool());
                    if (isBefore && earlier.stored.offset() >= later.stored.offset()) {
                        wrong("%s was pushed before %s, but has offset %d after %d", earlier.stored.transactionId(),
                                later.stored.transactionId(), earlier.stored.offset(), later.stored.offset());
                    }
                }
            }
        }
    }

    private void deliveredMessagesAreStored() {
        Map<UUID, List<LeaseSpan>> leases = store.content().leases().stream()
                .collect(Collectors.groupingBy(LeaseSpan::leaseId));
        Map<UUID, List<LeaseSpan>> lostLeases = store.content().lostLeases().stream()
                .collect(Collectors.groupingBy(LeaseSpan::leaseId));
        for (History.Delivery delivery : history.deliveries()) {
            boolean mayBeLost = reverts.mayHaveLost(delivery.atNs(), delivery.atNs(), delivery.server());
            StoredMessage stored = byId.getOrDefault(delivery.messageId(),
                    mayBeLost ? lost.get(delivery.messageId()) : null);
            if (stored == null || stored.offset() != delivery.offset()
                    || !stored.partitionId().equals(delivery.partitionId())) {
                wrong("%s was delivered from offset %d, but is %s", delivery.transactionId(), delivery.offset(),
                        stored);
            }
            boolean isLeased = Stream
                    .concat(leases.getOrDefault(delivery.leaseId(), List.of()).stream(),
                            mayBeLost ? lostLeases.getOrDefault(delivery.leaseId(), List.of()).stream() : Stream.of())
                    .anyMatch(lease -> lease.partitionId().equals(delivery.partitionId())
                            && lease.group().equals(delivery.group()) && lease.covers(delivery.offset()));
            if (!isLeased) {
                wrong("%s was delivered under a lease that does not cover it", delivery.transactionId());
            }
        }
    }

    /** After its ack was accepted, a message is not delivered again, unless an operator seeks. */
    private void nothingFinishedIsDeliveredAgain() {
        Map<Position, List<History.Delivery>> deliveries = history.deliveries().stream()
                .collect(Collectors.groupingBy(Position::of));
        for (History.Ack ack : history.acks()) {
            if (!isFinal(ack)) {
                continue;
            }
            Position position = new Position(ack.item.partitionId(), ack.item.group(), ack.offset);
            for (History.Delivery delivery : deliveries.getOrDefault(position, List.of())) {
                if (delivery.askedNs() > ack.answeredNs
                        && !history.wasSought(ack.item.group(), ack.askedNs, delivery.atNs())) {
                    wrong("%s was delivered to %s after its ack was accepted", delivery.transactionId(),
                            delivery.group());
                }
            }
        }
    }

    /** A message that is not stored cannot be acknowledged, even if another one has its offset now. */
    private void onlyStoredMessagesAreAcked() {
        for (History.Ack ack : history.acks()) {
            boolean isStored = store.content().messages().getOrDefault(ack.item.partitionId(), List.of()).stream()
                    .anyMatch(message -> message.offset() == ack.offset
                            && message.transactionId().equals(ack.item.transactionId()));
            if (isFinal(ack) && !isStored) {
                wrong("the ack of %s at %d was accepted, and no such message is stored", ack.item.transactionId(),
                        ack.offset);
            }
        }
    }

    /** Returns false for acks that were accepted in a lost part of the history. */
    private boolean isFinal(History.Ack ack) {
        return Boolean.TRUE.equals(ack.isAccepted) && !reverts.mayHaveLost(ack.askedNs, ack.answeredNs, ack.server)
                && (ack.item.status() == AckItem.Status.COMPLETED || ack.isDead) && isUnambiguous(ack);
    }

    /** Returns true if only one message has the transactionId of the ack. */
    private boolean isUnambiguous(History.Ack ack) {
        return !reused.contains(ack.item.partitionId() + "/" + ack.item.transactionId());
    }

    /** A message of a partition, as delivered to a group. */
    private record Position(UUID partitionId, String group, long offset) {
        static Position of(History.Delivery delivery) {
            return new Position(delivery.partitionId(), delivery.group(), delivery.offset());
        }
    }

    private void acceptedAcksAreStored() {
        Map<String, StoredContent.CursorState> cursors = new HashMap<>();
        store.content().cursors().forEach(cursor -> cursors.put(cursor.partitionId() + "/" + cursor.group(), cursor));
        for (History.Ack ack : history.acks()) {
            StoredContent.CursorState cursor = cursors.get(ack.item.partitionId() + "/" + ack.item.group());
            if (isFinal(ack) && (cursor == null || !cursor.isFinished(ack.offset))
                    && !history.wasSought(ack.item.group(), ack.askedNs, Long.MAX_VALUE)) {
                wrong("the ack of %s was accepted, and the message is not finished", ack.item.transactionId());
            }
        }
        Set<String> dead = new HashSet<>();
        store.content().deadLetters()
                .forEach(letter -> dead.add(letter.partitionId() + "/" + letter.group() + "/" + letter.offset()));
        for (History.Ack ack : history.acks()) {
            if (ack.isDead && isFinal(ack)
                    && !dead.contains(ack.item.partitionId() + "/" + ack.item.group() + "/" + ack.offset)) {
                wrong("%s was reported as dead and is no dead letter", ack.item.transactionId());
            }
        }
    }

    private void aPartitionHasOneLeaseAtATime() {
        var leases = store.content().leases();
        for (int i = 0; i < leases.size(); i++) {
            for (int j = i + 1; j < leases.size(); j++) {
                var one = leases.get(i);
                var other = leases.get(j);
                boolean isSameCursor = one.partitionId().equals(other.partitionId())
                        && one.group().equals(other.group());
                if (isSameCursor && one.until() != null && !one.leaseId().equals(other.leaseId())) {
                    long over = one.endedAt() == null ? one.until() : Math.min(one.endedAt(), Long.MAX_VALUE);
                    if (other.givenAt() < over && one.givenAt() <= other.givenAt()) {
                        wrong("two live leases of %s in %s", one.group(), one.partitionId());
                    }
                }
            }
        }
    }

    /**
     * A lease may expire only if its messages reached a consumer. Two exceptions: a crashed server loses its pending
     * releases, and another server may detect the expiry of the lease before its owner releases it.
     */
    private void noUndeliveredMessageIsCharged() {
        if (simulation.plan().crashes() > 0 || simulation.plan().servers() > 1) {
            return;
        }
        Set<String> delivered = new HashSet<>();
        history.deliveries().forEach(each -> delivered.add(each.leaseId() + "/" + each.partitionId()));
        for (LeaseSpan lease : store.content().leases()) {
            if (lease.how() == LeaseEnd.EXPIRED && !delivered.contains(lease.leaseId() + "/" + lease.partitionId())) {
                wrong("a lease of %s expired and cost an attempt, but its messages from %d on were never delivered",
                        lease.group(), lease.first());
            }
        }
    }

    private void everyMessageIsReadAtTheEnd() {
        for (StoredContent.PartitionState partition : store.content().partitions()) {
            if (partition.queue().equals(Transferrer.TARGET)) {
                continue;
            }
            for (String group : simulation.readingGroups()) {
                long committed = store.content().cursors().stream()
                        .filter(cursor -> cursor.partitionId().equals(partition.id()) && cursor.group().equals(group))
                        .mapToLong(StoredContent.CursorState::committed).findFirst().orElse(0);
                if (committed < partition.head()
                        && history.deliveries().stream().anyMatch(d -> d.group().equals(group))) {
                    wrong("%s has read %s/%s up to %d of %d only, though there was no obstacle", group,
                            partition.queue(), partition.name(), committed, partition.head());
                }
            }
        }
    }

    /** Every message that the transferring group finished produced exactly one message, and a dead letter none. */
    private void everyTransferIsWhole() {
        Map<String, Integer> made = new HashMap<>();
        Set<UUID> dead = new HashSet<>();
        store.content().deadLetters().stream().filter(letter -> letter.group().equals(Plan.TRANSFER_GROUP))
                .forEach(letter -> store.content().messages().get(letter.partitionId()).stream()
                        .filter(message -> message.offset() == letter.offset())
                        .forEach(message -> dead.add(message.messageId())));
        byId.values().stream().filter(message -> message.queue().equals(Transferrer.TARGET))
                .forEach(message -> made.merge(message.transactionId(), 1, Integer::sum));
        for (StoredContent.CursorState cursor : store.content().cursors()) {
            if (!cursor.group().equals(Plan.TRANSFER_GROUP)) {
                continue;
            }
            for (StoredMessage message : store.content().messages().getOrDefault(cursor.partitionId(), List.of())) {
                int count = made.getOrDefault(Transferrer.transactionIdFor(message.messageId().toString()), 0);
                boolean isFinished = cursor.isFinished(message.offset());
                int expected = isFinished && !dead.contains(message.messageId()) ? 1 : 0;
                if (count != expected) {
                    wrong("%s is %s by the transfer, but produced %d messages", message.transactionId(),
                            isFinished ? "finished" : "not finished", count);
                }
            }
        }
    }

    private void serversAreIdle() {
        leftovers.list().forEach(left -> wrong("leftover: %s", left));
        for (SimulatedServer server : simulation.servers()) {
            if (!server.isServing()) {
                wrong("a server has not restarted, though there is no obstacle");
                continue;
            }
            if (server.engine().spool().pending() > 0) {
                wrong("a server has %d messages left in its spool", server.engine().spool().pending());
            }
            if (!server.engine().status().isDatabaseConnected()
                    || !server.engine().status().shardProblems().isEmpty()) {
                wrong("a server has no connection, though there is no obstacle");
            }
        }
    }

    private interface OutcomeVisitor {
        void visit(PushItem item, PushOutcome outcome, History.Request request);
    }

    private void forEachOutcome(OutcomeVisitor visitor) {
        for (History.Push push : history.pushes()) {
            for (int i = 0; push.outcomes != null && i < push.items.size(); i++) {
                visitor.visit(push.items.get(i), push.outcomes.get(i), push.request);
            }
        }
    }

    private void wrong(String text, Object... arguments) {
        violations.add(text.formatted(arguments));
    }

    private static String time(long ns) {
        return "%.3f".formatted(ns / 1e9);
    }

    private record Placed(StoredMessage stored, History.Request request, int position, boolean isBuffered) {}
}
