package io.queenmq.server.wave;

import io.queenmq.server.config.EngineConfig;
import io.queenmq.server.postgres.Links.Durability;
import io.queenmq.server.postgres.ShardLinks;
import io.queenmq.server.time.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * The requests of one operation on their way to the shards: a line of {@link Waves} for each, so that nobody waits for a
 * shard but those who need it. Owned by the engine loop.
 */
public final class ShardWaves<C, A> {
    private final ToIntFunction<C> shardOf;
    private final Timers timers;
    private final List<Waves<C, A>> lines = new ArrayList<>();
    private final Waves<C, A> acrossShards;

    private ShardWaves(Operation operation, ShardLinks links, Durability durability, ToIntFunction<C> shardOf,
            boolean isAcross, Timers timers, EngineConfig config, WaveMeters meters, Carrier<C, A> carrier) {
        this.shardOf = shardOf;
        this.timers = timers;
        for (int shard = 0; shard < links.shards().count(); shard++) {
            lines.add(new Waves<>(operation, links.of(shard, durability), timers, config, meters, carrier));
        }
        acrossShards = isAcross && lines.size() > 1
                ? new Waves<>(operation, links.ofCatalog(durability), timers, config, meters, carrier)
                : null;
    }

    /** @param shardOf the number of the shard that holds what a command is about */
    public ShardWaves(Operation operation, ShardLinks links, Durability durability, ToIntFunction<C> shardOf,
            Timers timers, EngineConfig config, WaveMeters meters, Carrier<C, A> carrier) {
        this(operation, links, durability, shardOf, false, timers, config, meters, carrier);
    }

    /**
     * For commands that may be about several shards, which go on connections of the catalog.
     *
     * @param shardOf the number of the one shard, or {@link ShardLinks#CATALOG}
     */
    public static <C, A> ShardWaves<C, A> across(Operation operation, ShardLinks links, Durability durability,
            ToIntFunction<C> shardOf, Timers timers, EngineConfig config, WaveMeters meters, Carrier<C, A> carrier) {
        return new ShardWaves<>(operation, links, durability, shardOf, true, timers, config, meters, carrier);
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
        (shard == ShardLinks.CATALOG ? acrossShards : lines.get(shard)).offer(command, sinceNs);
    }
}
