package io.queenmq.client;

import io.queenmq.client.wire.Names;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The options of a pop. Immutable.
 *
 * @param batch maximum number of messages, over all partitions
 * @param waitFor how long to wait for messages; zero to return at once
 * @param maxPartitions maximum number of partitions per pop
 * @param from the start position of a new group; null for the default of the server, the beginning
 */
public record PopOptions(int batch, Duration waitFor, int maxPartitions, @Nullable StartPosition from) {
    /** One message, without waiting. */
    public static final PopOptions DEFAULT = new PopOptions(1, Duration.ZERO, 1, null);

    public PopOptions {
        if (batch < 1 || batch > 10_000) {
            throw new IllegalArgumentException("batch must be 1 to 10000, not " + batch);
        }
        if (maxPartitions < 1 || maxPartitions > 100) {
            throw new IllegalArgumentException("maxPartitions must be 1 to 100, not " + maxPartitions);
        }
        if (waitFor.isNegative() || waitFor.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("waitFor must be 0 to 1 hour, not " + waitFor);
        }
    }

    public PopOptions batch(int batch) {
        return new PopOptions(batch, waitFor, maxPartitions, from);
    }

    public PopOptions waitFor(Duration waitFor) {
        return new PopOptions(batch, waitFor, maxPartitions, from);
    }

    public PopOptions maxPartitions(int maxPartitions) {
        return new PopOptions(batch, waitFor, maxPartitions, from);
    }

    public PopOptions from(@Nullable StartPosition from) {
        return new PopOptions(batch, waitFor, maxPartitions, from);
    }

    /** Returns the query parameters of the request. */
    String query(@Nullable String group, boolean isAtMostOnce) {
        StringBuilder query = new StringBuilder("batch=").append(batch);
        if (!waitFor.isZero()) {
            query.append("&wait=true&timeout=").append(waitFor.toMillis());
        }
        if (maxPartitions > 1) {
            query.append("&partitions=").append(maxPartitions);
        }
        if (group != null) {
            query.append("&consumerGroup=").append(Names.encode(group));
        }
        if (isAtMostOnce) {
            query.append("&autoAck=true");
        }
        switch (from) {
            case null -> {
            }
            case StartPosition.Beginning beginning -> query.append("&subscriptionMode=all");
            case StartPosition.Now now -> query.append("&subscriptionMode=new");
            case StartPosition.At at -> query.append("&subscriptionFrom=").append(Names.encode(at.moment().toString()));
        }
        return query.toString();
    }
}
