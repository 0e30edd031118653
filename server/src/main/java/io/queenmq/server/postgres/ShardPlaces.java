package io.queenmq.server.postgres;

import io.queenmq.engine.connection.Place;
import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.schema.Shards;
import java.util.Arrays;

/** Where each shard is, as far as this server knows: with the catalog, unless it was told otherwise. Owned by the engine loop. */
public final class ShardPlaces {
    private final Place catalog;
    private final Place[] shards;

    public ShardPlaces(Place catalog, Shards shards) {
        this.catalog = catalog;
        this.shards = new Place[shards.count()];
        Arrays.fill(this.shards, catalog);
    }

    /** @param shard its number, or {@link ShardConnections#CATALOG} */
    public Place of(int shard) {
        return shard == ShardConnections.CATALOG ? catalog : shards[shard];
    }

    /** Takes note of where a shard is; true when it was elsewhere before. */
    boolean learn(int shard, Place place) {
        boolean isMoved = !shards[shard].equals(place);
        shards[shard] = place;
        return isMoved;
    }
}
