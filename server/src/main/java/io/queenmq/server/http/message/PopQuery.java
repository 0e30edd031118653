package io.queenmq.server.http.message;

import io.queenmq.engine.command.PopCommand;
import io.queenmq.engine.command.Subscription;
import io.queenmq.server.config.PopConfig;
import io.queenmq.server.http.json.BadRequest;
import io.queenmq.server.http.json.Names;
import io.queenmq.server.http.json.Timestamps;
import io.queenmq.server.http.server.QueryString;
import java.time.Duration;

/**
 * The parameters of a pop. Most values out of range are clamped, not rejected, because existing consumers stop if a pop is
 * rejected.
 */
record PopQuery(String group, int batch, int partitionsMax, boolean autoAck, Duration waitMax, int leaseSeconds,
        Subscription subscription) {
    static final int BATCH_MAX = 10_000;
    static final int PARTITIONS_MAX = 100;
    static final int WAIT_MS_MAX = 3_600_000;
    static final int LEASE_SECONDS_MAX = 604_800;

    static PopQuery of(QueryString query, PopConfig defaults) {
        String group = query.text("consumerGroup");
        group = group.isEmpty() ? PopCommand.QUEUE_MODE : Names.requireName(group, "consumerGroup");
        int batch = Math.clamp(query.integer("batch", defaults.batch()), 1, BATCH_MAX);
        int partitions = Math.clamp(query.integer("partitions", 1), 1, PARTITIONS_MAX);
        return new PopQuery(group, batch, partitions, query.flag("autoAck"), waitMax(query, defaults),
                leaseSeconds(query), subscription(query, defaults, group));
    }

    private static Duration waitMax(QueryString query, PopConfig defaults) {
        if (!query.flag("wait")) {
            return Duration.ZERO;
        }
        int timeoutMs = query.integer("timeout", (int) defaults.timeout().toMillis());
        return Duration.ofMillis(Math.clamp(timeoutMs, 0, WAIT_MS_MAX));
    }

    /**
     * Returns the requested duration of the lease; 0 if the parameter is missing.
     *
     * @throws BadRequest if it is not in its range: the consumer relies on the duration, so another one is not chosen instead
     */
    private static int leaseSeconds(QueryString query) {
        String text = query.text("leaseSeconds");
        if (text.isEmpty()) {
            return 0;
        }
        int seconds;
        try {
            seconds = Integer.parseInt(text);
        } catch (NumberFormatException _) {
            seconds = -1;
        }
        if (seconds < 1 || seconds > LEASE_SECONDS_MAX) {
            throw new BadRequest("leaseSeconds is \"" + text + "\"; use an integer from 1 to " + LEASE_SECONDS_MAX);
        }
        return seconds;
    }

    /** Consumers without a group always read the whole queue. */
    private static Subscription subscription(QueryString query, PopConfig defaults, String group) {
        if (group.equals(PopCommand.QUEUE_MODE)) {
            return Subscription.ALL;
        }
        String from = query.text("subscriptionFrom");
        if (!from.isEmpty()) {
            return isNew(from)
                    ? Subscription.NEW
                    : new Subscription(Subscription.Mode.TIMESTAMP, Timestamps.parse(from, "subscriptionFrom"));
        }
        String mode = query.text("subscriptionMode");
        return isNew(mode.isEmpty() ? defaults.subscriptionMode() : mode) ? Subscription.NEW : Subscription.ALL;
    }

    private static boolean isNew(String word) {
        return word.equals("now") || word.equals("new") || word.equals("new-only");
    }
}
