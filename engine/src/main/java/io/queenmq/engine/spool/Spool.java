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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The spool of the engine: decides where a pushed message is stored, and tracks pending entries and free bytes. A pushed
 * message counts as pending from the moment it is passed to the {@link SpoolWriter}, before it is flushed, until it is stored in
 * PostgreSQL. Meanwhile all later messages of its partition must be spooled, too. Owned by the engine loop.
 */
public final class Spool implements SpoolGateway {
    private static final Logger log = LoggerFactory.getLogger(Spool.class);
    private static final long TICK_NS = 100_000_000;
    /** While the disk is usable, it is checked so that health reports an error before the next outage. */
    private static final long CHECK_EVERY_NS = 10_000_000_000L;
    private static final long PROBE_EVERY_NS = 1_000_000_000;
    /** A nearly full disk accepts single writes, so one successful probe is not sufficient. */
    private static final int SUCCESSFUL_PROBES = 5;

    /** With fewer free bytes than a typical message needs, the spool is full. */
    private static final long FREE_BYTES_MIN = 4_096;

    /** With at most this many entries, draining takes about a second, and new messages wait until it ends. */
    private static final long CATCHING_UP_MAX = 10_000;

    private final SpoolStore store;
    private final PartitionCounts partitions;
    private final SpoolWriter writer;
    private final Drain drain;
    private final RefusedMessages refused;
    private final Catalog catalog;
    private final PayloadCipher cipher;
    private final Timers timers;
    private final ShardAvailability availability;
    private long pending;
    private long reserved;
    private long appended;
    private long oldestMicros;
    private @Nullable String error;
    private long errorSinceNs;
    private int successfulProbes;
    private long probedNs;
    private volatile SpoolStatus status;
    private Runnable onDecisionChange = () -> {};

    /**
     * @param disk runs tasks one after the other; they may block
     * @param loop runs a task on the engine loop
     * @param availability the availability of the shards
     */
    public Spool(SpoolStore store, Catalog catalog, PayloadCipher cipher, Timers timers, Executor disk, Executor loop,
            ShardAvailability availability) {
        this.store = store;
        this.partitions = store.partitions();
        this.catalog = catalog;
        this.cipher = cipher;
        this.timers = timers;
        this.availability = availability;
        this.probedNs = timers.nowNs();
        this.pending = store.waiting().openCount();
        this.oldestMicros = store.oldestMicros();
        this.writer = new SpoolWriter(store, disk, loop);
        this.drain = new Drain(this, writer, store.waiting().recoveredEnd(), catalog, availability, timers,
                // Before the catalog is loaded, every queue would appear to be deleted.
                () -> availability.isAnyConnected() && catalog.isKnown() && !catalog.maintenance().isPushOff());
        this.refused = new RefusedMessages(this, writer);
        updateStatus();
    }

    /** Starts to store pending entries through the module push, whenever PostgreSQL is available. */
    public void drainInto(Pushes pushes) {
        drain.into(pushes);
        timers.every(TICK_NS, this::tick);
    }

    private void tick() {
        drain.tick();
        writer.retry();
        updateStatus();
        // The availability of shards and the waiting time of pushes change without an event of the spool.
        onDecisionChange.run();
        if (timers.nowNs() - probedNs >= (error == null ? CHECK_EVERY_NS : PROBE_EVERY_NS)) {
            probedNs = timers.nowNs();
            writer.work((waiting, _) -> {
                waiting.probe();
                return true;
            }, Reply.of(_ -> onProbed(), failure -> onDiskError(failure.message())));
        }
    }

    private void onProbed() {
        if (error != null && ++successfulProbes >= SUCCESSFUL_PROBES) {
            error = null;
            log.info("spool usable again after {} s, accepting messages",
                    (timers.nowNs() - errorSinceNs) / 1_000_000_000);
        }
    }

    @Override
    public boolean isInUse() {
        return pending > 0 || availability.isAnyUnavailable() || catalog.maintenance().isPushOff();
    }

    @Override
    public boolean isOpen() {
        return error == null && freeBytes() >= FREE_BYTES_MIN;
    }

    @Override
    public boolean isBehind(String queue, String partition) {
        return pending > 0 && partitions.mayHave(queue, partition);
    }

    @Override
    public Decision decide(PushItem item, boolean mayWait) {
        return SpoolPolicy.decide(isBehind(item.queue(), item.partition()), mayWait && pending <= CATCHING_UP_MAX,
                availability.isUnavailable(catalog.find(item.queue()), item.partition()),
                catalog.maintenance().isPushOff(), isOpen());
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

    private long freeBytes() {
        return store.bytesMax() - writer.used().bytes() - writer.used().refusedBytes() - reserved;
    }

    @Override
    public void append(PushItem item, long attemptBase, Reply<@Nullable UUID> reply) {
        Queue queue = catalog.find(item.queue());
        byte[] line;
        try {
            // The offset is unknown before the message is stored. The ciphertext is bound to the offset then.
            line = isEncrypted(queue) ? cipher.encrypt(item.line(), null) : item.line();
        } catch (CipherException e) {
            reply.fail(new Failure.Unavailable(e.getMessage()));
            return;
        }
        SpoolEntry entry = new SpoolEntry(queue == null ? null : queue.id(), item.queue(), item.partition(),
                item.messageId(), item.transactionId(), timers.epochMicros(), catalog.databaseClock().nowMicros(),
                attemptBase, "", line);
        int size = RecordFormat.sizeOf(entry);
        if (error != null || size > freeBytes()) {
            reply.fail(error == null ? full() : new Failure.Unavailable(error));
            return;
        }
        UUID partitionId = queue == null ? null : queue.partitionId(item.partition());
        reserved += size;
        added(entry);
        writer.append(entry, Reply.of(_ -> {
            reserved -= size;
            appended++;
            updateStatus();
            reply.succeed(partitionId);
        }, failure -> {
            reserved -= size;
            onDiskError(failure.message());
            removed(entry);
            updateStatus();
            reply.fail(failure);
        }));
    }

    /** Before the catalog is loaded, every queue may be an encrypted one. Encrypted messages can be stored in any queue. */
    private boolean isEncrypted(@Nullable Queue queue) {
        return queue == null ? !catalog.isKnown() && cipher.hasKey() : queue.options().encryptionEnabled();
    }

    @Override
    public void onDecisionChange(Runnable listener) {
        onDecisionChange = listener;
    }

    /** Stops accepting messages after an error of the disk, until several consecutive probes succeed. */
    void onDiskError(String why) {
        if (error == null) {
            log.error("spool unusable, pushes are answered 503 while PostgreSQL is unavailable: {}", why);
            errorSinceNs = timers.nowNs();
        }
        error = why;
        successfulProbes = 0;
        probedNs = timers.nowNs();
    }

    /** Counts a pending entry. A pushed message is counted before it is flushed, so that later messages cannot overtake it. */
    void added(SpoolEntry entry) {
        if (pending++ == 0) {
            oldestMicros = entry.acceptedAtMicros();
        }
        partitions.add(entry.queue(), entry.partition());
    }

    /** Counts an entry that was stored, refused or not accepted. */
    void removed(SpoolEntry entry) {
        partitions.remove(entry.queue(), entry.partition());
        removed(1);
        if (!isBehind(entry.queue(), entry.partition())) {
            // The last entry of the partition is stored. The caller may be in the middle of another event.
            timers.after(0, onDecisionChange);
        }
    }

    /** Counts removed entries of unknown partitions. */
    void removed(int count) {
        pending -= count;
        if (pending == 0) {
            partitions.clear();
            updateStatus();
        }
    }

    boolean isWaiting() {
        return pending > 0;
    }

    /** Returns the messages that PostgreSQL refused. */
    public RefusedMessages refused() {
        return refused;
    }

    /** Returns the current state. Safe from any thread. */
    public SpoolStatus status() {
        return status;
    }

    /** Publishes the current state. */
    void updateStatus() {
        SpoolStatus.State state = error != null
                ? SpoolStatus.State.BROKEN
                : isOpen() ? SpoolStatus.State.READY : SpoolStatus.State.FULL;
        SpoolWriter.Usage used = writer.used();
        long oldest = pending == 0 ? 0 : drain.oldestMicros(oldestMicros);
        status = new SpoolStatus(state, state == SpoolStatus.State.FULL ? full().message() : error, pending,
                used.bytes() + used.refusedBytes(), store.bytesMax(), oldest, drain.perSecond(), used.refusedCount(),
                used.refusedBytes(), used.damaged());
    }

    /** Returns the number of messages that were accepted since the server started. */
    long accepted() {
        return appended;
    }

    /** Returns the number of entries that were stored in PostgreSQL since the server started. */
    long drained() {
        return drain.total();
    }
}
