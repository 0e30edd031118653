package io.queenmq.client;

import io.queenmq.client.Acks.Answer;
import io.queenmq.client.Acks.Item;
import io.queenmq.client.error.QueenException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The acknowledgements of one batch, sent one request after the other: a failure ends the lease of its partition, so what was
 * done before it must have arrived before it. What is done is gathered for a moment, so that a batch of quick messages is
 * acknowledged with one request. Safe from any thread.
 */
final class AckLine {
    private static final Logger log = LoggerFactory.getLogger(AckLine.class);
    private static final Duration GATHER_MAX = Duration.ofMillis(50);

    private final Context context;
    private final Consumer<Delivery<?>> onLost;
    private final Supplier<Duration> patience;
    private final ReentrantLock sending = new ReentrantLock();
    private final ReentrantLock gathering = new ReentrantLock();
    private List<Item> gathered = new ArrayList<>();
    private @Nullable Future<?> flush;

    /**
     * @param onLost told of deliveries whose word came too late
     * @param patience for how long to go on when no server answers
     */
    AckLine(Context context, Consumer<Delivery<?>> onLost, Supplier<Duration> patience) {
        this.context = context;
        this.onLost = onLost;
        this.patience = patience;
    }

    /** Sent soon. */
    void add(Item item) {
        gathering.lock();
        try {
            gathered.add(item);
            if (flush == null) {
                flush = context.timer().schedule(() -> context.threads().execute(this::send), GATHER_MAX.toMillis(),
                        TimeUnit.MILLISECONDS);
            }
        } catch (RejectedExecutionException e) {
            log.debug("the client was closed while a message was handled");
        } finally {
            gathering.unlock();
        }
    }

    /** Sends what was gathered, and this after it; returns what was answered to the latter. */
    List<Answer> send(Item... last) {
        sending.lock();
        try {
            List<Item> items = takeGathered();
            items.addAll(List.of(last));
            return answersOf(items).subList(items.size() - last.length, items.size());
        } finally {
            sending.unlock();
        }
    }

    private List<Item> takeGathered() {
        gathering.lock();
        try {
            List<Item> taken = gathered;
            gathered = new ArrayList<>();
            if (flush != null) {
                flush.cancel(false);
                flush = null;
            }
            return taken;
        } finally {
            gathering.unlock();
        }
    }

    private List<Answer> answersOf(List<Item> items) {
        try {
            List<Answer> answers = Acks.send(context.wire(), items, patience.get());
            for (int i = 0; i < items.size(); i++) {
                if (answers.get(i).result() instanceof AckResult.LeaseLost) {
                    onLost.accept(items.get(i).delivery());
                }
            }
            return answers;
        } catch (QueenException e) {
            // Nobody knows; if it did not arrive, the lease runs out and they are delivered again.
            log.warn("{} messages could not be acknowledged: {}", items.size(), e.getMessage());
            Answer none = new Answer(new AckResult.LeaseLost(String.valueOf(e.getMessage())), true);
            return items.stream().map(item -> none).toList();
        }
    }
}
