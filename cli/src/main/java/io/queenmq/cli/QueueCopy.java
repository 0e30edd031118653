package io.queenmq.cli;

import io.queenmq.client.AckResult;
import io.queenmq.client.Batch;
import io.queenmq.client.Delivery;
import io.queenmq.client.Json;
import io.queenmq.client.Message;
import io.queenmq.client.PopOptions;
import io.queenmq.client.PushResult;
import io.queenmq.client.Queen;
import io.queenmq.client.RejectedException;
import io.queenmq.client.StartPosition;
import io.queenmq.client.error.OutcomeUnknownException;
import io.queenmq.client.error.RefusedException;
import io.queenmq.client.error.UnavailableException;
import io.queenmq.client.operator.GroupSummary;
import io.queenmq.client.operator.MessageFilter;
import io.queenmq.client.operator.Operator;
import io.queenmq.client.operator.PartitionFilter;
import io.queenmq.client.operator.PartitionPage;
import io.queenmq.client.operator.PartitionSummary;
import io.queenmq.client.operator.QueueDetail;
import io.queenmq.client.operator.QueueOptions;
import io.queenmq.client.operator.SeekTarget;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The copy of one queue. Pops messages from the source under a lease, pushes them in this order to the target, and acknowledges
 * them after the target has stored all of them. A message is pushed only after every earlier one of its partition is stored, so
 * the order holds even if pushes are repeated. A repeated push stores nothing, because it has the same transactionId.
 */
final class QueueCopy {
    /** The maximum time of a pop without messages. */
    static final Duration POP_WAIT = Duration.ofSeconds(1);

    private static final int PARTITIONS_PER_POP = 100;
    private static final int PARTITIONS_PER_PAGE = 1000;
    private static final int PUSH_MESSAGES_MAX = 500;
    private static final int PUSH_BYTES_MAX = 4_000_000;
    private static final Duration LEASE = Duration.ofSeconds(120);
    private static final long RENEW_INTERVAL_NS = Duration.ofSeconds(10).toNanos();

    private final Queen source;
    private final Queen target;
    private final String queue;
    private final String group;
    private final PopOptions pop;
    private final CopyRetries retries;
    private final CopyProgress progress;
    private long copied;
    private long duplicates;

    QueueCopy(Queen source, Queen target, String queue, String group, int batch, CopyRetries retries,
            CopyProgress progress) {
        this.source = source;
        this.target = target;
        this.queue = queue;
        this.group = group;
        this.pop = PopOptions.DEFAULT.batch(batch).maxPartitions(PARTITIONS_PER_POP).from(StartPosition.beginning());
        this.retries = retries;
        this.progress = progress;
    }

    String queue() {
        return queue;
    }

    /** Returns the number of messages that this copy has stored in the target. */
    long copied() {
        return copied;
    }

    /** Returns the number of messages that the target already had. */
    long duplicates() {
        return duplicates;
    }

    /** Creates a missing queue with the options of the source, and continues an interrupted copy. */
    void prepare() {
        QueueDetail given = retries.call("source", () -> source.operator().queues().find(queue))
                .orElseThrow(() -> CommandFailed.byUser("the source has no queue " + queue));
        if (retries.call("target", () -> target.operator().queues().find(queue)).isEmpty()) {
            QueueOptions options = options(given);
            retries.call("target", () -> target.operator().queues().configure(queue, nullIfEmpty(given.namespace()),
                    nullIfEmpty(given.task()), options));
        }
        resume();
    }

    private static QueueOptions options(QueueDetail queue) {
        QueueOptions options = QueueOptions.of();
        for (Map.Entry<String, Object> option : queue.options().values().entrySet()) {
            // The source may be another release.
            if (QueueOptions.NAMES.contains(option.getKey())) {
                options = options.with(option.getKey(), option.getValue());
            }
        }
        return options;
    }

    private static @Nullable String nullIfEmpty(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    /**
     * Ends the leases of an interrupted copy. Without this, the copy would wait for their expiry, and each expiry counts as a
     * failed attempt: the source would dead-letter messages after {@code retryLimit} crashes.
     */
    private void resume() {
        Operator operator = source.operator();
        if (retries.call("source", this::summary) == null) {
            return;
        }
        PartitionFilter filter = PartitionFilter.any().queue(queue).group(group);
        @Nullable
        String after = null;
        do {
            PartitionFilter next = filter.page(PARTITIONS_PER_PAGE, after);
            PartitionPage page = retries.call("source", () -> operator.partitions().list(next));
            for (PartitionSummary each : page.partitions()) {
                if (each.leaseId() != null || each.attempts() > 0) {
                    // A seek to the current position ends the lease without counting an attempt.
                    retries.call("source", () -> operator.groups().seek(group, queue, each.partition(),
                            new SeekTarget.Offset(each.offset())));
                }
            }
            after = page.next();
        } while (after != null);
    }

    /** Copies until the group has finished all messages of the source. */
    void copyAll() {
        CopyRetries.Wait wait = retries.newWait();
        while (!Thread.currentThread().isInterrupted()) {
            if (copyNext(Duration.ZERO) > 0) {
                wait.restart();
                continue;
            }
            GroupSummary summary = retries.call("source", this::summary);
            long rest = summary == null ? 0 : summary.totalLag();
            if (rest == 0) {
                progress.waiting(null);
                return;
            }
            wait.pause("source: " + rest + " messages of " + queue
                    + " are not delivered yet; they are delayed, paused or leased");
        }
    }

    /**
     * Copies the messages of one pop.
     *
     * @param wait maximum time to wait for messages
     * @return the number of messages
     */
    int copyNext(Duration wait) {
        Batch<Json> batch = retries.call("source",
                () -> source.queue(queue, Json.class).group(group).pop(pop.waitFor(wait)));
        if (batch.isEmpty()) {
            return 0;
        }
        try (batch) {
            Renewal renewal = new Renewal(batch);
            List<Message<Json>> messages = new ArrayList<>();
            long bytes = 0;
            for (Delivery<Json> each : batch) {
                messages.add(message(each));
                bytes += each.payload().length;
                if (messages.size() == PUSH_MESSAGES_MAX || bytes > PUSH_BYTES_MAX) {
                    push(messages, renewal);
                    messages = new ArrayList<>();
                    bytes = 0;
                }
            }
            push(messages, renewal);
            acknowledge(batch);
            progress.add(queue, batch.size());
            return batch.size();
        }
    }

    private static Message<Json> message(Delivery<Json> delivery) {
        return new Message<>(new Json(new String(delivery.payload(), StandardCharsets.UTF_8)), delivery.partition(),
                delivery.transactionId(), traceId(delivery.traceId()), delivery.headers());
    }

    private static @Nullable UUID traceId(@Nullable String text) {
        try {
            return text == null ? null : UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Returns when the target has stored all messages. */
    private void push(List<Message<Json>> messages, Renewal renewal) {
        CopyRetries.Wait wait = retries.newWait();
        List<Message<Json>> rest = messages;
        while (!rest.isEmpty()) {
            renewal.renewIfDue();
            List<Message<Json>> sent = rest;
            try {
                retries.call("target", () -> target.queue(queue, Json.class).pushMessages(sent), renewal::renewIfDue)
                        .forEach(this::count);
                return;
            } catch (RejectedException e) {
                // The server also rejects the later messages of the partition, so the rest keeps its order.
                rest = notStored(sent, e.results());
                if (rest.size() < sent.size()) {
                    wait.restart();
                }
                wait.pause("target: " + e.getMessage());
            }
        }
    }

    private List<Message<Json>> notStored(List<Message<Json>> messages, List<PushResult> results) {
        List<Message<Json>> rest = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            if (results.get(i) instanceof PushResult.Stored stored) {
                count(stored);
            } else {
                rest.add(messages.get(i));
            }
        }
        return rest;
    }

    private void count(PushResult.Stored stored) {
        if (stored instanceof PushResult.Duplicate) {
            duplicates++;
        } else {
            copied++;
        }
    }

    private void acknowledge(Batch<Json> batch) {
        List<AckResult> results = retries.call("source", batch::ack);
        if (results.stream().anyMatch(AckResult.LeaseLost.class::isInstance)) {
            // The messages are delivered again, and the target recognizes them.
            progress.waiting("source: the lease of messages has ended; they are copied again");
        }
    }

    /** Returns the number of messages that the source did not deliver because their attempts were used up or they expired. */
    long deadLettered() {
        return retries.call("source", () -> source.operator().deadLetters()
                .list(MessageFilter.any().queue(queue).group(group).page(1, 0)).total());
    }

    private @Nullable GroupSummary summary() {
        return source.operator().groups().list().stream()
                .filter(each -> each.name().equals(group) && each.queue().equals(queue)).findFirst().orElse(null);
    }

    /** Extends the lease of a batch while the target is slow or full. */
    private static final class Renewal {
        private final Batch<Json> batch;
        private long renewedNs;

        Renewal(Batch<Json> batch) {
            this.batch = batch;
            // The lease time of the queue may be short.
            renew();
        }

        void renewIfDue() {
            if (System.nanoTime() - renewedNs > RENEW_INTERVAL_NS) {
                renew();
            }
        }

        private void renew() {
            try {
                batch.renew(LEASE);
            } catch (RefusedException | UnavailableException | OutcomeUnknownException e) {
                // An ended lease only means that the messages are copied again.
            }
            renewedNs = System.nanoTime();
        }
    }
}
