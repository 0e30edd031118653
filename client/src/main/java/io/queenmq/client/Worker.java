package io.queenmq.client;

import io.queenmq.client.error.QueenException;
import io.queenmq.client.error.RefusedException;
import io.queenmq.client.wire.Reply;
import io.queenmq.client.wire.Wire;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pops a batch, handles it, and pops the next, until the consumer stops. Runs on one virtual thread. */
final class Worker<T> implements Runnable {
    private static final Duration PAUSE_MIN = Duration.ofMillis(50);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(1);
    private static final int NOT_FOUND = 404;
    /** After a failure, so that it is known soon that servers are back. */
    private static final Duration WAIT_UNSURE = Duration.ofSeconds(1);

    private final RunningConsumer consumer;
    private final GroupView<T> group;
    private final ConsumerSettings settings;
    private final PartitionWork<T> work;
    private final boolean isAtMostOnce;
    private final PartitionAppetite appetite;
    private @Nullable First<T> first;
    private Duration pause = Duration.ZERO;
    private boolean isUnsure;
    private volatile Wire.@Nullable Attempt poll;
    private volatile @Nullable BatchRun<T> current;

    /** @param first null for none */
    Worker(RunningConsumer consumer, GroupView<T> group, ConsumerSettings settings, PartitionWork<T> work,
            boolean isAtMostOnce, @Nullable First<T> first) {
        this.consumer = consumer;
        this.group = group;
        this.settings = settings;
        this.work = work;
        this.isAtMostOnce = isAtMostOnce;
        this.first = first;
        this.appetite = new PartitionAppetite(settings.maxPartitions());
    }

    @Override
    public void run() {
        try {
            while (consumer.isPolling() || first != null) {
                int wanted = first == null ? consumer.budget().take(settings.pop().batch()) : first.taken();
                if (wanted == 0) {
                    return;
                }
                handleNext(wanted);
                consumer.stopIfIdle();
                consumer.pause(pause);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whatever goes wrong in it, the consumer goes on. */
    private void handleNext(int wanted) {
        int handled = 0;
        try {
            handled = handle(next(wanted), wanted);
        } catch (RuntimeException e) {
            if (group.context().wire().isClosed()) {
                consumer.stopPolling();
                return;
            }
            consumer.onBug(e);
            pause = PAUSE_MAX;
        } finally {
            consumer.budget().giveBack(wanted - handled);
        }
    }

    /** Ends the request that waits for messages. */
    void cancelPoll() {
        Wire.Attempt attempt = poll;
        if (attempt != null) {
            attempt.cancel();
        }
    }

    /** What was fetched and not begun is for others. */
    void giveBackWaiting() {
        BatchRun<T> run = current;
        if (run != null) {
            run.giveBackWaiting();
        }
    }

    /** Returns how many messages were handed to the handler. */
    private int handle(Batch<T> batch, int wanted) {
        if (batch.isEmpty()) {
            return 0;
        }
        consumer.idle().enter();
        long sinceNs = System.nanoTime();
        try {
            current = new BatchRun<>(consumer, group.context(), settings, batch.deliveries());
            return current.run(work);
        } finally {
            current = null;
            appetite.learn(wanted, batch.size(), batch.partitions(), System.nanoTime() - sinceNs);
            consumer.idle().leave();
        }
    }

    private Batch<T> next(int wanted) {
        if (first == null) {
            return poll(wanted);
        }
        Batch<T> batch = first.batch();
        first = null;
        return batch;
    }

    private Batch<T> poll(int wanted) {
        Duration usual = consumer.waitFor();
        Duration waitFor = isUnsure && usual.compareTo(WAIT_UNSURE) > 0 ? WAIT_UNSURE : usual;
        long sinceNs = System.nanoTime();
        try {
            poll = group.context().wire()
                    .begin(group.call(
                            settings.pop().batch(wanted).maxPartitions(appetite.partitions()).waitFor(waitFor),
                            isAtMostOnce));
            if (!consumer.isPolling()) {
                consumer.cancelPollsSoon();
            }
            Reply reply = poll.await();
            if (reply == null) {
                return none();
            }
            Batch<T> batch = group.batch(reply);
            isUnsure = false;
            consumer.onWelcome();
            // Some answer at once that there is nothing, although they were asked to wait: a partition that is leased, a
            // server that is about to stop. Asking again and again would be a storm.
            boolean isHasty = batch.isEmpty() && System.nanoTime() - sinceNs < waitFor.toNanos() / 2;
            pause = isHasty ? longer() : Duration.ZERO;
            return batch;
        } catch (RefusedException e) {
            if (e.isAboutAccess() || e.status() == NOT_FOUND) {
                consumer.onRefusal(e);
            } else {
                consumer.fail(e);
            }
            isUnsure = true;
            settings.listener().onPopFailure(e);
            pause = PAUSE_MAX;
            return none();
        } catch (QueenException e) {
            isUnsure = true;
            settings.listener().onPopFailure(e);
            pause = longer();
            return none();
        } finally {
            poll = null;
        }
    }

    private Duration longer() {
        Duration doubled = pause.isZero() ? PAUSE_MIN : pause.multipliedBy(2);
        return doubled.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : doubled;
    }

    private Batch<T> none() {
        return new Batch<>(group.context(), Lease.NONE, List.of());
    }

    /** What was popped before the worker began, and the budget that was taken for it. */
    record First<T>(Batch<T> batch, int taken) {}
}
