package io.queenmq.engine.batch;

import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.engine.time.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * The requests of one operation on their way to the shards: a line of {@link Batches} for each, so that nobody waits for a
 * shard but those who need it. Owned by the engine loop.
 */
public final class ShardBatches<C, A> {
    private final ToIntFunction<C> shardOf;
    private final Timers timers;
    private final List<Batches<C, A>> lines = new ArrayList<>();
    private final Batches<C, A> acrossShards;

    private ShardBatches(EngineContext context, Operation operation, Durability durability, ToIntFunction<C> shardOf,
            boolean isAcross, Carrier<C, A> carrier) {
        this.shardOf = shardOf;
        this.timers = context.timers();
        for (int shard = 0; shard < context.connections().shards().count(); shard++) {
            lines.add(new Batches<>(context, operation, context.connections().of(shard, durability), carrier));
        }
        acrossShards = isAcross && lines.size() > 1
                ? new Batches<>(context, operation, context.connections().ofCatalog(durability), carrier)
                : null;
    }

    /** @param shardOf the number of the shard that holds what a command is about */
    public ShardBatches(EngineContext context, Operation operation, Durability durability, ToIntFunction<C> shardOf,
            Carrier<C, A> carrier) {
        this(context, operation, durability, shardOf, false, carrier);
    }

    /**
     * For commands that may be about several shards, which go on connections of the catalog.
     *
     * @param shardOf the number of the one shard, or {@link ShardConnections#CATALOG}
     */
    public static <C, A> ShardBatches<C, A> across(EngineContext context, Operation operation,
            Durability durability, ToIntFunction<C> shardOf, Carrier<C, A> carrier) {
        return new ShardBatches<>(context, operation, durability, shardOf, true, carrier);
    }

    /** Takes a command, or refuses it at once when too many are waiting already for its shard. */
    public void offer(C command) {
        offer(command, timers.nowNs());
    }

    /** @param sinceNs when the oldest request behind the command came, which decides how long it may still wait */
    public void offer(C command, long sinceNs) {
        if (lines.size() == 1) {
            lines.getFirst().offer(command, sinceNs);
            return;
        }
        int shard = shardOf.applyAsInt(command);
        (shard == ShardConnections.CATALOG ? acrossShards : lines.get(shard)).offer(command, sinceNs);
    }
}
