package io.queenmq.engine.ack;

import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.batch.ShardBatches;
import io.queenmq.engine.catalog.MissingReason;
import io.queenmq.engine.command.AckCommand;
import io.queenmq.engine.command.AckOutcome;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.connection.DatabaseHistory;
import io.queenmq.engine.lease.Leases;
import io.queenmq.engine.numbers.Numbers;
import io.queenmq.engine.partition.Arrivals;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * Handles acks. At most one call per partition and group is in flight; acks of the same lease that arrive meanwhile are
 * sent together in the next call. Owned by the engine loop.
 */
public final class Acks {
    /** A lease with at least this many failures is sent in a call without smaller ones, so that those do not wait for it. */
    private static final int LARGE_FROM = 500;

    /** Weight of a failure in bytes: one call fails about 10,000 messages at most, unless a single lease has more. */
    private static final int BYTES_PER_FAILURE = 800;

    private final AckSorter sorter;
    private final AckRoutines routines;
    private final MissingReason missingReason;
    private final Leases leases;
    private final Arrivals arrivals;
    private final Numbers numbers;
    private final DatabaseHistory history;
    private final ShardBatches<AckHolder, AckAnswer> acks;
    private final ShardBatches<AckHolder, AckAnswer> nacks;
    private final ShardBatches<AckHolder, AckAnswer> largeNacks;
    private final Map<Partition, ArrayDeque<AckHolder>> waiting = new HashMap<>();

    public Acks(EngineContext context, AckSorter sorter, MissingReason missingReason, Leases leases, Arrivals arrivals,
            Numbers numbers) {
        this.sorter = sorter;
        this.routines = new AckRoutines(context.apiSchema());
        this.missingReason = missingReason;
        this.leases = leases;
        this.arrivals = arrivals;
        this.numbers = numbers;
        this.history = context.connections().history();
        this.acks = new ShardBatches<>(context, Operation.ACK, Durability.FLUSHED,
                holder -> context.connections().shardOf(holder.partitionId()), new HolderCarrier(false));
        this.nacks = new ShardBatches<>(context, Operation.NACK, Durability.FLUSHED,
                holder -> context.connections().shardOf(holder.partitionId()), new HolderCarrier(true));
        this.largeNacks = new ShardBatches<>(context, Operation.NACK, Durability.FLUSHED,
                holder -> context.connections().shardOf(holder.partitionId()), new HolderCarrier(true));
    }

    public void accept(AckCommand command) {
        AckRequest request = new AckRequest(command);
        sorter.sort(command.items(), List.of(), numbers.ackRequested(), request,
                Reply.of(holders -> holders.forEach(this::enter), request::fail));
    }

    private void enter(AckHolder holder) {
        ArrayDeque<AckHolder> pending = waiting.get(Partition.of(holder));
        if (pending == null) {
            waiting.put(Partition.of(holder), new ArrayDeque<>(1));
            send(holder);
        } else if (!pending.isEmpty() && pending.peekLast().leaseId().equals(holder.leaseId())) {
            pending.peekLast().addAll(holder);
        } else {
            pending.add(holder);
        }
    }

    private void send(AckHolder holder) {
        if (holder.isAllCompleted()) {
            acks.offer(holder);
        } else {
            (holder.size() < LARGE_FROM ? nacks : largeNacks).offer(holder);
        }
    }

    private void onAnswered(AckHolder holder, AckAnswer answer) {
        if (holder.isOutdated(history.epoch(), answer)) {
            resolveAgain(holder);
        } else if (answer.isAbsent()) {
            holder.complete(answer, missingReason.ofGroup(holder.queue(), holder.partition(), holder.partitionId()));
        } else {
            holder.complete(answer);
        }
        if (answer.isLeaseOver()) {
            leases.remove(holder.leaseId(), holder.partitionId());
            arrivals.released(holder.queue(), holder.partitionId(), holder.group(), answer.finished().committed());
        }
        next(holder);
    }

    /**
     * Resolves acks by their transactionIds: their offsets were found in an earlier history of the database. All acks are resolved
     * in one request. Otherwise, acks of several messages with one transactionId would all be resolved to the same message.
     */
    private void resolveAgain(AckHolder holder) {
        List<List<AckHolder.Entry>> byMessage = holder.byMessage();
        AckListener listener = new AckListener() {
            @Override
            public void decide(int index, AckOutcome outcome) {
                byMessage.get(index).forEach(entry -> entry.decide(outcome));
            }

            @Override
            public void fail(Failure failure) {
                byMessage.forEach(entries -> entries.forEach(entry -> entry.fail(failure)));
            }
        };
        sorter.sort(byMessage.stream().map(entries -> entries.getFirst().item()).toList(), List.of(),
                AckSorter.NO_REQUEST, listener, Reply.of(holders -> holders.forEach(this::enter), listener::fail));
    }

    private void next(AckHolder holder) {
        ArrayDeque<AckHolder> pending = Objects.requireNonNull(waiting.get(Partition.of(holder)));
        AckHolder following = pending.poll();
        if (following == null) {
            waiting.remove(Partition.of(holder));
        } else {
            send(following);
        }
    }

    private record Partition(UUID partitionId, String group) {
        static Partition of(AckHolder holder) {
            return new Partition(holder.partitionId(), holder.group());
        }
    }

    /** Carries holders with one of the two routines. */
    private final class HolderCarrier implements Carrier<AckHolder, AckAnswer> {
        private final boolean isFailing;

        /** @param isFailing true for holders in which some message failed */
        HolderCarrier(boolean isFailing) {
            this.isFailing = isFailing;
        }

        @Override
        public Future<List<AckAnswer>> carry(Connection connection, List<AckHolder> batch) {
            return isFailing ? routines.nack(connection, batch) : routines.ack(connection, batch);
        }

        @Override
        public boolean isBusy(AckHolder holder, AckAnswer answer) {
            return answer.isBusy();
        }

        @Override
        public long bytes(AckHolder holder) {
            return isFailing ? (long) holder.size() * BYTES_PER_FAILURE : 0;
        }

        @Override
        public void settle(AckHolder holder, AckAnswer answer) {
            onAnswered(holder, answer);
        }

        @Override
        public void refuse(AckHolder holder, Failure failure) {
            holder.refuse(failure);
            next(holder);
        }
    }
}
