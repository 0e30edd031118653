package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import io.queenmq.client.wire.JsonWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Options of a queue, to be set or as set. Immutable. Unnamed options are not changed. */
public final class QueueOptions {
    /** The names of options at the server, which ignores other names. */
    public static final Set<String> NAMES = Set.of("leaseTime", "retryLimit", "retryDelay", "retryBackoff",
            "delayedProcessing", "windowBuffer", "priority", "maxSize", "ttl", "maxWaitTimeSeconds", "retentionEnabled",
            "retentionSeconds", "completedRetentionSeconds", "encryptionEnabled", "deadLetterQueue",
            "dlqAfterMaxRetries", "dedupWindowSeconds");

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MILLISECOND = Duration.ofMillis(1);

    private final Map<String, Object> values;

    private QueueOptions(Map<String, Object> values) {
        this.values = values;
    }

    /** Returns an empty set of options. */
    public static QueueOptions of() {
        return new QueueOptions(Map.of());
    }

    /** Sets how long a consumer may process messages before it must renew its lease. */
    public QueueOptions leaseTime(Duration leaseTime) {
        if (leaseTime.isZero()) {
            throw new IllegalArgumentException("leaseTime must be at least a second, but is zero");
        }
        return with("leaseTime", seconds(leaseTime, "leaseTime"));
    }

    /** Sets how often a failed message is redelivered before it is dead-lettered. */
    public QueueOptions retryLimit(int retryLimit) {
        return with("retryLimit", retryLimit);
    }

    /** Sets how long a partition waits after a failure. */
    public QueueOptions retryDelay(Duration retryDelay) {
        return with("retryDelay", inUnitsOf(MILLISECOND, retryDelay, "retryDelay"));
    }

    /** Sets the factor of the delay after each further failure, 1 to 10; 1 for a constant delay. */
    public QueueOptions retryBackoff(double factor) {
        return with("retryBackoff", factor);
    }

    /** Sets the time from the push of a message to its first delivery. */
    public QueueOptions delayedProcessing(Duration delay) {
        return with("delayedProcessing", seconds(delay, "delayedProcessing"));
    }

    /** Delivers a partition only after no message was pushed to it for this time. */
    public QueueOptions windowBuffer(Duration window) {
        return with("windowBuffer", seconds(window, "windowBuffer"));
    }

    /** Sets the priority: of queues that are read together, higher ones are delivered first. */
    public QueueOptions priority(int priority) {
        return with("priority", priority);
    }

    /** Sets the maximum number of unfinished messages; 0 for no limit. */
    public QueueOptions maxSize(long maxSize) {
        return with("maxSize", maxSize);
    }

    public QueueOptions ttl(Duration ttl) {
        return with("ttl", seconds(ttl, "ttl"));
    }

    public QueueOptions maxWaitTime(Duration maxWaitTime) {
        return with("maxWaitTimeSeconds", seconds(maxWaitTime, "maxWaitTimeSeconds"));
    }

    public QueueOptions retentionEnabled(boolean isEnabled) {
        return with("retentionEnabled", isEnabled);
    }

    public QueueOptions retention(Duration retention) {
        return with("retentionSeconds", seconds(retention, "retentionSeconds"));
    }

    /** Sets how long messages are stored after every group has finished them. */
    public QueueOptions completedRetention(Duration retention) {
        return with("completedRetentionSeconds", seconds(retention, "completedRetentionSeconds"));
    }

    public QueueOptions encryptionEnabled(boolean isEnabled) {
        return with("encryptionEnabled", isEnabled);
    }

    public QueueOptions deadLetterQueue(boolean isEnabled) {
        return with("deadLetterQueue", isEnabled);
    }

    public QueueOptions dlqAfterMaxRetries(boolean isEnabled) {
        return with("dlqAfterMaxRetries", isEnabled);
    }

    /** Sets how long a transactionId is known in its partition; zero disables duplicate detection. */
    public QueueOptions dedupWindow(Duration window) {
        return with("dedupWindowSeconds", seconds(window, "dedupWindowSeconds"));
    }

    /**
     * Sets an option by its name at the server: a number or a Boolean.
     *
     * @throws IllegalArgumentException if the name is not one of {@link #NAMES}, because the server would ignore it
     */
    public QueueOptions with(String name, Object value) {
        if (!NAMES.contains(name)) {
            throw new IllegalArgumentException(
                    "unknown option '" + name + "'; the options are " + new TreeSet<>(NAMES));
        }
        Map<String, Object> more = new LinkedHashMap<>(values);
        more.put(name, value);
        return new QueueOptions(more);
    }

    /** Returns the options by their names at the server, with times in its units. */
    public Map<String, Object> values() {
        return Map.copyOf(values);
    }

    public Duration leaseTime() {
        return Duration.ofSeconds(number("leaseTime"));
    }

    public int retryLimit() {
        return (int) number("retryLimit");
    }

    public Duration retryDelay() {
        return Duration.ofMillis(number("retryDelay"));
    }

    public double retryBackoff() {
        return values.get("retryBackoff") instanceof Number factor ? factor.doubleValue() : 0;
    }

    private static long seconds(Duration duration, String name) {
        return inUnitsOf(SECOND, duration, name);
    }

    /** Fractions are rejected, because a rounded time would differ from the requested one. */
    private static long inUnitsOf(Duration unit, Duration duration, String name) {
        long units = duration.dividedBy(unit);
        if (duration.isNegative() || !unit.multipliedBy(units).equals(duration)) {
            throw new IllegalArgumentException(name + " must be a whole number of "
                    + (unit == SECOND ? "seconds" : "milliseconds") + ", but is " + duration);
        }
        return units;
    }

    private long number(String name) {
        return values.get(name) instanceof Long number ? number : 0;
    }

    static QueueOptions read(JsonNode options) {
        Map<String, Object> values = new LinkedHashMap<>();
        options.fields().forEach((name, value) -> {
            // An option with the server's default has no value here.
            if (!value.isNull()) {
                values.put(name, valueOf(value.string()));
            }
        });
        return new QueueOptions(values);
    }

    private static Object valueOf(String json) {
        if (json.equals("true") || json.equals("false")) {
            return Boolean.valueOf(json);
        }
        return json.contains(".") ? (Object) Double.valueOf(json) : (Object) Long.valueOf(json);
    }

    void write(JsonWriter json) {
        json.beginObject();
        values.forEach(json::field);
        json.endObject();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
