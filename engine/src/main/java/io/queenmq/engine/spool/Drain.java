package io.queenmq.engine.spool;

import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.push.Pushes;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.time.Timers;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the entries of the spool through the module push, oldest first, with a bounded number in flight. Entries are
 * passed on in the order of the log, and the module push keeps them until they are decided, so entries of one partition
 * cannot overtake each other. Entries of an unavailable shard are deferred, up to a bound, so that entries of other
 * shards do not wait for it. Owned by the engine loop.
 */
final class Drain {
    private static final Logger log = LoggerFactory.getLogger(Drain.class);
    private static final int ENTRIES_MAX = 4_000;
    private static final long BYTES_MAX = 4 << 20;
    /** Bounds the memory of deferred entries. Beyond it, later entries of the log wait, too. */
    private static final int DEFERRED_MAX = 20_000;
    private static final long DEFERRED_BYTES_MAX = 16 << 20;
    private static final int REASON_MAX = 1_000;
    private static final long SECOND_NS = 1_000_000_000;
    private static final String DELETED = "the queue was deleted while the message waited to be stored";

    private final Spool spool;
    private final SpoolWriter writer;
    private final Catalog catalog;
    private final ShardAvailability availability;
    private final Timers timers;
    private final BooleanSupplier isPossible;
    private final ArrayDeque<SpoolEntry.Numbered> read = new ArrayDeque<>();
    private final Map<Long, InFlight> inFlight = new LinkedHashMap<>();
    private final ArrayDeque<SpoolEntry.Numbered> deferred = new ArrayDeque<>();
    /** Entries with a smaller sequence number may have been stored by an earlier process. */
    private final long recoveredEnd;
    private long deferredBytes;
    private @Nullable Pushes pushes;
    private boolean isReading;
    private boolean isCreating;
    private long total;
    private long totalBefore;
    private long countedNs;
    private double perSecond;

    /**
     * @param recoveredEnd see {@link SpoolLog#recoveredEnd}
     * @param isPossible returns true if any entry can be stored now
     */
    Drain(Spool spool, SpoolWriter writer, long recoveredEnd, Catalog catalog, ShardAvailability availability,
            Timers timers, BooleanSupplier isPossible) {
        this.recoveredEnd = recoveredEnd;
        this.spool = spool;
        this.writer = writer;
        this.catalog = catalog;
        this.availability = availability;
        this.timers = timers;
        this.isPossible = isPossible;
        this.countedNs = timers.nowNs();
    }

    void into(Pushes target) {
        pushes = target;
    }

    /** Must be called periodically. */
    void tick() {
        long sinceNs = timers.nowNs() - countedNs;
        if (sinceNs >= SECOND_NS) {
            perSecond = (total - totalBefore) * (double) SECOND_NS / sinceNs;
            totalBefore = total;
            countedNs = timers.nowNs();
        }
        drainMore();
    }

    private void drainMore() {
        if (!isPossible.getAsBoolean()) {
            return;
        }
        feed();
        if (!isReading && read.isEmpty() && hasCapacity() && spool.isWaiting()) {
            isReading = true;
            writer.work((waiting, _) -> waiting.read(ENTRIES_MAX - ENTRIES_MAX / 2, BYTES_MAX), Reply.of(result -> {
                isReading = false;
                read.addAll(result.entries());
                if (result.lost() > 0) {
                    log.error("spool records damaged, {} messages lost", result.lost());
                    spool.removed(result.lost());
                }
                feed();
            }, failure -> {
                isReading = false;
                spool.onDiskError(failure.message());
            }));
        }
    }

    /**
     * Returns true if more entries can be read. Entries in flight to an unavailable shard do not count, because they
     * may stay for a long time.
     */
    private boolean hasCapacity() {
        if (deferred.size() >= DEFERRED_MAX || deferredBytes >= DEFERRED_BYTES_MAX) {
            return false;
        }
        return inFlight.size() <= ENTRIES_MAX / 2 || !availability.isAllConnected() && inFlight.values().stream()
                .filter(each -> availability.isConnected(each.shard)).count() <= ENTRIES_MAX / 2;
    }

    /** Passes the read entries to the module push, in order. */
    private void feed() {
        feedDeferred();
        while (!read.isEmpty() && !isCreating) {
            SpoolEntry.Numbered next = read.peek();
            Queue queue = catalog.find(next.entry().queue());
            if (isOfDeleted(next, queue)) {
                read.poll();
                refuse(next, DELETED);
            } else if (queue == null) {
                create(next, refused -> refuse(read.poll(), refused.message()));
            } else {
                read.poll();
                storeOrDefer(queue, next);
            }
        }
    }

    /** Passes on deferred entries, oldest first, so that entries of one partition keep their order. */
    private void feedDeferred() {
        for (int left = deferred.size(); left > 0; left--) {
            SpoolEntry.Numbered next = deferred.poll();
            deferredBytes -= next.entry().line().length;
            Queue queue = catalog.find(next.entry().queue());
            if (queue == null && isOfLost(next)) {
                defer(next);
                create(next, _ -> {});
            } else if (queue == null || isOfDeleted(next, queue)) {
                refuse(next, DELETED);
            } else {
                storeOrDefer(queue, next);
            }
        }
    }

    private boolean isOfDeleted(SpoolEntry.Numbered next, @Nullable Queue queue) {
        return next.entry().queueId() != null && (queue == null || !queue.id().equals(next.entry().queueId()))
                && !isOfLost(next);
    }

    /**
     * Returns true if the queue was lost with an earlier history of the database. Such a queue was not deleted, so it
     * is created again for the accepted messages.
     */
    private boolean isOfLost(SpoolEntry.Numbered next) {
        return next.entry().queueId() != null && catalog.isLost(next.entry().queueId());
    }

    private void storeOrDefer(Queue queue, SpoolEntry.Numbered next) {
        int shard = availability.shardOf(queue, next.entry().partition());
        if (availability.isConnected(shard)) {
            store(queue, shard, next);
        } else {
            defer(next);
        }
    }

    private void defer(SpoolEntry.Numbered next) {
        deferred.add(next);
        deferredBytes += next.entry().line().length;
    }

    private void create(SpoolEntry.Numbered first, Consumer<Failure.Refused> onRefused) {
        if (isCreating) {
            return;
        }
        isCreating = true;
        catalog.require(first.entry().queue(), Reply.of(_ -> {
            isCreating = false;
            feed();
        }, failure -> {
            isCreating = false;
            if (failure instanceof Failure.Refused refused) {
                onRefused.accept(refused);
            }
        }));
    }

    private void store(Queue queue, int shard, SpoolEntry.Numbered next) {
        inFlight.put(next.sequence(), new InFlight(next.entry(), shard));
        Objects.requireNonNull(pushes).acceptSpooled(queue, next.entry().item(),
                next.entry().spooled(next.sequence() < recoveredEnd), Reply.of(outcome -> {
                    inFlight.remove(next.sequence());
                    switch (outcome) {
                        case PushOutcome.Queued _, PushOutcome.Duplicate _ -> {
                            total++;
                            spool.removed(next.entry());
                            writer.settle(next.sequence());
                        }
                        case PushOutcome.Failed(var error) -> refuse(next, error);
                        case PushOutcome.Buffered _ -> throw new IllegalStateException("buffered twice");
                    }
                    drainMore();
                }, failure -> {
                    // Only a defect leads here. The entry is retried when the server starts again.
                    log.error("spooled message not stored, will retry at the next start: {}", failure.message());
                    inFlight.remove(next.sequence());
                }));
    }

    /**
     * Moves an entry that PostgreSQL rejected to the log of refused messages. Later entries of its partition wait until
     * it is flushed there.
     */
    private void refuse(SpoolEntry.Numbered refused, String error) {
        String reason = error.length() > REASON_MAX ? error.substring(0, REASON_MAX) : error;
        log.error("spooled message {} for {}/{} refused by PostgreSQL, kept for an operator: {}",
                refused.entry().messageId(), refused.entry().queue(), refused.entry().partition(), reason);
        writer.refuse(refused.sequence(), refused.entry().refused(reason), () -> spool.removed(refused.entry()));
    }

    /** Returns the acceptance time of the oldest pending message, as far as it is known. */
    long oldestMicros(long otherwise) {
        if (!inFlight.isEmpty()) {
            return inFlight.values().iterator().next().entry.acceptedAtMicros();
        }
        if (!deferred.isEmpty()) {
            return deferred.peek().entry().acceptedAtMicros();
        }
        return read.isEmpty() ? otherwise : read.peek().entry().acceptedAtMicros();
    }

    /** Returns the number of messages that were stored since the server started. */
    long total() {
        return total;
    }

    double perSecond() {
        return perSecond;
    }

    /** An entry that was passed to the module push, and its shard. */
    private record InFlight(SpoolEntry entry, int shard) {}
}
