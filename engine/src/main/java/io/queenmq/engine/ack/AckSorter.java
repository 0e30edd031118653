package io.queenmq.engine.ack;

import io.queenmq.engine.ack.AckRoutines.LoadedLease;
import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.batch.ShardBatches;
import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.AckOutcome;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.connection.DatabaseHistory;
import io.queenmq.engine.lease.LeasedRange;
import io.queenmq.engine.lease.Leases;
import io.queenmq.engine.numbers.Numbers;
import io.queenmq.engine.numbers.QueueNumbers;
import io.queenmq.engine.partition.HashIndex;
import io.queenmq.engine.push.TransactionHash;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Finds the offset and the lease of each ack: in memory for leases of this server, in the database for others. An ack of a
 * message that is finished, or that is not leased, is completed at once. Owned by the engine loop.
 */
public final class AckSorter {
    /** The error of an ack for a partition that does not exist any more. */
    public static final String NO_PARTITION = "there is no such partition: its queue was deleted, or the partition was";

    /** The number of requests that are not counted as acks. */
    public static final long NO_REQUEST = 0;

    private final Leases leases;
    private final Numbers numbers;
    private final AckRoutines routines;
    private final ErrorTexts errors;
    private final DatabaseHistory history;
    private final ShardBatches<AckLookup, Optional<LoadedLease>> lookups;

    public AckSorter(EngineContext context, Leases leases, Numbers numbers, ErrorTexts errors) {
        this.errors = errors;
        this.leases = leases;
        this.numbers = numbers;
        this.routines = new AckRoutines(context.apiSchema());
        this.history = context.connections().history();
        this.lookups = new ShardBatches<>(context, Operation.HELD, Durability.RELAXED,
                lookup -> context.connections().shardOf(lookup.partitionId()), new LookupCarrier());
    }

    /**
     * Sorts the items by partition, group and lease.
     *
     * @param allowedLeases the leases to which an item without a lease may belong; empty for any lease
     * @param request the number of the ack request, by which each request is counted once per queue
     * @param listener receives the outcome of each item: at once, or when its holder completes
     * @param reply receives the holders
     */
    public void sort(List<AckItem> items, List<UUID> allowedLeases, long request, AckListener listener,
            Reply<List<AckHolder>> reply) {
        new Sorting(items, allowedLeases, request, listener, reply).begin();
    }

    /** The state of one request while it is sorted. */
    private final class Sorting {
        private final List<AckItem> items;
        private final List<UUID> allowedLeases;
        private final long request;
        private final AckListener listener;
        private final Reply<List<AckHolder>> reply;
        private final Map<Key, AckHolder> holders = new LinkedHashMap<>();
        /**
         * The epoch at the start, for all holders. If the history changes before the last lookup, an offset may belong to the
         * earlier one; see {@link AckHolder#isOutdated}.
         */
        private final long epoch = history.epoch();
        private int openLookups;
        private @Nullable Failure failure;

        private Sorting(List<AckItem> items, List<UUID> allowedLeases, long request, AckListener listener,
                Reply<List<AckHolder>> reply) {
            this.items = items;
            this.allowedLeases = allowedLeases;
            this.request = request;
            this.listener = listener;
            this.reply = reply;
        }

        private void begin() {
            Map<Key, List<Integer>> unknown = new LinkedHashMap<>(0);
            for (int i = 0; i < items.size(); i++) {
                AckItem item = items.get(i);
                if (!sortFromMemory(i, item)) {
                    unknown.computeIfAbsent(new Key(item.partitionId(), item.group(), null), _ -> new ArrayList<>())
                            .add(i);
                }
            }
            openLookups = unknown.size();
            if (openLookups == 0) {
                reply.succeed(new ArrayList<>(holders.values()));
                return;
            }
            unknown.forEach((key, indexes) -> lookups.offer(new AckLookup(key.partitionId, key.group,
                    Reply.of(held -> onLookedUp(held, indexes), this::onFailed))));
        }

        private boolean sortFromMemory(int index, AckItem item) {
            for (UUID leaseId : item.leaseId() != null ? List.of(item.leaseId()) : allowedLeases) {
                LeasedRange range = leases.find(leaseId, item.partitionId());
                if (range != null && range.group().equals(item.group())) {
                    long offset = range.find(TransactionHash.of(item.transactionId()));
                    if (offset >= 0) {
                        add(index, leaseId, range.queue(), range.partition(), offset);
                        return true;
                    }
                }
            }
            return false;
        }

        private void onLookedUp(Optional<LoadedLease> found, List<Integer> indexes) {
            if (found.isEmpty()) {
                indexes.forEach(
                        index -> listener.decide(index, new AckOutcome(null, null, NO_PARTITION, false, false)));
            } else {
                LoadedLease held = found.get();
                QueueNumbers queue = numbersOf(held.queue());
                HashIndex hashes = new HashIndex(held.hashes());
                Set<Long> named = new HashSet<>();
                indexes.forEach(index -> sortFromDatabase(held, hashes, index, items.get(index), queue, named));
            }
            finishLookup();
        }

        private QueueNumbers numbersOf(String queue) {
            QueueNumbers found = numbers.of(queue);
            if (request != NO_REQUEST) {
                found.ackRequested(request);
            }
            return found;
        }

        private void sortFromDatabase(LoadedLease held, HashIndex hashes, int index, AckItem item, QueueNumbers queue,
                Set<Long> named) {
            long offset = held.find(TransactionHash.of(item.transactionId()), hashes, named);
            if (offset >= 0 && held.finished().contains(offset)) {
                queue.acked(1, 0);
                listener.decide(index, new AckOutcome(held.queue(), held.partition(), null, false, false));
            } else if (offset < 0 || held.leaseId() == null || !isAllowed(item, held.leaseId())) {
                String error = item.leaseId() != null || !allowedLeases.isEmpty()
                        ? "the lease has expired or was taken over"
                        : "the message is not leased to this consumer group";
                queue.acked(0, 1);
                listener.decide(index, new AckOutcome(held.queue(), held.partition(), error, false, false));
            } else {
                add(index, held.leaseId(), held.queue(), held.partition(), offset);
            }
        }

        private boolean isAllowed(AckItem item, UUID leaseId) {
            return item.leaseId() != null
                    ? item.leaseId().equals(leaseId)
                    : allowedLeases.isEmpty() || allowedLeases.contains(leaseId);
        }

        private void add(int index, UUID leaseId, String queue, String partition, long offset) {
            AckItem item = items.get(index);
            holders.computeIfAbsent(new Key(item.partitionId(), item.group(), leaseId),
                    key -> new AckHolder(new LeasedPartition(key.partitionId, key.group, leaseId, queue, partition),
                            numbersOf(queue), epoch, errors))
                    .add(item, offset, listener, index);
        }

        private void onFailed(Failure cause) {
            failure = cause;
            finishLookup();
        }

        private void finishLookup() {
            if (--openLookups > 0) {
                return;
            }
            if (failure != null) {
                reply.fail(failure);
            } else {
                reply.succeed(new ArrayList<>(holders.values()));
            }
        }
    }

    private record Key(UUID partitionId, String group, @Nullable UUID leaseId) {}

    private final class LookupCarrier implements Carrier<AckLookup, Optional<LoadedLease>> {
        @Override
        public Future<List<Optional<LoadedLease>>> carry(Connection connection, List<AckLookup> batch) {
            return routines.held(connection, batch);
        }

        @Override
        public void settle(AckLookup lookup, Optional<LoadedLease> held) {
            lookup.reply().succeed(held);
        }

        @Override
        public void refuse(AckLookup lookup, Failure failure) {
            lookup.reply().fail(failure);
        }
    }
}
