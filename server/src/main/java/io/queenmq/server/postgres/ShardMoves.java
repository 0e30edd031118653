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
 * Follows shards that Citus moves from node to node: asks now and then where they are, and has the connections of one that
 * is elsewhere opened there. Until that is known, calls go on through the node where the shard was, or through the
 * coordinator, and Citus passes them on: a shard that is not followed costs time and nothing else. Owned by the engine loop.
 */
public final class ShardMoves {
    private static final Logger log = LoggerFactory.getLogger(ShardMoves.class);

    /** What a moved shard costs more until it is followed does not matter for that long. */
    private static final long LOOK_EVERY_NS = 2_000_000_000L;

    private final String places;
    private final ShardPlaces known;
    private final ShardConnections connections;
    private final Timers timers;

    public ShardMoves(String apiSchema, ShardPlaces known, ShardConnections connections, Timers timers) {
        this.places = "select number, host, port from " + apiSchema + ".shard_places()";
        this.known = known;
        this.connections = connections;
        this.timers = timers;
    }

    /** Looks at once, and again and again. */
    public void follow() {
        look();
        timers.every(LOOK_EVERY_NS, this::look);
    }

    /** While all connections are busy, or the answer does not come, nothing is known, and the next look tells more. */
    private void look() {
        ConnectionPool catalog = connections.ofCatalog(Durability.RELAXED);
        Connection connection = catalog.tryTake();
        if (connection == null) {
            return;
        }
        connection.call(places, Tuple.tuple()).onComplete(rows -> {
            try {
                if (rows.succeeded()) {
                    learn(rows.result());
                } else {
                    log.debug("where the shards are is not known: {}", rows.cause().getMessage());
                }
            } finally {
                catalog.giveBack(connection);
            }
        });
    }

    private void learn(RowSet<Row> rows) {
        for (Row row : rows) {
            int shard = row.getInteger(0);
            Place place = row.getString(1) == null
                    ? known.of(ShardConnections.CATALOG)
                    : new Place(row.getString(1), row.getInteger(2));
            if (known.learn(shard, place)) {
                log.info("{} is at {}:{} now", Shards.name(shard), place.host(), place.port());
                connections.moved(shard);
            }
        }
    }
}
