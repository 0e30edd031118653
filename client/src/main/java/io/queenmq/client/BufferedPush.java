package io.queenmq.client;

import io.queenmq.client.PushResult.Rejected;
import io.queenmq.client.PushResult.Stored;
import io.queenmq.client.UnsentException.Unsent;
import io.queenmq.client.error.BufferFullException;
import io.queenmq.client.error.OutcomeUnknownException;
import io.queenmq.client.error.QueenException;
import io.queenmq.client.error.RefusedException;
import io.queenmq.client.error.UnavailableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Pushes in the background. What gathers while a request is under way goes with the next one, so requests grow with the
 * load and nothing waits for company. One request is under way at a time, and one that failed is repeated before the next
 * is sent: the order of the messages is kept. Safe from any thread.
 */
public final class BufferedPush<T> implements AutoCloseable {
    private static final int UNSENT_KEPT_MAX = 10_000;
    private static final int REQUEST_BYTES_MAX = 8 * 1024 * 1024;
    private static final Duration ABANDON_GRACE = Duration.ofSeconds(5);

    private final Context context;
    private final String queue;
    private final @Nullable String partition;
    private final Settings settings;
    private final Thread sender;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Entry> waiting = new ArrayDeque<>();
    private final List<Unsent> unsent = new ArrayList<>();
    private int sending;
    private long takenCount;
    private long decidedCount;
    private long unsentCount;
    private boolean isClosed;
    private boolean isAbandoned;

    private BufferedPush(Context context, String queue, @Nullable String partition, Settings settings) {
        this.context = context;
        this.queue = queue;
        this.partition = partition;
        this.settings = settings;
        this.sender = Thread.ofVirtual().name("queen-push-" + queue).unstarted(this::run);
    }

    static <T> BufferedPush<T> start(Context context, String queue, @Nullable String partition, Settings settings) {
        BufferedPush<T> buffer = new BufferedPush<>(context, queue, partition, settings);
        context.running().add(buffer);
        buffer.sender.start();
        return buffer;
    }

    /**
     * Takes the message and returns; the future completes when it is stored, or fails when it could not be. Whoever does
     * not look at it hears of failures from {@link #flush} and {@link #close}. What is chained to it runs on the thread that
     * sends, so it should be quick or be chained asynchronously.
     *
     * @throws BufferFullException when there is no room and the buffer was told not to wait
     */
    public CompletableFuture<Stored> push(T value) {
        return take(Message.from(value));
    }

    /** The same for a message with ids of its own, and a partition unless this buffer is for one. */
    public CompletableFuture<Stored> push(Message<? extends T> message) {
        return take(message);
    }

    private CompletableFuture<Stored> take(Message<?> message) {
        Push.Item item = context.tracing().pushing(queue,
                headers -> Push.Item.of(queue, partition, message, headers, context.payloads()));
        Entry entry = new Entry(item, message, System.nanoTime(), new CompletableFuture<>());
        lock.lock();
        try {
            awaitRoom();
            waiting.add(entry);
            takenCount++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        return entry.stored().copy();
    }

    /**
     * Waits until everything taken so far is stored.
     *
     * @throws UnsentException when something of it, or of what was taken since the last flush, was not
     */
    public void flush() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long wanted = takenCount;
            while (decidedCount < wanted) {
                changed.await();
            }
            throwUnsent();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes nothing more, and stores what was taken.
     *
     * @throws UnsentException when something could not be stored, now or since the last flush
     */
    @Override
    public void close() {
        boolean isDone = endSending(settings.closeWithin());
        if (!isDone) {
            abandon();
        }
        context.running().remove(this);
        lock.lock();
        try {
            throwUnsent();
        } finally {
            lock.unlock();
        }
    }

    private boolean endSending(Duration within) {
        lock.lock();
        try {
            isClosed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        return hasEndedWithin(within);
    }

    private boolean hasEndedWithin(Duration duration) {
        try {
            return sender.join(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Time is up: the request under way is given up, and what was never sent is told so. */
    private void abandon() {
        lock.lock();
        try {
            isAbandoned = true;
        } finally {
            lock.unlock();
        }
        sender.interrupt();
        hasEndedWithin(ABANDON_GRACE);
    }

    private void awaitRoom() {
        try {
            while (!isClosed && waiting.size() + sending >= settings.capacity()) {
                if (settings.whenFull() == WhenFull.FAIL) {
                    throw new BufferFullException(
                            settings.capacity() + " messages for " + queue + " are waiting already");
                }
                changed.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("interrupted while waiting for room in the buffer of " + queue, e);
        }
        if (isClosed) {
            throw new IllegalStateException("the buffer is closed");
        }
    }

    private void throwUnsent() {
        if (unsentCount > 0) {
            UnsentException report = new UnsentException(unsent, unsentCount);
            unsent.clear();
            unsentCount = 0;
            throw report;
        }
    }

    private void run() {
        for (List<Entry> batch = next(); !batch.isEmpty(); batch = next()) {
            send(batch);
        }
    }

    /** What goes with the next request; empty at the end. */
    private List<Entry> next() {
        lock.lock();
        try {
            while (waiting.isEmpty() && !isClosed) {
                changed.awaitUninterruptibly();
            }
            List<Entry> batch = new ArrayList<>();
            long bytes = 0;
            while (!waiting.isEmpty() && batch.size() < settings.batch()
                    && (batch.isEmpty() || bytes + waiting.peek().item().payload().length <= REQUEST_BYTES_MAX)) {
                Entry entry = waiting.poll();
                bytes += entry.item().payload().length;
                batch.add(entry);
            }
            sending = batch.size();
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private void send(List<Entry> batch) {
        if (isAbandoned()) {
            QueenException late = new UnavailableException("the buffer was closed before this message was sent", null);
            batch.forEach(entry -> fail(entry, late));
            return;
        }
        try {
            List<PushResult> results = Push.send(context.wire(), batch.stream().map(Entry::item).toList(),
                    patience(batch.getFirst()));
            for (int i = 0; i < batch.size(); i++) {
                decide(batch.get(i), results.get(i));
            }
        } catch (RefusedException e) {
            // Nothing of the request was stored because something in it is wrong; it must not take the others with it.
            if (batch.size() == 1 || e.isAboutAccess()) {
                batch.forEach(entry -> fail(entry, e));
            } else {
                send(batch.subList(0, batch.size() / 2));
                send(batch.subList(batch.size() / 2, batch.size()));
            }
        } catch (QueenException e) {
            batch.forEach(entry -> fail(entry, e));
        } catch (RuntimeException e) {
            batch.forEach(entry -> fail(entry, new OutcomeUnknownException("cannot push: " + e.getMessage(), e)));
        }
    }

    private Duration patience(Entry first) {
        Duration left = settings.giveUpAfter().minusNanos(System.nanoTime() - first.takenNs());
        return left.isNegative() ? Duration.ZERO : left;
    }

    private boolean isAbandoned() {
        lock.lock();
        try {
            return isAbandoned;
        } finally {
            lock.unlock();
        }
    }

    private void decide(Entry entry, PushResult result) {
        switch (result) {
            case Stored stored -> {
                makeRoom();
                entry.stored().complete(stored);
                countDecided();
            }
            case Rejected rejected -> fail(entry, new RejectedException(rejected, List.of(rejected)));
        }
    }

    private void fail(Entry entry, QueenException reason) {
        lock.lock();
        try {
            unsentCount++;
            if (unsent.size() < UNSENT_KEPT_MAX) {
                unsent.add(new Unsent(entry.message().transactionId(entry.item().transactionId()), reason));
            }
        } finally {
            lock.unlock();
        }
        makeRoom();
        entry.stored().completeExceptionally(reason);
        countDecided();
    }

    /** Before the future is completed, because what is chained to it may push again. */
    private void makeRoom() {
        lock.lock();
        try {
            sending--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** After the future is completed, so that nobody finds it undecided when a flush is over. */
    private void countDecided() {
        lock.lock();
        try {
            decidedCount++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** See {@link BufferedPushBuilder}. */
    record Settings(int capacity, int batch, WhenFull whenFull, Duration giveUpAfter, Duration closeWithin) {}

    private record Entry(Push.Item item, Message<?> message, long takenNs, CompletableFuture<Stored> stored) {}
}
