package io.queenmq.engine.numbers;

import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.batch.ShardBatches;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.engine.numbers.TouchedPartitions.Batch;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.time.Timers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the touched partitions twice a second, each in its shard, so that they are counted again. Makes no call if no
 * partition was touched. At most one call per shard is in flight. The partitions of a failed call are reported again;
 * storing a partition twice is harmless. Owned by the engine loop.
 */
public final class TouchedPartitionReports {
    private static final Logger log = LoggerFactory.getLogger(TouchedPartitionReports.class);
    private static final long EVERY_NS = 500_000_000;

    private final TouchedPartitions touched;
    private final ShardConnections connections;
    private final Timers timers;
    private final ShardBatches<Part, Part> calls;
    private final NumbersRoutines routines;
    private int inFlight;
    private @Nullable Failure failure;
    private List<Reply<@Nullable Void>> waiting = new ArrayList<>();
    private List<Reply<@Nullable Void>> waitingForNext = new ArrayList<>();

    public TouchedPartitionReports(EngineContext context, Numbers numbers) {
        this.touched = numbers.touchedPartitions();
        this.connections = context.connections();
        this.timers = context.timers();
        this.routines = new NumbersRoutines(context.apiSchema());
        this.calls = new ShardBatches<>(context, Operation.TOUCH_PARTITIONS, Durability.RELAXED, Part::shard,
                new PartCarrier());
    }

    public void start() {
        timers.every(EVERY_NS, () -> {
            if (inFlight == 0 && !touched.isEmpty()) {
                send();
            }
        });
    }

    /** Replies when all partitions touched so far are stored. Fails if they cannot be stored now. */
    public void write(Reply<@Nullable Void> reply) {
        if (inFlight > 0) {
            (touched.isEmpty() ? waiting : waitingForNext).add(reply);
        } else if (touched.isEmpty()) {
            reply.succeed(null);
        } else {
            waiting.add(reply);
            send();
        }
    }

    /** Stores the remaining partitions, unless PostgreSQL is unavailable. Always completes successfully. */
    public Future<Void> close() {
        if (!connections.isConnected()) {
            return Future.succeededFuture();
        }
        Promise<Void> written = Promise.promise();
        write(Reply.of(_ -> written.complete(), _ -> written.complete()));
        return written.future();
    }

    private void send() {
        List<Part> parts = new ArrayList<>();
        List<Batch> batches = touched.take().byShard(connections.shards());
        failure = null;
        for (int shard = 0; shard < batches.size(); shard++) {
            Batch batch = batches.get(shard);
            if (!batch.isEmpty() && !connections.isShardAvailable(shard)) {
                // The shard is unavailable; the other shards must not wait for it.
                touched.restore(batch);
                failure = new Failure.Unavailable("PostgreSQL cannot be reached");
            } else if (!batch.isEmpty()) {
                parts.add(new Part(shard, batch));
            }
        }
        inFlight = parts.size();
        parts.forEach(calls::offer);
        if (parts.isEmpty()) {
            onAllAnswered();
        }
    }

    private void onAnswered() {
        if (--inFlight == 0) {
            onAllAnswered();
        }
    }

    private void onAllAnswered() {
        if (failure != null) {
            failAll(failure);
            return;
        }
        List<Reply<@Nullable Void>> answered = waiting;
        waiting = waitingForNext;
        waitingForNext = new ArrayList<>();
        if (!waiting.isEmpty()) {
            send();
        }
        for (Reply<@Nullable Void> reply : answered) {
            reply.succeed(null);
        }
    }

    private void onRefused(Part part, Failure failure) {
        switch (failure) {
            case Failure.Refused _ ->
                log.warn("report of touched partitions rejected by PostgreSQL, will retry: {}", failure.message());
            case Failure.Unavailable _, Failure.Overloaded _, Failure.Maintenance _ ->
                log.debug("report of touched partitions failed, will retry: {}", failure.message());
        }
        touched.restore(part.batch);
        this.failure = failure;
        onAnswered();
    }

    private void failAll(Failure cause) {
        List<Reply<@Nullable Void>> answered = waiting;
        answered.addAll(waitingForNext);
        waiting = new ArrayList<>();
        waitingForNext = new ArrayList<>();
        answered.forEach(reply -> reply.fail(cause));
    }

    /** The touched partitions of one shard. */
    private record Part(int shard, Batch batch) {}

    private final class PartCarrier implements Carrier<Part, Part> {
        @Override
        public Future<List<Part>> carry(Connection connection, List<Part> parts) {
            return routines.touch(connection, parts.getFirst().batch).map(parts);
        }

        @Override
        public void settle(Part part, Part stored) {
            onAnswered();
        }

        @Override
        public void refuse(Part part, Failure failure) {
            onRefused(part, failure);
        }
    }
}
