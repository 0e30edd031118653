package io.queenmq.engine.spool;

import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.cipher.CipherException;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.push.Pushes;
import io.queenmq.engine.push.SpoolGateway;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.time.Timers;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The spool as the engine sees it: which way a push goes, what waits here, how much room there is. A partition that has
 * anything here, from the moment it is handed over until it is stored, gets all later messages here, too. Owned by the
 * engine loop.
 */
public final class Spool implements SpoolGateway {
    private static final Logger log = LoggerFactory.getLogger(Spool.class);
    private static final long TICK_NS = 100_000_000;
    private static final long PROBE_EVERY_NS = 1_000_000_000;

    /** With less room than for one message of a usual size, the spool is full. */
    private static final long ROOM_MIN = 4_096;

    /** With at most this many entries, draining takes about a second, and new messages wait for its end. */
    private static final long CATCHING_UP_MAX = 10_000;

    private final SpoolStore store;
    private final PartitionCounts partitions;
    private final SpoolWriter writer;
    private final Drain drain;
    private final RefusedMessages refused;
    private final Catalog catalog;
    private final PayloadCipher cipher;
    private final Timers timers;
    private final Reach reach;
    private long pending;
    private long reserved;
    private long appended;
    private long oldestMicros;
    private String error;
    private long probedNs;
    private volatile SpoolStatus shown;
    private Runnable onDecisionChange = () -> {};

    /**
     * @param disk runs tasks one after the other, and may block
     * @param loop brings a task to the engine loop
     * @param reach which partitions can be stored to
     */
    public Spool(SpoolStore store, Catalog catalog, PayloadCipher cipher, Timers timers, Executor disk, Executor loop,
            Reach reach) {
        this.store = store;
        this.partitions = store.partitions();
        this.catalog = catalog;
        this.cipher = cipher;
        this.timers = timers;
        this.reach = reach;
        this.pending = store.waiting().openCount();
        this.oldestMicros = store.oldestMicros();
        this.writer = new SpoolWriter(store, disk, loop);
        this.drain = new Drain(this, writer, store.waiting().recoveredEnd(), catalog, reach, timers,
                // Before the queues are known, each of them would seem to be deleted.
                () -> reach.isAnyConnected() && catalog.isKnown() && !catalog.maintenance().isPushOff());
        this.refused = new RefusedMessages(this, writer);
        show();
    }

    /** From now on what waits is stored through the push room, whenever PostgreSQL can be reached. */
    public void drainInto(Pushes pushes) {
        drain.into(pushes);
        timers.every(TICK_NS, this::tick);
    }

    private void tick() {
        drain.tick();
        writer.retry();
        show();
        // Whether a shard can be reached and how long a push has waited changes without an event of the spool.
        onDecisionChange.run();
        if (error != null && timers.nowNs() - probedNs >= PROBE_EVERY_NS) {
            probedNs = timers.nowNs();
            writer.work((waiting, _) -> {
                waiting.probe();
                return null;
            }, Reply.of(_ -> {
                error = null;
                log.info("the spool takes messages again");
            }, failure -> error = failure.message()));
        }
    }

    @Override
    public boolean isInUse() {
        return pending > 0 || reach.isAnyAway() || catalog.maintenance().isPushOff();
    }

    @Override
    public boolean isOpen() {
        return error == null && room() >= ROOM_MIN;
    }

    @Override
    public boolean isBehind(String queue, String partition) {
        return pending > 0 && partitions.mayHave(queue, partition);
    }

    @Override
    public Decision decide(PushItem item, boolean mayWait) {
        return SpoolPolicy.decide(isBehind(item.queue(), item.partition()), mayWait && pending <= CATCHING_UP_MAX,
                reach.isAway(catalog.find(item.queue()), item.partition()), catalog.maintenance().isPushOff(),
                isOpen());
    }

    @Override
    public Failure rejection() {
        if (catalog.maintenance().isPushOff()) {
            return Failure.Maintenance.OF_PUSH;
        }
        return error == null ? full() : new Failure.Unavailable(error);
    }

    private Failure full() {
        return new Failure.Overloaded("the spool is full: SPOOL_MAX_BYTES " + store.bytesMax());
    }

    private long room() {
        return store.bytesMax() - writer.used().bytes() - writer.used().refusedBytes() - reserved;
    }

    @Override
    public void append(PushItem item, long attemptBase, Reply<UUID> reply) {
        Queue queue = catalog.find(item.queue());
        byte[] line;
        try {
            // Its offset is not known before it is stored, and bound to it then.
            line = queue != null && queue.options().encryptionEnabled()
                    ? cipher.encrypt(item.line(), null)
                    : item.line();
        } catch (CipherException e) {
            reply.fail(new Failure.Unavailable(e.getMessage()));
            return;
        }
        SpoolEntry entry = new SpoolEntry(queue == null ? null : queue.id(), item.queue(), item.partition(),
                item.messageId(), item.transactionId(), timers.epochMicros(),
                catalog.databaseClock().nowMicros(), attemptBase, "", line);
        int size = RecordFormat.sizeOf(entry);
        if (error != null || size > room()) {
            reply.fail(error == null ? full() : new Failure.Unavailable(error));
            return;
        }
        UUID partitionId = queue == null ? null : queue.partitionId(item.partition());
        reserved += size;
        came(entry);
        writer.append(entry, Reply.of(_ -> {
            reserved -= size;
            appended++;
            show();
            reply.succeed(partitionId);
        }, failure -> {
            reserved -= size;
            broke(failure.message());
            went(entry);
            show();
            reply.fail(failure);
        }));
    }

    @Override
    public void onDecisionChange(Runnable listener) {
        onDecisionChange = listener;
    }

    /** The disk does not do what it should; until it does, nothing is taken. */
    void broke(String why) {
        if (error == null) {
            log.error("the spool takes no messages, pushes are answered 503 while PostgreSQL is away: {}", why);
        }
        error = why;
        probedNs = timers.nowNs();
    }

    /** An entry waits here now. */
    void came(SpoolEntry entry) {
        if (pending++ == 0) {
            oldestMicros = entry.acceptedAtMicros();
        }
        partitions.add(entry.queue(), entry.partition());
    }

    /** An entry does not wait here any more. */
    void went(SpoolEntry entry) {
        partitions.remove(entry.queue(), entry.partition());
        went(1);
        if (!isBehind(entry.queue(), entry.partition())) {
            // The last entry of the partition is stored. The caller may be in the middle of another event.
            timers.after(0, onDecisionChange);
        }
    }

    /** So many entries do not wait here any more, and nobody knows of which partitions they were. */
    void went(int count) {
        pending -= count;
        if (pending == 0) {
            partitions.clear();
            show();
        }
    }

    boolean isWaiting() {
        return pending > 0;
    }

    /** What PostgreSQL refused for good. */
    public RefusedMessages refused() {
        return refused;
    }

    /** How it is at this moment. Safe from any thread. */
    public SpoolStatus status() {
        return shown;
    }

    /** Lets others see how it is. */
    void show() {
        SpoolStatus.State state = error != null
                ? SpoolStatus.State.BROKEN
                : isOpen() ? SpoolStatus.State.READY : SpoolStatus.State.FULL;
        SpoolWriter.Usage used = writer.used();
        long oldest = pending == 0 ? 0 : drain.oldestMicros(oldestMicros);
        shown = new SpoolStatus(state, state == SpoolStatus.State.FULL ? full().message() : error, pending,
                used.bytes() + used.refusedBytes(), store.bytesMax(), oldest, drain.perSecond(), used.refusedCount(),
                used.refusedBytes(), used.damaged());
    }

    /** How many messages were taken since the server started. */
    long accepted() {
        return appended;
    }

    /** How many messages were stored from here since the server started. */
    long drained() {
        return drain.total();
    }
}
