package io.queenmq.server.spool;

import io.queenmq.server.catalog.Catalog;
import io.queenmq.server.catalog.Queue;
import io.queenmq.server.push.PushOutcome;
import io.queenmq.server.push.Pushes;
import io.queenmq.server.reply.Failure;
import io.queenmq.server.reply.Reply;
import io.queenmq.server.time.Timers;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores what waits in the spool, oldest first, a bounded number at a time. Entries go to the push room in the order of
 * the log and stay there until they are decided, so those of one lane cannot overtake each other. Owned by the engine loop.
 */
final class Drain {
    private static final Logger log = LoggerFactory.getLogger(Drain.class);
    private static final int ENTRIES_MAX = 4_000;
    private static final long BYTES_MAX = 4 << 20;
    private static final int REASON_MAX = 1_000;
    private static final long SECOND_NS = 1_000_000_000;

    private final Spool spool;
    private final Scribe scribe;
    private final Catalog catalog;
    private final Timers timers;
    private final BooleanSupplier isPossible;
    private final ArrayDeque<SpoolEntry.Numbered> read = new ArrayDeque<>();
    private final Map<Long, SpoolEntry> underWay = new LinkedHashMap<>();
    private Pushes pushes;
    private boolean isReading;
    private boolean isCreating;
    private long total;
    private long totalBefore;
    private long countedNs;
    private double perSecond;

    /** @param isPossible whether anything can be stored now */
    Drain(Spool spool, Scribe scribe, Catalog catalog, Timers timers, BooleanSupplier isPossible) {
        this.spool = spool;
        this.scribe = scribe;
        this.catalog = catalog;
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
        if (!isReading && read.isEmpty() && underWay.size() <= ENTRIES_MAX / 2 && spool.isWaiting()) {
            isReading = true;
            scribe.work((waiting, _) -> waiting.read(ENTRIES_MAX - ENTRIES_MAX / 2, BYTES_MAX), Reply.of(portion -> {
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

    /** Hands what was read to the push room, in its order. */
    private void feed() {
        while (!read.isEmpty() && !isCreating) {
            SpoolEntry.Numbered next = read.peek();
            Queue queue = catalog.find(next.entry().queue());
            if (next.entry().queueId() != null && (queue == null || !queue.id().equals(next.entry().queueId()))) {
                read.poll();
                refuse(next, "the queue was deleted while the message waited to be stored");
            } else if (queue == null) {
                create(next);
            } else {
                read.poll();
                store(queue, next);
            }
        }
    }

    private void create(SpoolEntry.Numbered first) {
        isCreating = true;
        catalog.require(first.entry().queue(), Reply.of(_ -> {
            isCreating = false;
            feed();
        }, failure -> {
            isCreating = false;
            if (failure instanceof Failure.Refused refused) {
                refuse(read.poll(), refused.message());
            }
        }));
    }

    private void store(Queue queue, SpoolEntry.Numbered next) {
        underWay.put(next.sequence(), next.entry());
        pushes.acceptSpooled(queue, next.entry().item(), next.entry().acceptedAtMicros(), Reply.of(outcome -> {
            underWay.remove(next.sequence());
            switch (outcome) {
                case PushOutcome.Queued _, PushOutcome.Duplicate _ -> {
                    total++;
                    spool.went(next.entry());
                    scribe.settle(next.sequence());
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

    /** Sets aside what PostgreSQL will never take. Its lane stays behind it until the disk has it. */
    private void refuse(SpoolEntry.Numbered refused, String error) {
        String reason = error.length() > REASON_MAX ? error.substring(0, REASON_MAX) : error;
        log.error("message {} for {}/{} was accepted while PostgreSQL was away, and is refused now: {}",
                refused.entry().messageId(), refused.entry().queue(), refused.entry().partition(), reason);
        scribe.refuse(refused.sequence(), refused.entry().refusedBecause(reason), () -> spool.went(refused.entry()));
    }

    /** When the oldest message was accepted that waits, as far as that is known. */
    long oldestMicros(long otherwise) {
        if (!underWay.isEmpty()) {
            return underWay.values().iterator().next().acceptedAtMicros();
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
}
