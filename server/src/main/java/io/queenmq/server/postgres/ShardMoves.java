package io.queenmq.server.postgres;

import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.connection.Place;
import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.engine.time.Timers;
import io.queenmq.schema.Shards;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows shards that Citus moves between nodes. Queries the places of the shards periodically, and replaces the connections of
 * a shard that was moved. Until then, its calls are sent to the previous node or the coordinator, and Citus forwards them: a
 * move that is detected late costs only time. Owned by the engine loop.
 */
public final class ShardMoves {
    private static final Logger log = LoggerFactory.getLogger(ShardMoves.class);

    /** Forwarded calls to a moved shard are slower for at most this time. */
    private static final long QUERY_EVERY_NS = 2_000_000_000L;

    private final String query;
    private final ShardPlaces known;
    private final ShardConnections connections;
    private final Timers timers;

    public ShardMoves(String apiSchema, ShardPlaces known, ShardConnections connections, Timers timers) {
        this.query = "select number, host, port from " + apiSchema + ".shard_places()";
        this.known = known;
        this.connections = connections;
        this.timers = timers;
    }

    /** Starts to query the places, immediately and then periodically. */
    public void follow() {
        queryPlaces();
        timers.every(QUERY_EVERY_NS, this::queryPlaces);
    }

    /** Queries the places. Skipped while all connections are busy; after a failure, the next query follows as usual. */
    private void queryPlaces() {
        ConnectionPool catalog = connections.ofCatalog(Durability.RELAXED);
        Connection connection = catalog.tryAcquire();
        if (connection == null) {
            return;
        }
        connection.call(query, Tuple.tuple()).onComplete(rows -> {
            try {
                if (rows.succeeded()) {
                    update(rows.result());
                } else {
                    log.debug("query for the places of shards failed, will retry: {}", rows.cause().getMessage());
                }
            } finally {
                catalog.release(connection);
            }
        });
    }

    private void update(RowSet<Row> rows) {
        for (Row row : rows) {
            int shard = row.getInteger(0);
            Place place = row.getString(1) == null
                    ? known.of(ShardConnections.CATALOG)
                    : new Place(row.getString(1), row.getInteger(2));
            if (known.update(shard, place)) {
                log.info("shard {} was moved to {}:{}", Shards.name(shard), place.host(), place.port());
                connections.reconnect(shard);
            }
        }
    }
}
