package io.queenmq.client;

import io.queenmq.client.error.QueenException;
import io.queenmq.client.error.RefusedException;
import io.queenmq.client.wire.Reply;
import io.queenmq.client.wire.Wire;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pops a batch, handles it, and pops the next one until the consumer stops. Runs on one virtual thread. */
final class Worker<T> implements Runnable {
    private static final Duration PAUSE_MIN = Duration.ofMillis(50);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(1);
    private static final int NOT_FOUND = 404;
    /** The wait of a pop after a failure. It is short, so that the recovery of a server is noticed and logged soon. */
    private static final Duration WAIT_AFTER_FAILURE = Duration.ofSeconds(1);

    private final RunningConsumer consumer;
    private final GroupView<T> group;
    private final ConsumerSettings settings;
    private final HandlerInvoker<T> work;
    private final boolean isAtMostOnce;
    private final PartitionsPerPop partitionsPerPop;
    private @Nullable InitialBatch<T> first;
    private Duration pause = Duration.ZERO;
    private boolean hasFailed;
    private volatile Wire.@Nullable Attempt poll;
    private volatile @Nullable BatchRun<T> current;

    /** @param first null for none */
    Worker(RunningConsumer consumer, GroupView<T> group, ConsumerSettings settings, HandlerInvoker<T> work,
            boolean isAtMostOnce, @Nullable InitialBatch<T> first) {
        this.consumer = consumer;
        this.group = group;
        this.settings = settings;
        this.work = work;
        this.isAtMostOnce = isAtMostOnce;
        this.first = first;
        this.partitionsPerPop = new PartitionsPerPop(settings.maxPartitions());
    }

    @Override
    public void run() {
        try {
            while (consumer.isPolling() || first != null) {
                int wanted = first == null ? consumer.budget().acquire(settings.pop().batch()) : first.acquired();
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

    /** An unexpected failure must not end the worker. */
    private void handleNext(int wanted) {
        int handled = 0;
        try {
            handled = handle(next(wanted), wanted);
        } catch (RuntimeException e) {
            if (group.context().wire().isClosed()) {
                consumer.stopPolling();
                return;
            }
            consumer.onUnexpectedFailure(e);
            pause = PAUSE_MAX;
        } finally {
            consumer.budget().release(wanted - handled);
        }
    }

    /** Cancels the request that waits for messages. */
    void cancelPoll() {
        Wire.Attempt attempt = poll;
        if (attempt != null) {
            attempt.cancel();
        }
    }

    /** Releases messages that were fetched and not started. */
    void releaseRemaining() {
        BatchRun<T> run = current;
        if (run != null) {
            run.releaseRemaining();
        }
    }

    /** Returns the number of messages passed to the handler. */
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
            partitionsPerPop.adapt(wanted, batch.size(), batch.partitions(), System.nanoTime() - sinceNs);
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
        Duration waitFor = hasFailed && usual.compareTo(WAIT_AFTER_FAILURE) > 0 ? WAIT_AFTER_FAILURE : usual;
        long sinceNs = System.nanoTime();
        try {
            poll = group.context().wire()
                    .begin(group.call(
                            settings.pop().batch(wanted).maxPartitions(partitionsPerPop.partitions()).waitFor(waitFor),
                            isAtMostOnce));
            if (!consumer.isPolling()) {
                consumer.cancelPollsSoon();
            }
            Reply reply = poll.await();
            if (reply == null) {
                return none();
            }
            Batch<T> batch = group.batch(reply);
            hasFailed = false;
            consumer.onPopAccepted();
            // A server may return an empty response before the wait is over: the partition is leased, or the server is
            // stopping. Pause before the next request, so that such a server is not flooded.
            boolean isEarly = batch.isEmpty() && System.nanoTime() - sinceNs < waitFor.toNanos() / 2;
            pause = isEarly ? longer() : Duration.ZERO;
            return batch;
        } catch (RefusedException e) {
            if (e.isAboutAccess() || e.status() == NOT_FOUND) {
                consumer.onPopRejected(e);
            } else {
                consumer.fail(e);
            }
            hasFailed = true;
            settings.listener().popFailed(e);
            pause = PAUSE_MAX;
            return none();
        } catch (QueenException e) {
            hasFailed = true;
            settings.listener().popFailed(e);
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

    /** Messages that were popped before the worker started, with the acquired budget. */
    record InitialBatch<T>(Batch<T> batch, int acquired) {}
}
