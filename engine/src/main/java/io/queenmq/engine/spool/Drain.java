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
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores what waits in the spool, oldest first, a bounded number at a time. Entries go to the push room in the order of
 * the log and stay there until they are decided, so those of one partition cannot overtake each other. Entries of a shard that
 * cannot be reached are kept back, as many as fit, so that those of other shards need not wait for it. Owned by the engine
 * loop.
 */
final class Drain {
    private static final Logger log = LoggerFactory.getLogger(Drain.class);
    private static final int ENTRIES_MAX = 4_000;
    private static final long BYTES_MAX = 4 << 20;
    /** More of them would be much memory; what stands behind them in the log waits, too. */
    private static final int KEPT_BACK_MAX = 20_000;
    private static final long KEPT_BACK_BYTES_MAX = 16 << 20;
    private static final int REASON_MAX = 1_000;
    private static final long SECOND_NS = 1_000_000_000;
    private static final String DELETED = "the queue was deleted while the message waited to be stored";

    private final Spool spool;
    private final SpoolWriter writer;
    private final Catalog catalog;
    private final Reach reach;
    private final Timers timers;
    private final BooleanSupplier isPossible;
    private final ArrayDeque<SpoolEntry.Numbered> read = new ArrayDeque<>();
    private final Map<Long, UnderWay> underWay = new LinkedHashMap<>();
    private final ArrayDeque<SpoolEntry.Numbered> keptBack = new ArrayDeque<>();
    /** Entries with a smaller sequence number may have been stored by an earlier process. */
    private final long recoveredEnd;
    private long keptBackBytes;
    private Pushes pushes;
    private boolean isReading;
    private boolean isCreating;
    private long total;
    private long totalBefore;
    private long countedNs;
    private double perSecond;

    /**
     * @param recoveredEnd see {@link SpoolLog#recoveredEnd}
     * @param isPossible whether anything can be stored now
     */
    Drain(Spool spool, SpoolWriter writer, long recoveredEnd, Catalog catalog, Reach reach, Timers timers,
            BooleanSupplier isPossible) {
        this.recoveredEnd = recoveredEnd;
        this.spool = spool;
        this.writer = writer;
        this.catalog = catalog;
        this.reach = reach;
        this.timers = timers;
        this.isPossible = isPossible;
        this.countedNs = timers.nowNs();
    }

    void into(Pushes room) {
        pushes = room;
    }

    /** Called now and then. */
    void tick() {
        long sinceNs = timers.nowNs() - countedNs;
        if (sinceNs >= SECOND_NS) {
            perSecond = (total - totalBefore) * (double) SECOND_NS / sinceNs;
            totalBefore = total;
            countedNs = timers.nowNs();
        }
        goOn();
    }

    private void goOn() {
        if (!isPossible.getAsBoolean()) {
            return;
        }
        feed();
        if (!isReading && read.isEmpty() && hasRoom() && spool.isWaiting()) {
            isReading = true;
            writer.work((waiting, _) -> waiting.read(ENTRIES_MAX - ENTRIES_MAX / 2, BYTES_MAX), Reply.of(portion -> {
                isReading = false;
                read.addAll(portion.entries());
                if (portion.lost() > 0) {
                    log.error("{} messages of the spool are damaged and cannot be stored", portion.lost());
                    spool.went(portion.lost());
                }
                feed();
            }, failure -> {
                isReading = false;
                spool.broke(failure.message());
            }));
        }
    }

    /** Those in the push room whose shard cannot be reached do not count: they may be there for long. */
    private boolean hasRoom() {
        if (keptBack.size() >= KEPT_BACK_MAX || keptBackBytes >= KEPT_BACK_BYTES_MAX) {
            return false;
        }
        return underWay.size() <= ENTRIES_MAX / 2 || !reach.isAllConnected()
                && underWay.values().stream().filter(each -> reach.isConnected(each.shard)).count() <= ENTRIES_MAX / 2;
    }

    /** Hands what was read to the push room, in its order. */
    private void feed() {
        feedKeptBack();
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
                storeOrKeepBack(queue, next);
            }
        }
    }

    /** Oldest first, so that those of one partition keep their order. */
    private void feedKeptBack() {
        for (int left = keptBack.size(); left > 0; left--) {
            SpoolEntry.Numbered next = keptBack.poll();
            keptBackBytes -= next.entry().line().length;
            Queue queue = catalog.find(next.entry().queue());
            if (queue == null && isOfLost(next)) {
                keepBack(next);
                create(next, _ -> {});
            } else if (queue == null || isOfDeleted(next, queue)) {
                refuse(next, DELETED);
            } else {
                storeOrKeepBack(queue, next);
            }
        }
    }

    private boolean isOfDeleted(SpoolEntry.Numbered next, Queue queue) {
        return next.entry().queueId() != null && (queue == null || !queue.id().equals(next.entry().queueId()))
                && !isOfLost(next);
    }

    /** A queue that was lost with the database was not deleted by anybody: it is created again for what was accepted. */
    private boolean isOfLost(SpoolEntry.Numbered next) {
        return next.entry().queueId() != null && catalog.isLost(next.entry().queueId());
    }

    private void storeOrKeepBack(Queue queue, SpoolEntry.Numbered next) {
        int shard = reach.shardOf(queue, next.entry().partition());
        if (reach.isConnected(shard)) {
            store(queue, shard, next);
        } else {
            keepBack(next);
        }
    }

    private void keepBack(SpoolEntry.Numbered next) {
        keptBack.add(next);
        keptBackBytes += next.entry().line().length;
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
        underWay.put(next.sequence(), new UnderWay(next.entry(), shard));
        pushes.acceptSpooled(queue, next.entry().item(),
                next.entry().spooled(next.sequence() < recoveredEnd), Reply.of(outcome -> {
                    underWay.remove(next.sequence());
                    switch (outcome) {
                        case PushOutcome.Queued _, PushOutcome.Duplicate _ -> {
                            total++;
                            spool.went(next.entry());
                            writer.settle(next.sequence());
                        }
                        case PushOutcome.Failed(var error) -> refuse(next, error);
                        case PushOutcome.Buffered _ -> throw new IllegalStateException("buffered twice");
                    }
                    goOn();
                }, failure -> {
                    // Nothing but a defect ends here: it is tried again when the server starts.
                    log.error("a message of the spool was given up: {}", failure.message());
                    underWay.remove(next.sequence());
                }));
    }

    /** Sets aside what PostgreSQL will never take. Its partition stays behind it until the disk has it. */
    private void refuse(SpoolEntry.Numbered refused, String error) {
        String reason = error.length() > REASON_MAX ? error.substring(0, REASON_MAX) : error;
        log.error("message {} for {}/{} was accepted while PostgreSQL was away, and is refused now: {}",
                refused.entry().messageId(), refused.entry().queue(), refused.entry().partition(), reason);
        writer.refuse(refused.sequence(), refused.entry().refusedBecause(reason), () -> spool.went(refused.entry()));
    }

    /** When the oldest message was accepted that waits, as far as that is known. */
    long oldestMicros(long otherwise) {
        if (!underWay.isEmpty()) {
            return underWay.values().iterator().next().entry.acceptedAtMicros();
        }
        if (!keptBack.isEmpty()) {
            return keptBack.peek().entry().acceptedAtMicros();
        }
        return read.isEmpty() ? otherwise : read.peek().entry().acceptedAtMicros();
    }

    /** How many messages were stored since the server started. */
    long total() {
        return total;
    }

    double perSecond() {
        return perSecond;
    }

    /** What is in the push room, and the shard it goes to. */
    private record UnderWay(SpoolEntry entry, int shard) {}
}
