package io.queenmq.engine.queue;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * Options of a queue with their values. In a command an option that is missing stays as it is. In a
 * {@link Queue} all options have values, except {@link QueueOption#DEDUP_WINDOW} where the server's setting applies.
 *
 * @param values never null, each of the type of its option
 */
public record QueueOptions(Map<QueueOption, Object> values) {
    /** Changes no option. */
    public static final QueueOptions NONE = new QueueOptions(Map.of());

    /** The value that removes the queue's own value of a nullable option, so that the server's setting applies. */
    public static final int AS_THE_SERVER = -1;

    /** The ttl that older clients send without being asked: no limit, as 0. */
    private static final int TTL_SENT_UNASKED = 3600;

    /** @throws IllegalArgumentException if a value is not of the type of its option */
    public QueueOptions {
        Map<QueueOption, Object> copy = new EnumMap<>(QueueOption.class);
        values.forEach((option, value) -> {
            if (!option.range().type().javaType().isInstance(value)) {
                throw new IllegalArgumentException(option + " is " + value + "; use a value of the type "
                        + option.range().type());
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

    public Integer leaseTime() {
        return integer(QueueOption.LEASE_TIME);
    }

    public Integer delayedProcessing() {
        return integer(QueueOption.DELAYED_PROCESSING);
    }

    public Integer windowBuffer() {
        return integer(QueueOption.WINDOW_BUFFER);
    }

    public Integer priority() {
        return integer(QueueOption.PRIORITY);
    }

    public Boolean retentionEnabled() {
        return (Boolean) values.get(QueueOption.RETENTION_ENABLED);
    }

    public Boolean encryptionEnabled() {
        return (Boolean) values.get(QueueOption.ENCRYPTION_ENABLED);
    }

    /** Returns null if the server's setting applies, or in a command, if the option stays as it is. */
    public Integer dedupWindowSeconds() {
        return integer(QueueOption.DEDUP_WINDOW);
    }

    /** Returns true if the queue takes only a limited number of messages. */
    public boolean isLimited() {
        return (Long) values.get(QueueOption.MAX_SIZE) > 0;
    }

    /** Returns true if messages that are not finished in time expire. */
    public boolean doMessagesExpire() {
        int ttl = integer(QueueOption.TTL);
        return integer(QueueOption.MAX_WAIT_TIME) > 0 || ttl != 0 && ttl != TTL_SENT_UNASKED;
    }

    private Integer integer(QueueOption option) {
        return (Integer) values.get(option);
    }
}
