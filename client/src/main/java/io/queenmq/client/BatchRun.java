package io.queenmq.client;

import io.queenmq.client.Acks.Item;
import io.queenmq.client.Acks.ItemResult;
import io.queenmq.client.Acks.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the handler for one popped batch, partition by partition. Called by one worker. Other threads renew the lease,
 * and release partitions that have not been started.
 */
final class BatchRun<T> {
    private static final Logger log = LoggerFactory.getLogger(BatchRun.class);

    /** The duration of a usual lease. A later acknowledgment would be rejected. */
    private static final Duration ACK_RETRY_FOR = Duration.ofMinutes(5);

    private final RunningConsumer consumer;
    private final Context context;
    private final ConsumerSettings settings;
    private final Lease lease;
    private final List<Delivery<T>> deliveries;
    private final AckBuffer acks;
    private final @Nullable LeaseRenewer renewer;
    private final Set<Delivery<?>> reportedLost = ConcurrentHashMap.newKeySet();
    private final Set<Delivery<?>> reportedFailed = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashMap<String, List<Delivery<T>>> waiting = new LinkedHashMap<>();
    private @Nullable Thread handlerThread;

    BatchRun(RunningConsumer consumer, Context context, ConsumerSettings settings, List<Delivery<T>> deliveries) {
        this.consumer = consumer;
        this.context = context;
        this.settings = settings;
        this.deliveries = deliveries;
        this.lease = deliveries.getFirst().lease();
        this.acks = new AckBuffer(context, this::reportLost, this::reportDeadLettered,
                () -> consumer.isAbandoned() ? Duration.ZERO : ACK_RETRY_FOR);
        this.renewer = lease == Lease.NONE ? null : new LeaseRenewer(context, lease, settings.lease(), this::onLost);
        for (Delivery<T> each : deliveries) {
            waiting.computeIfAbsent(each.partitionId(), id -> new ArrayList<>()).add(each);
        }
    }

    /** Returns the number of deliveries passed to the handler. */
    int run(HandlerInvoker<T> work) {
        try {
            int handled = 0;
            for (List<Delivery<T>> partition = nextPartition(); partition != null; partition = nextPartition()) {
                handled += work.run(this, partition);
            }
            return handled;
        } finally {
            try {
                acks.send();
            } finally {
                if (renewer != null) {
                    renewer.release();
                }
            }
        }
    }

    /** Returns the next partition; null at the end. */
    private @Nullable List<Delivery<T>> nextPartition() {
        if (consumer.isClosing()) {
            releaseRemaining();
        }
        lock.lock();
        try {
            return waiting.isEmpty() ? null : waiting.pollFirstEntry().getValue();
        } finally {
            lock.unlock();
        }
    }

    /** Releases the partitions that have not been started, so that other consumers can lease them. Thread-safe. */
    void releaseRemaining() {
        if (lease == Lease.NONE) {
            // The messages are finished at the server, so no other consumer would receive them.
            return;
        }
        List<Item> firsts = new ArrayList<>();
        lock.lock();
        try {
            waiting.values().forEach(partition -> firsts.add(new Item(partition.getFirst(), Status.RETRY, null)));
            waiting.clear();
        } finally {
            lock.unlock();
        }
        if (!firsts.isEmpty()) {
            acks.send(firsts.toArray(Item[]::new));
        }
    }

    /** Returns true if the handler may be called with this message. */
    boolean mayStart(Delivery<T> delivery) {
        return !lease.isLostFor(delivery.partitionId()) && !consumer.isClosing();
    }

    /**
     * Calls the handler of one message within the trace of the message. A failure is reported to the listener before
     * the trace ends.
     */
    <R> R handle(Delivery<T> delivery, Callable<R> handler) throws Exception {
        return context.tracing().handling(delivery, () -> callReporting(List.of(delivery), handler));
    }

    /** Calls the handler of several messages of one partition within their trace. */
    <R> R handleAll(List<Delivery<T>> partition, Callable<R> handler) throws Exception {
        return context.tracing().handlingAll(partition, () -> callReporting(partition, handler));
    }

    private <R> R callReporting(List<Delivery<T>> partition, Callable<R> handler) throws Exception {
        try {
            return call(handler);
        } catch (Throwable failure) {
            // Further undecodable messages are found later.
            if (failure instanceof BatchException) {
                throw failure;
            }
            partition.stream().filter(Delivery::isUndecodable).findFirst()
                    .or(() -> partition.stream().filter(each -> !each.isSettled()).findFirst())
                    .ifPresent(each -> reportFailure(each, failure));
            throw failure;
        }
    }

    /** Calls the handler. The handler thread may be interrupted only during this call. */
    private <R> R call(Callable<R> handler) throws Exception {
        lock.lock();
        handlerThread = Thread.currentThread();
        lock.unlock();
        try {
            return handler.call();
        } finally {
            lock.lock();
            handlerThread = null;
            lock.unlock();
            Thread.interrupted();
        }
    }

    void ack(Delivery<T> delivery) {
        if (!delivery.isSettled()) {
            acks.add(new Item(delivery, Status.COMPLETED, null));
        }
    }

    /**
     * Stores the outcome of a message.
     *
     * @param following the next message of the partition; null for none
     * @return true if the handler may be called with the next message of the partition
     */
    boolean settle(Delivery<T> delivery, Outcome outcome, @Nullable Delivery<T> following) {
        switch (outcome) {
            case Outcome.Ack ack -> ack(delivery);
            case Outcome.DeadLetter dead -> acks.add(new Item(delivery, Status.DEAD, dead.reason()));
            case Outcome.RetryAfter retry -> retryAfter(delivery, retry.delay());
            case Outcome.RetryAt retry -> retryAfter(delivery, until(retry.time()));
            case Outcome.Fail fail -> fail(delivery, fail.reason(), following);
        }
        return outcome instanceof Outcome.Ack || outcome instanceof Outcome.DeadLetter;
    }

    /** Stores the outcome of a message whose handler threw. */
    boolean settleFailure(Delivery<T> delivery, Throwable failure, @Nullable Delivery<T> following) {
        if (consumer.isAbandoned()) {
            // The handler was interrupted by the shutdown, so the attempt does not count as a failure.
            release(delivery);
            return false;
        }
        reportFailure(delivery, failure);
        if (lease.isLostFor(delivery.partitionId())) {
            return false;
        }
        return settle(delivery, decide(delivery, failure), following);
    }

    private Outcome decide(Delivery<T> delivery, Throwable failure) {
        try {
            ErrorHandler handler = delivery.isUndecodable() ? settings.undecodable() : settings.errorHandler();
            Outcome outcome = handler.decide(delivery, failure);
            return outcome == null ? Outcome.fail(failure.toString()) : outcome;
        } catch (Throwable worse) {
            if (worse != failure) {
                settings.listener().handlerFailed(delivery, worse);
            }
            return Outcome.fail(worse.toString());
        }
    }

    /**
     * Stores the outcomes of the messages of one partition, in their order. Finished messages are stored first, because
     * a failure ends the lease.
     */
    void settleAll(List<Delivery<T>> partition, List<Outcome> outcomes) {
        List<Item> failed = new ArrayList<>();
        List<Delivery<T>> delayed = new ArrayList<>();
        List<Duration> delays = new ArrayList<>();
        for (int i = 0; i < partition.size(); i++) {
            Delivery<T> delivery = partition.get(i);
            if (delivery.isSettled()) {
                continue;
            }
            switch (outcomes.get(i)) {
                case Outcome.Ack ack -> ack(delivery);
                case Outcome.DeadLetter dead -> acks.add(new Item(delivery, Status.DEAD, dead.reason()));
                case Outcome.Fail fail -> failed.add(new Item(delivery, Status.FAILED, fail.reason()));
                case Outcome.RetryAfter retry -> {
                    delayed.add(delivery);
                    delays.add(retry.delay());
                }
                case Outcome.RetryAt retry -> {
                    delayed.add(delivery);
                    delays.add(until(retry.time()));
                }
            }
        }
        // The partition waits for the first delayed message. The others are redelivered after it.
        if (!failed.isEmpty()) {
            failAll(failed, delayed.isEmpty() ? null : delayed.getFirst());
        } else if (!delayed.isEmpty()) {
            retryAfter(delayed.getFirst(), delays.getFirst());
        }
    }

    private void failAll(List<Item> failed, @Nullable Delivery<T> released) {
        List<ItemResult> results = acks.send(failed.toArray(Item[]::new));
        consumer.onRetry(failed.getFirst().delivery());
        if (released != null && results.stream().noneMatch(ItemResult::isLeaseReleased)) {
            acks.send(new Item(released, Status.RETRY, null));
        }
    }

    private static Duration until(Instant time) {
        Duration left = Duration.between(Instant.now(), time);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Reports a failed attempt and releases the rest of the partition. */
    private void fail(Delivery<T> delivery, String reason, @Nullable Delivery<T> following) {
        ItemResult response = acks.send(new Item(delivery, Status.FAILED, reason)).getFirst();
        if (response.result() instanceof AckResult.Accepted) {
            consumer.onRetry(delivery);
        }
        if (following != null && !response.isLeaseReleased()) {
            // After the last attempt the message is dead-lettered and the lease is still valid. Release the rest of the
            // partition.
            acks.send(new Item(following, Status.RETRY, null));
        }
    }

    /**
     * Fails messages of one partition that failed together. The failing message among them is unknown. Therefore an
     * error handler cannot dead-letter or acknowledge several of them; they fail, and the last attempt is made one
     * message at a time.
     */
    void settleFailures(List<Delivery<T>> partition, Throwable failure) {
        Delivery<T> first = partition.getFirst();
        if (consumer.isAbandoned()) {
            release(first);
            return;
        }
        reportFailure(first, failure);
        if (lease.isLostFor(first.partitionId())) {
            return;
        }
        Outcome outcome = decide(first, failure);
        boolean isDelayed = outcome instanceof Outcome.RetryAfter || outcome instanceof Outcome.RetryAt;
        if (partition.size() == 1 || isDelayed) {
            settle(first, outcome, null);
            return;
        }
        String reason = outcome instanceof Outcome.Fail fail ? fail.reason() : failure.toString();
        acks.send(partition.stream().map(each -> new Item(each, Status.FAILED, reason)).toArray(Item[]::new));
        consumer.onRetry(first);
    }

    /** Releases this message and the following ones of its partition. */
    void release(Delivery<T> delivery) {
        if (lease.isLostFor(delivery.partitionId())) {
            return;
        }
        if (consumer.isAbandoned()) {
            // The interrupt was meant for the handler. This request must still be sent.
            Thread.interrupted();
        }
        acks.send(new Item(delivery, Status.RETRY, null));
    }

    /** Releases the message after the delay. The lease is renewed until then. */
    private void retryAfter(Delivery<T> delivery, Duration delay) {
        LeaseRenewer held = renewer;
        if (delay.isZero() || held == null) {
            release(delivery);
            return;
        }
        acks.send();
        held.retain();
        consumer.retryLater(delay, () -> {
            release(delivery);
            held.release();
        });
    }

    /**
     * Reports a failure to the listener, at most once per delivery. A handler that was interrupted by the shutdown has
     * not failed, unless its message is lost because it was popped at most once.
     */
    void reportFailure(Delivery<T> delivery, Throwable failure) {
        boolean isHandedBack = consumer.isAbandoned() && lease != Lease.NONE;
        if (!isHandedBack && reportedFailed.add(delivery)) {
            settings.listener().handlerFailed(delivery, failure);
        }
    }

    /** Reports a dead letter to the listener, whose failure must not affect the acknowledgments. */
    private void reportDeadLettered(Delivery<?> delivery, String reason) {
        try {
            settings.listener().deadLettered(delivery, reason);
        } catch (RuntimeException e) {
            log.error("consumer listener failed for the dead letter {}", delivery, e);
        }
    }

    /** Reports a lost lease to the listener, at most once per delivery. */
    private void reportLost(Delivery<?> delivery) {
        if (reportedLost.add(delivery)) {
            settings.listener().leaseLost(delivery);
        }
    }

    private void onLost() {
        List<Delivery<T>> open = deliveries.stream().filter(each -> !each.isSettled()).toList();
        open.forEach(this::reportLost);
        if (open.isEmpty() || !settings.isInterrupting()) {
            return;
        }
        lock.lock();
        try {
            if (handlerThread != null) {
                handlerThread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }
}
