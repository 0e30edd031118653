package io.queenmq.client;

import io.queenmq.client.Acks.Answer;
import io.queenmq.client.Acks.Item;
import io.queenmq.client.Acks.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** One popped batch on its way through the handler, lane by lane. Run by one worker; the lease is watched by others. */
final class BatchRun<T> {
    /** As long as a lease usually lasts: until then an acknowledgement is still worth something. */
    private static final Duration ACK_RETRY_FOR = Duration.ofMinutes(5);

    private final RunningConsumer consumer;
    private final ConsumerSettings settings;
    private final Lease lease;
    private final List<Delivery<T>> deliveries;
    private final AckLine acks;
    private final LeaseKeeper keeper;
    private final Set<Delivery<?>> toldLost = ConcurrentHashMap.newKeySet();
    private final ReentrantLock handling = new ReentrantLock();
    private Thread handlerThread;

    BatchRun(RunningConsumer consumer, Context context, ConsumerSettings settings, List<Delivery<T>> deliveries) {
        this.consumer = consumer;
        this.settings = settings;
        this.deliveries = deliveries;
        this.lease = deliveries.getFirst().lease();
        this.acks = new AckLine(context, this::tellLost,
                () -> consumer.isAbandoned() ? Duration.ZERO : ACK_RETRY_FOR);
        this.keeper = lease == Lease.NONE ? null : new LeaseKeeper(context, lease, settings.lease(), this::onLost);
    }

    /** Returns how many deliveries were handed to the handler. */
    int run(LaneWork<T> work) {
        Map<String, List<Delivery<T>>> lanes = new LinkedHashMap<>();
        for (Delivery<T> each : deliveries) {
            lanes.computeIfAbsent(each.partitionId(), id -> new ArrayList<>()).add(each);
        }
        try {
            int handled = 0;
            for (List<Delivery<T>> lane : lanes.values()) {
                handled += work.run(this, lane);
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

    /** Whether this message may be begun. */
    boolean mayBegin(Delivery<T> delivery) {
        return !lease.isLostFor(delivery.partitionId()) && !consumer.isAbandoned();
    }

    /** Calls the handler, which may be interrupted from here until it returns, and not a moment longer. */
    <R> R call(Callable<R> handler) throws Exception {
        handling.lock();
        handlerThread = Thread.currentThread();
        handling.unlock();
        try {
            return handler.call();
        } finally {
            handling.lock();
            handlerThread = null;
            handling.unlock();
            Thread.interrupted();
        }
    }

    void ack(Delivery<T> delivery) {
        if (!delivery.isSettled()) {
            acks.add(new Item(delivery, Status.COMPLETED, null));
        }
    }

    void deadLetter(Delivery<T> delivery, String reason) {
        acks.add(new Item(delivery, Status.DEAD, reason));
    }

    /**
     * The message failed, and with it the rest of its lane has to wait.
     *
     * @param following the next one of the lane; null for none
     */
    void fail(Delivery<T> delivery, Throwable failure, Delivery<T> following) {
        if (consumer.isAbandoned()) {
            // It was told to stop, which is no fault of the message.
            handBack(delivery);
            return;
        }
        settings.listener().onHandlerFailure(delivery, failure);
        if (lease.isLostFor(delivery.partitionId())) {
            return;
        }
        Answer answer = acks.send(new Item(delivery, Status.FAILED, failure.toString())).getFirst();
        if (following != null && !answer.isLeaseReleased()) {
            // It was its last attempt, so the lane is still held, but it has been stopped.
            acks.send(new Item(following, Status.RETRY, null));
        }
    }

    /** Messages of one lane failed together, and nobody knows which of them is to blame. */
    void failAll(List<Delivery<T>> lane, Throwable failure) {
        if (consumer.isAbandoned()) {
            handBack(lane.getFirst());
            return;
        }
        settings.listener().onHandlerFailure(lane.getFirst(), failure);
        if (!lease.isLostFor(lane.getFirst().partitionId())) {
            acks.send(
                    lane.stream().map(each -> new Item(each, Status.FAILED, failure.toString())).toArray(Item[]::new));
        }
    }

    /** This message and those after it in its lane were not begun. */
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

    /** The lane rests, and keeps its lease while it does. */
    void rest(Delivery<T> delivery, Duration delay) {
        if (delay.isZero()) {
            handBack(delivery);
            return;
        }
        acks.send();
        keeper.hold();
        consumer.rest(delay, () -> {
            handBack(delivery);
            keeper.letGo();
        });
    }

    ConsumerListener listener() {
        return settings.listener();
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
        handling.lock();
        try {
            if (handlerThread != null) {
                handlerThread.interrupt();
            }
        } finally {
            handling.unlock();
        }
    }
}
