package io.queenmq.client;

import io.queenmq.client.error.QueenException;
import io.queenmq.client.error.RefusedException;
import io.queenmq.client.operator.Operator;
import io.queenmq.client.wire.FailureLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running consumer. It keeps the JVM alive. {@link #close} stops it after the running handlers. */
public final class RunningConsumer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RunningConsumer.class);

    /**
     * The time for a response that the server is already sending. Canceling earlier would leave its messages leased
     * without a consumer.
     */
    private static final Duration POLL_GRACE = Duration.ofMillis(500);
    static final Duration ABANDON_GRACE = Duration.ofSeconds(5);

    private final String name;
    private final Context context;
    private final ConsumerSettings settings;
    private final Budget budget;
    private final IdleTimer idle = new IdleTimer();
    private final DelayedRetries delayedRetries;
    private final PendingRetries retries;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final FailureLog rejections = new FailureLog();
    private final CountDownLatch keepAliveEnd = new CountDownLatch(1);
    private final List<Worker<?>> workers = new ArrayList<>();
    /** The workers, and the threads that release messages for them. */
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final AtomicInteger working = new AtomicInteger();
    private final AtomicBoolean isClosing = new AtomicBoolean();
    private volatile boolean isAbandoned;
    private volatile @Nullable QueenException failure;

    private RunningConsumer(String name, Context context, ConsumerSettings settings) {
        this.name = name;
        this.context = context;
        this.settings = settings;
        this.budget = new Budget(settings.limit());
        this.delayedRetries = new DelayedRetries(context, idle);
        this.retries = new PendingRetries(new Operator(context.wire()).partitions());
    }

    static <T> RunningConsumer start(GroupView<T> group, ConsumerSettings settings, HandlerInvoker<T> work,
            boolean isAtMostOnce) {
        group.requireConsumable();
        RunningConsumer consumer = new RunningConsumer(group.toString(), group.context(), settings);
        Worker.InitialBatch<T> first = consumer.subscribe(group, isAtMostOnce);
        for (int i = 0; i < settings.concurrency(); i++) {
            Worker<T> worker = new Worker<>(consumer, group, settings, work, isAtMostOnce, i == 0 ? first : null);
            consumer.workers.add(worker);
            consumer.threads.add(Thread.ofVirtual().name("queen-consumer-" + consumer.name + "-" + i)
                    .unstarted(() -> consumer.work(worker)));
        }
        consumer.working.set(settings.concurrency());
        consumer.context.running().add(consumer);
        consumer.keepJvmAlive();
        consumer.threads.forEach(Thread::start);
        return consumer;
    }

    /** Starts a thread that keeps the JVM alive. All other threads of the client are daemons or virtual threads. */
    private void keepJvmAlive() {
        Thread.ofPlatform().name("queen-alive-" + name).daemon(false).start(() -> {
            try {
                keepAliveEnd.await();
            } catch (InterruptedException e) {
                log.debug("{}: keep-alive thread interrupted, the JVM may exit", name);
            }
        });
    }

    /**
     * A consumer that starts with new messages must be subscribed before this method returns. Otherwise it would miss
     * messages that are pushed right after.
     */
    private <T> Worker.@Nullable InitialBatch<T> subscribe(GroupView<T> group, boolean isAtMostOnce) {
        if (!(settings.pop().from() instanceof StartPosition.Now)) {
            return null;
        }
        try {
            int acquired = budget.acquire(settings.pop().batch());
            PopOptions options = settings.pop().batch(acquired).waitFor(Duration.ZERO);
            return new Worker.InitialBatch<>(group.batch(context.wire().send(group.call(options, isAtMostOnce))),
                    acquired);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the consumer was starting", e);
        }
    }

    private void work(Runnable task) {
        try {
            task.run();
        } finally {
            if (working.decrementAndGet() == 0) {
                end();
            }
        }
    }

    private void end() {
        stopPolling();
        delayedRetries.endAll();
        context.running().remove(this);
        keepAliveEnd.countDown();
        if (failure == null) {
            ended.complete(null);
        } else {
            ended.completeExceptionally(failure);
        }
    }

    /**
     * Returns a future that completes when the consumer has ended: closed, limit reached, idle, or rejected by the
     * server.
     */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    /**
     * Waits until the consumer has ended.
     *
     * @throws QueenException if it ended because servers reject it
     */
    public void awaitEnd() throws InterruptedException {
        try {
            ended.get();
        } catch (ExecutionException e) {
            throw failure;
        }
    }

    /**
     * Stops fetching, releases unprocessed messages at once without counting a failure, and waits until running
     * handlers have returned and their messages are acknowledged. Handlers that exceed the drain time are interrupted,
     * and their messages are released. If a handler calls this method, it returns at once, and the consumer ends after
     * that handler.
     */
    @Override
    public void close() {
        if (isClosing.compareAndSet(false, true)) {
            stopPolling();
            workers.forEach(worker -> runInBackground(worker::releaseRemaining));
            runInBackground(delayedRetries::endAll);
        }
        if (isOwnThread()) {
            return;
        }
        if (hasEndedWithin(settings.drain())) {
            return;
        }
        log.warn("{}: handlers still running after {}, interrupting them", name, settings.drain());
        isAbandoned = true;
        threads.forEach(Thread::interrupt);
        if (!hasEndedWithin(ABANDON_GRACE)) {
            log.error(
                    "{}: a handler does not return although it was interrupted; its messages are redelivered when their "
                            + "lease expires",
                    name);
            context.running().remove(this);
            keepAliveEnd.countDown();
        }
    }

    /**
     * Runs a task on another thread, because a running handler may take long. Does nothing after the last worker has
     * ended.
     */
    private void runInBackground(Runnable task) {
        if (working.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0) {
            Thread thread = Thread.ofVirtual().name("queen-give-back-" + name).unstarted(() -> work(task));
            threads.add(thread);
            thread.start();
        }
    }

    /** Returns true on a thread of this consumer, which must not wait for itself. */
    boolean isOwnThread() {
        return threads.contains(Thread.currentThread());
    }

    private boolean hasEndedWithin(Duration duration) {
        try {
            ended.get(duration.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void stopPolling() {
        stopping.countDown();
        budget.close();
        cancelPollsSoon();
    }

    void cancelPollsSoon() {
        try {
            context.timer().schedule(() -> workers.forEach(Worker::cancelPoll), POLL_GRACE.toMillis(),
                    TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            workers.forEach(Worker::cancelPoll);
        }
    }

    boolean isPolling() {
        return stopping.getCount() > 0;
    }

    /** Returns true if no further message may be started. */
    boolean isClosing() {
        return isClosing.get();
    }

    boolean isAbandoned() {
        return isAbandoned;
    }

    Budget budget() {
        return budget;
    }

    IdleTimer idle() {
        return idle;
    }

    /** Returns how long the next request may wait: at most until the consumer would count as idle. */
    Duration waitFor() {
        Duration waitFor = settings.pop().waitFor();
        if (settings.idle() == null) {
            return waitFor;
        }
        Duration rest = settings.idle().minus(idle.idleFor());
        Duration least = Duration.ofMillis(10);
        return rest.compareTo(least) < 0 ? least : rest.compareTo(waitFor) < 0 ? rest : waitFor;
    }

    void stopIfIdle() {
        if (settings.idle() == null || idle.idleFor().compareTo(settings.idle()) < 0) {
            return;
        }
        if (retries.areDue()) {
            idle.restart();
        } else {
            stopPolling();
        }
    }

    /** Records that this message will be redelivered after its delay. */
    void onRetry(Delivery<?> delivery) {
        if (settings.idle() != null) {
            retries.add(delivery);
        }
    }

    void pause(Duration pause) throws InterruptedException {
        if (!pause.isZero()) {
            stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Logs that a server rejects pops, for example because of the token. Endpoint logs servers that do not respond. */
    void onPopRejected(RefusedException refusal) {
        rejections.onFailure(System.nanoTime())
                .ifPresent(since -> log.warn("{}: pop rejected by server, retrying: {}", name, refusal.getMessage()));
    }

    void onPopAccepted() {
        rejections.onSuccess(System.nanoTime())
                .ifPresent(away -> log.info("{}: pop accepted again after {} s", name, away.toSeconds()));
    }

    void onUnexpectedFailure(RuntimeException bug) {
        log.error("{}: processing of a batch failed, its unfinished messages are redelivered", name, bug);
    }

    /** Ends the consumer because of an error that retries cannot resolve. */
    void fail(QueenException cause) {
        if (isPolling()) {
            log.error("{}: consumer stopped, server rejects it: {}", name, cause.getMessage());
        }
        failure = cause;
        stopPolling();
    }

    void retryLater(Duration delay, Runnable end) {
        delayedRetries.add(delay, end);
    }
}
