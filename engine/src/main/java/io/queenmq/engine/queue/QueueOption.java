package io.queenmq.engine.queue;

import static io.queenmq.engine.queue.OptionRange.booleans;
import static io.queenmq.engine.queue.OptionRange.decimals;
import static io.queenmq.engine.queue.OptionRange.integers;
import static io.queenmq.engine.queue.OptionRange.seconds;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The options of a queue, in the order of all lists. The parser of configure, the call of its routine, the OpenAPI document, the
 * form of the dashboard, the help of the command line and the table in docs/guide/queue-options.md are derived from these
 * constants. CONTRIBUTING.md lists the other steps to add an option.
 */
public enum QueueOption {
    LEASE_TIME("leaseTime", "lease_time_s", "Lease time", seconds(604_800).where(0, "1 min"), 300,
            "Time a consumer has to finish the messages it popped, unless it renews the lease."),
    RETRY_LIMIT("retryLimit", "retry_limit", "Retry limit", integers(0, Integer.MAX_VALUE), 3,
            "Number of times a failed message is delivered again before it becomes a dead letter."),
    RETRY_DELAY("retryDelay", "retry_delay_ms", "Retry delay",
            integers(0, 86_400_000).in(OptionRange.Unit.MILLISECONDS), 1000,
            "Time before a failed message is delivered again. Its partition waits with it; other partitions do not."),
    RETRY_BACKOFF("retryBackoff", "retry_backoff", "Retry backoff", decimals(1, 10), 1.0,
            "Factor by which the retry delay is multiplied after each further failure, up to 15 minutes."),
    DELAYED_PROCESSING("delayedProcessing", "delayed_processing_s", "Delay",
            seconds(Integer.MAX_VALUE).where(0, "none"), 0,
            "Minimum time between the push of a message and its delivery."),
    WINDOW_BUFFER("windowBuffer", "window_buffer_s", "Window", seconds(Integer.MAX_VALUE).where(0, "none"), 0,
            "Time without a push to a partition before its messages are delivered."),
    PRIORITY("priority", "priority", "Priority", integers(Integer.MIN_VALUE, Integer.MAX_VALUE), 0,
            "Pops by namespace or task take queues with a higher priority first."),
    MAX_SIZE("maxSize", "max_size", "Maximum size",
            integers(0, Long.MAX_VALUE).in(OptionRange.Unit.MESSAGES).where(0, "no limit"), 0L,
            "Maximum number of unfinished messages. Pushes beyond it are rejected."),
    TTL("ttl", "ttl_s", "Time to live", seconds(Integer.MAX_VALUE).where(0, "no limit").where(3600, "no limit"), 3600,
            "Same as maxWaitTimeSeconds, for older clients. The shorter of the two applies."),
    MAX_WAIT_TIME("maxWaitTimeSeconds", "max_wait_time_s", "Maximum wait",
            seconds(Integer.MAX_VALUE).where(0, "no limit"), 0,
            "Time a message may wait for a group before it expires."),
    RETENTION_ENABLED("retentionEnabled", "retention_enabled", "Retention", booleans(), false,
            "Apply the next two options. Setting one of them to more than 0 enables this option, too."),
    RETENTION("retentionSeconds", "retention_s", "Keep for", seconds(Integer.MAX_VALUE).where(0, "for ever"), 0,
            "Time any message is kept, finished or not."),
    COMPLETED_RETENTION("completedRetentionSeconds", "completed_retention_s", "Keep finished for",
            seconds(Integer.MAX_VALUE).where(0, "for ever"), 0,
            "Time a message is kept that every subscribed group has finished."),
    ENCRYPTION_ENABLED("encryptionEnabled", "encryption_enabled", "Encryption", booleans(), false,
            "Encrypt payloads before they are stored. At least one server must have an encryption key."),
    DEAD_LETTER_QUEUE("deadLetterQueue", "dead_letter_queue", "Dead letters for expired", booleans(), false,
            "Expired messages become dead letters. Otherwise they are dropped and counted."),
    DLQ_AFTER_MAX_RETRIES("dlqAfterMaxRetries", "dlq_after_max_retries", "Dead letters after retries", booleans(),
            false, "Without effect, for older clients: a message that failed too often always becomes a dead letter."),
    DEDUP_WINDOW("dedupWindowSeconds", "dedup_window_s", "Duplicate window", seconds(31_536_000).where(0, "none"), null,
            "Time a transactionId is remembered in its partition. null: as DEDUP_WINDOW_SECONDS of the server.");

    private static final Map<String, QueueOption> BY_KEY = Arrays.stream(values())
            .collect(Collectors.toMap(QueueOption::key, Function.identity()));

    private final String key;
    private final String column;
    private final String label;
    private final OptionRange range;
    private final @Nullable Object defaultValue;
    private final String description;

    QueueOption(String key, String column, String label, OptionRange range, @Nullable Object defaultValue,
            String description) {
        this.key = key;
        this.column = column;
        this.label = label;
        this.range = range;
        this.defaultValue = defaultValue;
        this.description = description;
    }

    public static Optional<QueueOption> find(String key) {
        return Optional.ofNullable(BY_KEY.get(key));
    }

    /** Returns the name in JSON. */
    public String key() {
        return key;
    }

    /** Returns the column of {@code queen.queue}. */
    public String column() {
        return column;
    }

    /** Returns the name in forms, without the unit. */
    public String label() {
        return label;
    }

    public OptionRange range() {
        return range;
    }

    /** Returns the value of a new queue, which is also the default of the column; null if the server's setting applies. */
    public @Nullable Object defaultValue() {
        return defaultValue;
    }

    public String description() {
        return description;
    }

    /** Returns true if a queue can have no value of its own, so that the server's setting applies. */
    public boolean isNullable() {
        return defaultValue == null;
    }

    /** Returns true if the option is stored and returned, but has no effect. It is not shown in forms. */
    public boolean isDeprecated() {
        return this == DLQ_AFTER_MAX_RETRIES;
    }
}
