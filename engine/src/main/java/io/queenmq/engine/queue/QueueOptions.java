package io.queenmq.engine.queue;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Options of a queue with their values. In a command, a missing option is not changed. In a {@link Queue}, every option has a
 * value, except {@link QueueOption#DEDUP_WINDOW} if the server's setting applies.
 *
 * @param values never null, each of the type of its option
 */
public record QueueOptions(Map<QueueOption, Object> values) {
    /** Changes no option. */
    public static final QueueOptions NONE = new QueueOptions(Map.of());

    /** The value that removes the queue's own value of a nullable option, so that the server's setting applies. */
    public static final int AS_THE_SERVER = -1;

    /** The ttl that older clients always send. It means no limit, like 0. */
    private static final int TTL_OF_OLDER_CLIENTS = 3600;

    /** @throws IllegalArgumentException if a value is not of the type of its option */
    public QueueOptions {
        Map<QueueOption, Object> copy = new EnumMap<>(QueueOption.class);
        values.forEach((option, value) -> {
            if (!option.range().type().javaType().isInstance(value)) {
                throw new IllegalArgumentException(
                        option + " is " + value + "; use a value of the type " + option.range().type());
            }
            copy.put(option, value);
        });
        values = Collections.unmodifiableMap(copy);
    }

    /** Returns these options with another value for one of them. */
    public QueueOptions with(QueueOption option, Object value) {
        Map<QueueOption, Object> more = new EnumMap<>(QueueOption.class);
        more.putAll(values);
        more.put(option, value);
        return new QueueOptions(more);
    }

    public int leaseTime() {
        return required(QueueOption.LEASE_TIME);
    }

    public int delayedProcessing() {
        return required(QueueOption.DELAYED_PROCESSING);
    }

    public int windowBuffer() {
        return required(QueueOption.WINDOW_BUFFER);
    }

    public int priority() {
        return required(QueueOption.PRIORITY);
    }

    /** Returns null if, in a command, the option is not changed. */
    public @Nullable Boolean retentionEnabled() {
        return (Boolean) values.get(QueueOption.RETENTION_ENABLED);
    }

    public boolean encryptionEnabled() {
        return Boolean.TRUE.equals(values.get(QueueOption.ENCRYPTION_ENABLED));
    }

    /** Returns null if the server's setting applies, or in a command, if the option is not changed. */
    public @Nullable Integer dedupWindowSeconds() {
        return (Integer) values.get(QueueOption.DEDUP_WINDOW);
    }

    /** Returns true if the queue has a maximum number of messages. */
    public boolean isLimited() {
        return Objects.requireNonNull((Long) values.get(QueueOption.MAX_SIZE)) > 0;
    }

    /** Returns true if messages that are not finished in time expire. */
    public boolean doMessagesExpire() {
        int ttl = required(QueueOption.TTL);
        return required(QueueOption.MAX_WAIT_TIME) > 0 || ttl != 0 && ttl != TTL_OF_OLDER_CLIENTS;
    }

    private int required(QueueOption option) {
        return Objects.requireNonNull((Integer) values.get(option), "the option is not set");
    }
}
