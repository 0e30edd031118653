package io.queenmq.server.postgres;

import io.queenmq.server.config.DatabaseConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.pubsub.PgSubscriber;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears when a transaction of somebody's own program has pushed to a queue, on a connection that does nothing else. One
 * that is lost is opened again; what was missed meanwhile is found by those who wait, a little later. Owned by the
 * engine loop.
 */
public final class Announcements {
    private static final Logger log = LoggerFactory.getLogger(Announcements.class);
    private static final String CHANNEL = "queen_pushed";
    private static final long RECONNECT_MS = 1_000;

    private final PgSubscriber subscriber;

    /** @param onPushed is told the name of the queue */
    public Announcements(Vertx vertx, DatabaseConfig database, Consumer<String> onPushed) {
        subscriber = PgSubscriber.subscriber(vertx, SessionOptions.forOperators(database));
        subscriber.reconnectPolicy(_ -> RECONNECT_MS);
        subscriber.channel(CHANNEL).handler(onPushed::accept);
    }

    /** Begins to listen, now or as soon as PostgreSQL can be reached. */
    public void open() {
        subscriber.connect().onFailure(cause -> log.warn("nobody listens for announcements yet: {}", cause.toString()));
    }

    public Future<Void> close() {
        return subscriber.close();
    }
}
