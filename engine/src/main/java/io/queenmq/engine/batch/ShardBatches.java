package io.queenmq.engine.batch;

import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.engine.time.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one operation to all shards, with separate {@link Batches} for each shard. So an unavailable shard delays only
 * the requests that need it. Owned by the engine loop.
 */
public final class ShardBatches<C, A> {
    private final ToIntFunction<C> shardOf;
    private final Timers timers;
    private final List<Batches<C, A>> shards = new ArrayList<>();
    private final @Nullable Batches<C, A> acrossShards;

    private ShardBatches(EngineContext context, Operation operation, Durability durability, ToIntFunction<C> shardOf,
            boolean isAcross, Carrier<C, A> carrier) {
        this.shardOf = shardOf;
        this.timers = context.timers();
        for (int shard = 0; shard < context.connections().shards().count(); shard++) {
            shards.add(new Batches<>(context, operation, context.connections().of(shard, durability), carrier));
        }
        acrossShards = isAcross && shards.size() > 1
                ? new Batches<>(context, operation, context.connections().ofCatalog(durability), carrier)
                : null;
    }

    /** @param shardOf returns the number of the shard that a command concerns */
    public ShardBatches(EngineContext context, Operation operation, Durability durability, ToIntFunction<C> shardOf,
            Carrier<C, A> carrier) {
        this(context, operation, durability, shardOf, false, carrier);
    }

    /**
     * Returns batches for commands that may concern several shards. Those are sent on connections of the catalog.
     *
     * @param shardOf returns the number of the only shard, or {@link ShardConnections#CATALOG} for several
     */
    public static <C, A> ShardBatches<C, A> across(EngineContext context, Operation operation, Durability durability,
            ToIntFunction<C> shardOf, Carrier<C, A> carrier) {
        return new ShardBatches<>(context, operation, durability, shardOf, true, carrier);
    }

    /** Enqueues a command, or rejects it at once if too many commands wait for its shard. */
    public void offer(C command) {
        offer(command, timers.nowNs());
    }

    /** @param sinceNs the arrival time of the oldest request of the command, from which its timeout is measured */
    public void offer(C command, long sinceNs) {
        if (shards.size() == 1) {
            shards.getFirst().offer(command, sinceNs);
            return;
        }
        int shard = shardOf.applyAsInt(command);
        Batches<C, A> batches = shard == ShardConnections.CATALOG
                ? Objects.requireNonNull(acrossShards, "the operation has no calls across shards")
                : shards.get(shard);
        batches.offer(command, sinceNs);
    }
}
