package io.queenmq.client;

import io.queenmq.client.error.QueenException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A consumer at work, which keeps the JVM alive. Close it to stop: what was begun is finished first. */
public final class RunningConsumer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RunningConsumer.class);

    /** A request that is being answered comes back within this; to cut it off would leave its messages leased to nobody. */
    private static final Duration POLL_GRACE = Duration.ofMillis(500);
    private static final Duration ABANDON_GRACE = Duration.ofSeconds(5);

    private final String name;
    private final Context context;
    private final ConsumerSettings settings;
    private final Budget budget;
    private final IdleWatch idle = new IdleWatch();
    private final Resting resting;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final CountDownLatch letGo = new CountDownLatch(1);
    private final List<Worker<?>> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger working = new AtomicInteger();
    private volatile boolean isAbandoned;
    private volatile QueenException failure;

    private RunningConsumer(String name, Context context, ConsumerSettings settings) {
        this.name = name;
        this.context = context;
        this.settings = settings;
        this.budget = new Budget(settings.limit());
        this.resting = new Resting(context, idle);
    }

    static <T> RunningConsumer start(GroupView<T> group, ConsumerSettings settings, LaneWork<T> work,
            boolean isAtMostOnce) {
        RunningConsumer consumer = new RunningConsumer(group.toString(), group.context(), settings);
        Worker.First<T> first = consumer.subscribe(group, isAtMostOnce);
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

    /** All other threads of the client are daemons or virtual: without this one, an application that only consumes would end. */
    private void keepJvmAlive() {
        Thread.ofPlatform().name("queen-alive-" + name).daemon(false).start(() -> {
            try {
                letGo.await();
            } catch (InterruptedException e) {
                log.debug("{}: the JVM is no longer kept alive", name);
            }
        });
    }

    /** Who wants only what is new must be known to the server before this returns, or it would miss what comes next. */
    private <T> Worker.First<T> subscribe(GroupView<T> group, boolean isAtMostOnce) {
        if (!(settings.pop().from() instanceof StartPosition.Now)) {
            return null;
        }
        try {
            int taken = budget.take(settings.pop().batch());
            PopOptions options = settings.pop().batch(taken).waitFor(Duration.ZERO);
            return new Worker.First<>(group.batch(context.wire().send(group.call(options, isAtMostOnce))), taken);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted before the consumer was started", e);
        }
    }

    private void work(Worker<?> worker) {
        try {
            worker.run();
        } finally {
            if (working.decrementAndGet() == 0) {
                end();
            }
        }
    }

    private void end() {
        stopPolling();
        resting.endAll();
        context.running().remove(this);
        letGo.countDown();
        if (failure == null) {
            ended.complete(null);
        } else {
            ended.completeExceptionally(failure);
        }
    }

    /** Completes when the consumer has ended: closed, done with its limit, idle for long enough, or refused. */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    /**
     * Waits until the consumer has ended by itself.
     *
     * @throws QueenException when it ended because servers refuse it
     */
    public void awaitEnd() throws InterruptedException {
        try {
            ended.get();
        } catch (ExecutionException e) {
            throw failure;
        }
    }

    /**
     * Stops asking for messages, waits until those that were delivered are handled and acknowledged, and hands back what
     * could not be handled in time. Called by a handler it returns at once, and the consumer ends after that handler.
     */
    @Override
    public void close() {
        stopPolling();
        if (threads.contains(Thread.currentThread())) {
            return;
        }
        if (hasEndedWithin(settings.drain())) {
            return;
        }
        log.warn("{}: handlers are still busy after {} and are interrupted", name, settings.drain());
        isAbandoned = true;
        threads.forEach(Thread::interrupt);
        if (!hasEndedWithin(ABANDON_GRACE)) {
            log.error(
                    "{}: a handler does not end although it was interrupted; its messages are delivered again when their "
                            + "lease runs out",
                    name);
            context.running().remove(this);
            letGo.countDown();
        }
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

    private void stopPolling() {
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

    boolean isAbandoned() {
        return isAbandoned;
    }

    Budget budget() {
        return budget;
    }

    IdleWatch idle() {
        return idle;
    }

    /** How long the next request may wait: no longer than until the consumer would have been idle for too long. */
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
        if (settings.idle() != null && idle.idleFor().compareTo(settings.idle()) >= 0) {
            stopPolling();
        }
    }

    void pause(Duration pause) throws InterruptedException {
        if (!pause.isZero()) {
            stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    void onBug(RuntimeException bug) {
        log.error("{}: a batch was not handled to its end; what is left of it is delivered again", name, bug);
    }

    /** There is no use in going on. */
    void fail(QueenException cause) {
        failure = cause;
        stopPolling();
    }

    void rest(Duration delay, Runnable end) {
        resting.add(delay, end);
    }
}
