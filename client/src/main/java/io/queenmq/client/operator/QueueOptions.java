package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import io.queenmq.client.wire.JsonWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Options of a queue, those that are to be set or those that are set. Immutable; what is not named stays as it is. */
public final class QueueOptions {
    /** The names the server knows options by; it passes over others. */
    public static final Set<String> NAMES = Set.of("leaseTime", "retryLimit", "retryDelay", "retryBackoff",
            "delayedProcessing", "windowBuffer", "priority", "maxSize", "ttl", "maxWaitTimeSeconds", "retentionEnabled",
            "retentionSeconds",
            "completedRetentionSeconds", "encryptionEnabled", "deadLetterQueue", "dlqAfterMaxRetries",
            "dedupWindowSeconds");

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MILLISECOND = Duration.ofMillis(1);

    private final Map<String, Object> values;

    private QueueOptions(Map<String, Object> values) {
        this.values = values;
    }

    /** None yet. */
    public static QueueOptions of() {
        return new QueueOptions(Map.of());
    }

    /** How long a consumer has for what it popped, unless it renews its lease. */
    public QueueOptions leaseTime(Duration leaseTime) {
        if (leaseTime.isZero()) {
            throw new IllegalArgumentException("leaseTime must be at least a second, but is zero");
        }
        return with("leaseTime", seconds(leaseTime, "leaseTime"));
    }

    /** How often a message that failed is delivered again before it goes to the dead letters. */
    public QueueOptions retryLimit(int retryLimit) {
        return with("retryLimit", retryLimit);
    }

    /** How long a partition rests after a failure. */
    public QueueOptions retryDelay(Duration retryDelay) {
        return with("retryDelay", inUnitsOf(MILLISECOND, retryDelay, "retryDelay"));
    }

    /** What the delay is multiplied by after each further failure, 1 to 10; 1 for always the same. */
    public QueueOptions retryBackoff(double factor) {
        return with("retryBackoff", factor);
    }

    /** How long each message waits before it can be delivered. */
    public QueueOptions delayedProcessing(Duration delay) {
        return with("delayedProcessing", seconds(delay, "delayedProcessing"));
    }

    /** A partition is delivered when nothing was pushed to it for this long. */
    public QueueOptions windowBuffer(Duration window) {
        return with("windowBuffer", seconds(window, "windowBuffer"));
    }

    /** Among queues that are read together, those with a higher one come first. */
    public QueueOptions priority(int priority) {
        return with("priority", priority);
    }

    /** How many messages it may hold; 0 for any number. */
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

    /** How long messages are kept that every group has finished. */
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

    /** How long a transactionId is remembered in its partition; not at all where it is zero. */
    public QueueOptions dedupWindow(Duration window) {
        return with("dedupWindowSeconds", seconds(window, "dedupWindowSeconds"));
    }

    /**
     * An option by the name the server knows it by: a number, or true or false.
     *
     * @throws IllegalArgumentException when it is not one of {@link #NAMES}: the server would pass over it without a word
     */
    public QueueOptions with(String name, Object value) {
        if (!NAMES.contains(name)) {
            throw new IllegalArgumentException("there is no option '" + name + "', but " + new TreeSet<>(NAMES));
        }
        Map<String, Object> more = new LinkedHashMap<>(values);
        more.put(name, value);
        return new QueueOptions(more);
    }

    /** By the names the server knows them by; times are in the server's units. */
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

    /** To round would be to promise another time than was asked for. */
    private static long inUnitsOf(Duration unit, Duration duration, String name) {
        long units = duration.dividedBy(unit);
        if (duration.isNegative() || !unit.multipliedBy(units).equals(duration)) {
            throw new IllegalArgumentException(
                    name + " must be a whole number of " + (unit == SECOND ? "seconds" : "milliseconds") + ", but is "
                            + duration);
        }
        return units;
    }

    private long number(String name) {
        return values.get(name) instanceof Long number ? number : 0;
    }

    static QueueOptions read(JsonNode options) {
        Map<String, Object> values = new LinkedHashMap<>();
        options.fields().forEach((name, value) -> {
            // What the queue leaves to the server has no value here.
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
