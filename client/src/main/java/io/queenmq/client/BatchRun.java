package io.queenmq.client;

import static java.util.Objects.requireNonNull;

import io.queenmq.client.Acks.Answer;
import io.queenmq.client.Acks.Item;
import io.queenmq.client.Acks.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One popped batch on its way through the handler, partition by partition. Run by one worker; the lease is watched by others, and partitions
 * that were not begun can be given back by others.
 */
final class BatchRun<T> {
    /** As long as a lease usually lasts: until then an acknowledgement is still worth something. */
    private static final Duration ACK_RETRY_FOR = Duration.ofMinutes(5);

    private final RunningConsumer consumer;
    private final Context context;
    private final ConsumerSettings settings;
    private final Lease lease;
    private final List<Delivery<T>> deliveries;
    private final AckLine acks;
    private final @Nullable LeaseKeeper keeper;
    private final Set<Delivery<?>> toldLost = ConcurrentHashMap.newKeySet();
    private final Set<Delivery<?>> toldFailed = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashMap<String, List<Delivery<T>>> waiting = new LinkedHashMap<>();
    private @Nullable Thread handlerThread;

    BatchRun(RunningConsumer consumer, Context context, ConsumerSettings settings, List<Delivery<T>> deliveries) {
        this.consumer = consumer;
        this.context = context;
        this.settings = settings;
        this.deliveries = deliveries;
        this.lease = deliveries.getFirst().lease();
        this.acks = new AckLine(context, this::tellLost,
                () -> consumer.isAbandoned() ? Duration.ZERO : ACK_RETRY_FOR);
        this.keeper = lease == Lease.NONE ? null : new LeaseKeeper(context, lease, settings.lease(), this::onLost);
        for (Delivery<T> each : deliveries) {
            waiting.computeIfAbsent(each.partitionId(), id -> new ArrayList<>()).add(each);
        }
    }

    /** Returns how many deliveries were handed to the handler. */
    int run(PartitionWork<T> work) {
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
                if (keeper != null) {
                    keeper.letGo();
                }
            }
        }
    }

    /** Null when none is left. */
    private @Nullable List<Delivery<T>> nextPartition() {
        if (consumer.isClosing()) {
            giveBackWaiting();
        }
        lock.lock();
        try {
            return waiting.isEmpty() ? null : waiting.pollFirstEntry().getValue();
        } finally {
            lock.unlock();
        }
    }

    /** The partitions that were not begun are for others, now. Safe from any thread. */
    void giveBackWaiting() {
        if (lease == Lease.NONE) {
            // They are done for the server, and nobody else would get them.
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

    /** Whether this message may be begun. */
    boolean mayBegin(Delivery<T> delivery) {
        return !lease.isLostFor(delivery.partitionId()) && !consumer.isClosing();
    }

    /** Calls the handler of a message as a part of its trace. The listener hears of a failure before that is over. */
    <R> R handle(Delivery<T> delivery, Callable<R> handler) throws Exception {
        return context.tracing().handling(delivery, () -> callTelling(List.of(delivery), handler));
    }

    /** The same for messages of one partition that are handled together. */
    <R> R handleAll(List<Delivery<T>> partition, Callable<R> handler) throws Exception {
        return context.tracing().handlingAll(partition, () -> callTelling(partition, handler));
    }

    private <R> R callTelling(List<Delivery<T>> partition, Callable<R> handler) throws Exception {
        try {
            return call(handler);
        } catch (Throwable failure) {
            // Who else is to blame is found out later.
            partition.stream().filter(Delivery::isUndecodable).findFirst()
                    .or(() -> partition.stream().filter(each -> !each.isSettled()).findFirst())
                    .ifPresent(each -> tellFailed(each, failure));
            throw failure;
        }
    }

    /** The handler may be interrupted from here until it returns, and not a moment longer. */
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
     * Says what is to become of a message.
     *
     * @param following the next one of the partition; null for none
     * @return whether the partition may go on
     */
    boolean settle(Delivery<T> delivery, Outcome outcome, @Nullable Delivery<T> following) {
        switch (outcome) {
            case Outcome.Ack ack -> ack(delivery);
            case Outcome.DeadLetter dead -> acks.add(new Item(delivery, Status.DEAD, dead.reason()));
            case Outcome.RetryAfter retry -> rest(delivery, retry.delay());
            case Outcome.Fail fail -> fail(delivery, fail.reason(), following);
        }
        return outcome instanceof Outcome.Ack || outcome instanceof Outcome.DeadLetter;
    }

    /** The same for one whose handler threw. */
    boolean settleFailure(Delivery<T> delivery, Throwable failure, @Nullable Delivery<T> following) {
        if (consumer.isAbandoned()) {
            // It was told to stop, which is no fault of the message.
            handBack(delivery);
            return false;
        }
        tellFailed(delivery, failure);
        if (lease.isLostFor(delivery.partitionId())) {
            return false;
        }
        return settle(delivery, judge(delivery, failure), following);
    }

    private Outcome judge(Delivery<T> delivery, Throwable failure) {
        try {
            return requireNonNull(settings.errorHandler().decide(delivery, failure), "the error handler decided null");
        } catch (Throwable worse) {
            if (worse != failure) {
                settings.listener().onHandlerFailure(delivery, worse);
            }
            return Outcome.fail(worse.toString());
        }
    }

    /** The message failed, and with it the rest of its partition has to wait. */
    private void fail(Delivery<T> delivery, String reason, @Nullable Delivery<T> following) {
        Answer answer = acks.send(new Item(delivery, Status.FAILED, reason)).getFirst();
        if (answer.result() instanceof AckResult.Accepted) {
            consumer.onRetry(delivery);
        }
        if (following != null && !answer.isLeaseReleased()) {
            // It was its last attempt, so the partition is still held, but it has been stopped.
            acks.send(new Item(following, Status.RETRY, null));
        }
    }

    /**
     * Messages of one partition failed together, and nobody knows which of them is to blame. So none of several is given up or passed
     * over by the error handler's word: they are failed, and come one by one in the end.
     */
    void settleFailures(List<Delivery<T>> partition, Throwable failure) {
        Delivery<T> first = partition.getFirst();
        if (consumer.isAbandoned()) {
            handBack(first);
            return;
        }
        tellFailed(first, failure);
        if (lease.isLostFor(first.partitionId())) {
            return;
        }
        Outcome outcome = judge(first, failure);
        if (partition.size() == 1 || outcome instanceof Outcome.RetryAfter) {
            settle(first, outcome, null);
            return;
        }
        String reason = outcome instanceof Outcome.Fail fail ? fail.reason() : failure.toString();
        acks.send(partition.stream().map(each -> new Item(each, Status.FAILED, reason)).toArray(Item[]::new));
        consumer.onRetry(first);
    }

    /** This message and those after it in its partition were not begun. */
    void handBack(Delivery<T> delivery) {
        if (lease.isLostFor(delivery.partitionId())) {
            return;
        }
        if (consumer.isAbandoned()) {
            // The interruption was for the handler; this one request is still to be made.
            Thread.interrupted();
        }
        acks.send(new Item(delivery, Status.RETRY, null));
    }

    /** The partition rests, and keeps its lease while it does. */
    private void rest(Delivery<T> delivery, Duration delay) {
        LeaseKeeper held = keeper;
        if (delay.isZero() || held == null) {
            handBack(delivery);
            return;
        }
        acks.send();
        held.hold();
        consumer.rest(delay, () -> {
            handBack(delivery);
            held.letGo();
        });
    }

    /** However many ways there are to find out, it is told once. One that was told to stop has not failed, unless it is lost by that. */
    void tellFailed(Delivery<T> delivery, Throwable failure) {
        boolean isHandedBack = consumer.isAbandoned() && lease != Lease.NONE;
        if (!isHandedBack && toldFailed.add(delivery)) {
            settings.listener().onHandlerFailure(delivery, failure);
        }
    }

    /** However many ways there are to find out, it is told once. */
    private void tellLost(Delivery<?> delivery) {
        if (toldLost.add(delivery)) {
            settings.listener().onLeaseLost(delivery);
        }
    }

    private void onLost() {
        List<Delivery<T>> open = deliveries.stream().filter(each -> !each.isSettled()).toList();
        open.forEach(this::tellLost);
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
