package io.queenmq.client;

import io.queenmq.client.PushResult.Rejected;
import io.queenmq.client.PushResult.Stored;
import io.queenmq.client.Tracing.PushTrace;
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
 * Pushes messages in the background. Messages that arrive while a request is in flight are sent with the next one, so
 * requests grow with the load and no message waits for others. At most one request is in flight, and a failed request
 * is retried before the next is sent: the order of the messages is preserved. Thread-safe.
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
    private long acceptedCount;
    private long finishedCount;
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
     * Accepts the message and returns. The future completes when the message is stored, and fails if it could not be
     * stored. If the application ignores the future, {@link #flush} and {@link #close} report the failure. Dependents
     * of the future run on the sending thread; they must be quick or asynchronous.
     *
     * @throws BufferFullException if the buffer is full and configured with {@link WhenFull#FAIL}
     */
    public CompletableFuture<Stored> push(T value) {
        return accept(Message.from(value));
    }

    /** Pushes a message with its own ids, and with its own partition unless this buffer belongs to one. */
    public CompletableFuture<Stored> push(Message<? extends T> message) {
        return accept(message);
    }

    private CompletableFuture<Stored> accept(Message<?> message) {
        PushTrace trace = context.tracing().startPush(queue, partition == null ? message.partition() : partition, 1);
        try {
            Push.Item item = Push.Item.of(queue, partition, message, trace.headers(), context.payloads());
            Entry entry = new Entry(item, message, System.nanoTime(), new CompletableFuture<>(), trace);
            add(entry);
            return entry.stored().copy();
        } catch (RuntimeException e) {
            trace.end(e);
            throw e;
        }
    }

    private void add(Entry entry) {
        lock.lock();
        try {
            awaitCapacity();
            waiting.add(entry);
            acceptedCount++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until all messages accepted so far are stored.
     *
     * @throws UnsentException if a message accepted since the last flush was not stored
     */
    public void flush() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long wanted = acceptedCount;
            while (finishedCount < wanted) {
                changed.await();
            }
            throwUnsent();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Accepts no more messages, and stores the accepted ones.
     *
     * @throws UnsentException if a message could not be stored since the last flush
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

    /** Cancels the request in flight and fails the messages that were never sent. */
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

    private void awaitCapacity() {
        try {
            while (!isClosed && waiting.size() + sending >= settings.capacity()) {
                if (settings.whenFull() == WhenFull.FAIL) {
                    throw new BufferFullException(
                            settings.capacity() + " messages for " + queue + " are pending; the buffer is full");
                }
                changed.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("interrupted while waiting for capacity in the buffer of " + queue, e);
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

    /** Returns the messages of the next request; empty at the end. */
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
                    retryFor(batch.getFirst()));
            for (int i = 0; i < batch.size(); i++) {
                finish(batch.get(i), results.get(i));
            }
        } catch (RefusedException e) {
            // The server stored nothing of the request because of an invalid message. The other messages must not fail
            // with it.
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

    private Duration retryFor(Entry first) {
        Duration left = settings.giveUpAfter().minusNanos(System.nanoTime() - first.acceptedNs());
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

    private void finish(Entry entry, PushResult result) {
        switch (result) {
            case Stored stored -> {
                freeCapacity();
                entry.trace().end(null);
                entry.stored().complete(stored);
                countFinished();
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
        freeCapacity();
        entry.trace().end(reason);
        entry.stored().completeExceptionally(reason);
        countFinished();
    }

    /** Must be called before the future is completed, because its dependents may push again. */
    private void freeCapacity() {
        lock.lock();
        try {
            sending--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Must be called after the future is completed, so that all futures are complete when a flush returns. */
    private void countFinished() {
        lock.lock();
        try {
            finishedCount++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The settings of {@link BufferedPushBuilder}. */
    record Settings(int capacity, int batch, WhenFull whenFull, Duration giveUpAfter, Duration closeWithin) {}

    private record Entry(Push.Item item, Message<?> message, long acceptedNs, CompletableFuture<Stored> stored,
            PushTrace trace) {}
}
