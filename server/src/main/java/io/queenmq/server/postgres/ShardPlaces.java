package io.queenmq.server.postgres;

import io.queenmq.engine.connection.Place;
import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.schema.Shards;
import java.util.Arrays;

/** The last known place of each shard. Initially, that is the place of the catalog. Owned by the engine loop. */
public final class ShardPlaces {
    private final Place catalog;
    private final Place[] shards;

    public ShardPlaces(Place catalog, Shards shards) {
        this.catalog = catalog;
        this.shards = new Place[shards.count()];
        Arrays.fill(this.shards, catalog);
    }

    /** @param shard the number of the shard, or {@link ShardConnections#CATALOG} */
    public Place of(int shard) {
        return shard == ShardConnections.CATALOG ? catalog : shards[shard];
    }

    /** Records the place of a shard. Returns true if it was different before. */
    boolean update(int shard, Place place) {
        boolean isMoved = !shards[shard].equals(place);
        shards[shard] = place;
        return isMoved;
    }
}
