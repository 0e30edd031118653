package io.queenmq.client;

import io.queenmq.client.error.QueenException;
import io.queenmq.client.error.RefusedException;
import io.queenmq.client.operator.Operator;
import io.queenmq.client.wire.Episode;
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

/** A consumer at work, which keeps the JVM alive. Close it to stop: what was begun is finished first. */
public final class RunningConsumer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RunningConsumer.class);

    /** A request that is being answered comes back within this; to cut it off would leave its messages leased to nobody. */
    private static final Duration POLL_GRACE = Duration.ofMillis(500);
    static final Duration ABANDON_GRACE = Duration.ofSeconds(5);

    private final String name;
    private final Context context;
    private final ConsumerSettings settings;
    private final Budget budget;
    private final IdleWatch idle = new IdleWatch();
    private final Resting resting;
    private final Retries retries;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Episode refusals = new Episode();
    private final CountDownLatch letGo = new CountDownLatch(1);
    private final List<Worker<?>> workers = new ArrayList<>();
    /** Workers, and those who give back for them. */
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
        this.resting = new Resting(context, idle);
        this.retries = new Retries(new Operator(context.wire()).partitions());
    }

    static <T> RunningConsumer start(GroupView<T> group, ConsumerSettings settings, PartitionWork<T> work,
            boolean isAtMostOnce) {
        group.requireConsumable();
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
    private <T> Worker.@Nullable First<T> subscribe(GroupView<T> group, boolean isAtMostOnce) {
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
     * Stops asking for messages, gives back at once what was fetched and not begun, which counts as no failure, and waits
     * until handlers at work have ended and their messages are acknowledged. Those that take too long are interrupted, and
     * their messages handed back, too. Called by a handler it returns at once, and the consumer ends after that handler.
     */
    @Override
    public void close() {
        if (isClosing.compareAndSet(false, true)) {
            stopPolling();
            workers.forEach(worker -> workAside(worker::giveBackWaiting));
            workAside(resting::endAll);
        }
        if (isOwnThread()) {
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

    /** While a handler is at work, which may take its time. Nothing is left to do when the last worker has ended. */
    private void workAside(Runnable task) {
        if (working.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0) {
            Thread thread = Thread.ofVirtual().name("queen-give-back-" + name).unstarted(() -> work(task));
            threads.add(thread);
            thread.start();
        }
    }

    /** Whether this is one of its own threads, which cannot wait for itself. */
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

    /** Whether nothing new may be begun. */
    boolean isClosing() {
        return isClosing.get();
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
        if (settings.idle() == null || idle.idleFor().compareTo(settings.idle()) < 0) {
            return;
        }
        if (retries.areDue()) {
            idle.restart();
        } else {
            stopPolling();
        }
    }

    /** This message is delivered again, after a while. */
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

    /** Servers answer, but not with messages: the token may be wrong. One that does not answer at all is spoken of elsewhere. */
    void onRefusal(RefusedException refusal) {
        refusals.onFailure(System.nanoTime()).ifPresent(
                since -> log.warn("{}: servers refuse to give messages, and are asked again: {}", name,
                        refusal.getMessage()));
    }

    void onWelcome() {
        refusals.onSuccess(System.nanoTime()).ifPresent(
                away -> log.info("{}: servers give messages again, after {} s", name, away.toSeconds()));
    }

    void onBug(RuntimeException bug) {
        log.error("{}: a batch was not handled to its end; what is left of it is delivered again", name, bug);
    }

    /** There is no use in going on. */
    void fail(QueenException cause) {
        if (isPolling()) {
            log.error("{}: the consumer ends, because servers refuse it: {}", name, cause.getMessage());
        }
        failure = cause;
        stopPolling();
    }

    void rest(Duration delay, Runnable end) {
        resting.add(delay, end);
    }
}
