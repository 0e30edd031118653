package io.queenmq.verify.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.verify.load.Requests.Message;
import io.queenmq.verify.load.Session.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Pushes batches at a rate. With transactionIds it repeats a push whose outcome is unknown until the server confirms it; without
 * them it never repeats one.
 */
final class Producer extends Worker {
    private static final int BATCH_MAX = 20;
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(200);

    private final Plan plan;
    private final String queue;
    private final int partitions;
    private final boolean isWithIds;
    private final double rate;
    private long nextNs = System.nanoTime();

    /** @param rate messages per second */
    Producer(Session session, Plan plan, String queue, int partitions, boolean isWithIds, double rate) {
        super(session, plan.seed());
        this.plan = plan;
        this.queue = queue;
        this.partitions = partitions;
        this.isWithIds = isWithIds;
        this.rate = rate;
    }

    @Override
    protected void step() {
        int size = 1 + (int) Math.min(BATCH_MAX - 1, Math.abs(random.nextGaussian()) * 6);
        pauseForRate(size);
        List<Message> messages = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            long m = plan.newMessage();
            messages.add(new Message(m, queue, "p" + partition(), isWithIds ? "m" + m : null, false));
        }
        Result result = requests.push(queue, messages);
        while (isWithIds && !isConfirmed(result) && !isStopped()) {
            pause(PAUSE_AFTER_FAILURE);
            result = requests.push(queue, messages);
        }
        if (!isConfirmed(result)) {
            pause(PAUSE_AFTER_FAILURE);
        }
    }

    /** Half of the messages are pushed to a tenth of the partitions. */
    private int partition() {
        return chance(0.5) ? random.nextInt(Math.max(1, partitions / 10)) : random.nextInt(partitions);
    }

    private static boolean isConfirmed(Result result) {
        if (!result.isOk()) {
            // A rejected push is not repeated; a request that was not sent is.
            return result.status() >= 400 && result.status() < 500;
        }
        for (JsonNode each : result.body()) {
            if (each.path("status").asText().equals("failed")) {
                return false;
            }
        }
        return true;
    }

    private void pauseForRate(int size) {
        long now = System.nanoTime();
        // Messages that were delayed by a fault are not pushed in one burst.
        nextNs = Math.max(nextNs, now - 1_000_000_000L) + (long) (size * 1e9 / rate);
        pause(Duration.ofNanos(Math.max(0, nextNs - now)));
    }
}
