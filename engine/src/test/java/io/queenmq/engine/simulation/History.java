package io.queenmq.engine.simulation;

import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.reply.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The requests of clients and the responses, with times. Contains no internal events of servers. */
final class History {
    private static final long SETTLES_WITHIN_NS = 15_000_000_000L;

    private final List<Push> pushes = new ArrayList<>();
    private final List<Delivery> deliveries = new ArrayList<>();
    private final List<Ack> acks = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();
    private final List<Seek> seeks = new ArrayList<>();
    private final List<Removal> removals = new ArrayList<>();
    private final List<Unavailability> unavailabilities = new ArrayList<>();
    private final List<Lock> locks = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();

    List<Push> pushes() {
        return pushes;
    }

    List<Delivery> deliveries() {
        return deliveries;
    }

    List<Ack> acks() {
        return acks;
    }

    List<Request> requests() {
        return requests;
    }

    /** Records that only this shard was unavailable. */
    void away(int shard, long fromNs, long toNs) {
        unavailabilities.add(new Unavailability(shard, fromNs, toNs));
    }

    /** Returns true if the shard was unavailable at the time, or so recently that its connections may not be open again. */
    boolean wasUnavailable(int shard, long fromNs, long toNs) {
        return unavailabilities.stream().anyMatch(
                each -> each.shard == shard && each.fromNs <= toNs && each.toNs + SETTLES_WITHIN_NS >= fromNs);
    }

    private record Unavailability(int shard, long fromNs, long toNs) {}

    /** Records that another transaction of the database locked a partition. */
    void locked(UUID partition, long fromNs, long toNs) {
        locks.add(new Lock(partition, fromNs, toNs));
    }

    boolean wasLocked(UUID partition, long fromNs, long toNs) {
        return locks.stream()
                .anyMatch(each -> each.partition.equals(partition) && each.fromNs <= toNs && each.toNs >= fromNs);
    }

    private record Lock(UUID partition, long fromNs, long toNs) {}

    /** Records that an operator reset a group to the beginning of a queue. */
    void sought(String group, String queue, long atNs) {
        seeks.add(new Seek(group, queue, atNs));
    }

    boolean wasSought(String group, long fromNs, long toNs) {
        return seeks.stream().anyMatch(seek -> seek.group.equals(group) && seek.atNs >= fromNs && seek.atNs <= toNs);
    }

    private record Seek(String group, String queue, long atNs) {}

    /** Records that messages of a partition before this offset were removed. */
    void removed(UUID partition, long tail, long atMicros) {
        removals.add(new Removal(partition, tail, atMicros));
    }

    boolean wasRemoved(UUID partition, long offset, long beforeMicros) {
        return removals.stream().anyMatch(removal -> removal.partition.equals(partition) && removal.tail > offset
                && removal.atMicros <= beforeMicros);
    }

    private record Removal(UUID partition, long tail, long atMicros) {}

    /** Records a violation that was detected during the run. */
    void wrong(String what) {
        violations.add(what);
    }

    List<String> violations() {
        return violations;
    }

    /** A request: its time, its maximum duration, and the time of its response; 0 until then. */
    static final class Request {
        final String what;
        final SimulatedServer server;
        final long askedNs;
        final long withinNs;
        long answeredNs;
        Failure failure;

        Request(String what, SimulatedServer server, long askedNs, long withinNs) {
            this.what = what;
            this.server = server;
            this.askedNs = askedNs;
            this.withinNs = withinNs;
        }

        boolean isAnswered() {
            return answeredNs > 0;
        }
    }

    /** One push request; outcomes are null while they are unknown. */
    static final class Push {
        final List<PushItem> items;
        final Request request;
        List<PushOutcome> outcomes;
        boolean isTransaction;

        Push(List<PushItem> items, Request request) {
            this.items = items;
            this.request = request;
        }
    }

    /** One delivered message. */
    record Delivery(UUID partitionId, String group, long offset, UUID messageId, String transactionId, UUID leaseId,
            int retryCount, SimulatedServer server, long askedNs, long atNs) {}

    /** The ack of one message, and whether it was accepted; null while unknown. */
    static final class Ack {
        final Request request;
        final AckItem item;
        final SimulatedServer server;
        final long offset;
        final long askedNs;
        long answeredNs;
        Boolean isAccepted;
        boolean isDead;

        Ack(Request request, AckItem item, SimulatedServer server, long offset, long askedNs) {
            this.request = request;
            this.server = server;
            this.item = item;
            this.offset = offset;
            this.askedNs = askedNs;
        }
    }
}
