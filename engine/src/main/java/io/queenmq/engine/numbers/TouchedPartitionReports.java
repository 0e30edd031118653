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
import java.util.Collections;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down twice a second which partitions were touched, each in its shard, so that they are counted again; nothing while
 * nothing happens. One call for each shard is on its way at a time; what it carries is kept if it fails, because a partition that
 * is told twice does no harm. Owned by the engine loop.
 */
public final class TouchedPartitionReports {
    private static final Logger log = LoggerFactory.getLogger(TouchedPartitionReports.class);
    private static final long EVERY_NS = 500_000_000;

    private final TouchedPartitions touched;
    private final ShardConnections connections;
    private final Timers timers;
    private final ShardBatches<Part, Void> calls;
    private final NumbersRoutines routines;
    private int underWay;
    private Failure failure;
    private List<Reply<Void>> waiting = new ArrayList<>();
    private List<Reply<Void>> waitingForNext = new ArrayList<>();

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
            if (underWay == 0 && !touched.isEmpty()) {
                send();
            }
        });
    }

    /** Answers when all partitions touched so far are written down; fails when they cannot be now. */
    public void write(Reply<Void> reply) {
        if (underWay > 0) {
            (touched.isEmpty() ? waiting : waitingForNext).add(reply);
        } else if (touched.isEmpty()) {
            reply.succeed(null);
        } else {
            waiting.add(reply);
            send();
        }
    }

    /** Writes down what is left, unless PostgreSQL is away; completes in any case. */
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
            if (!batch.isEmpty() && !connections.isWorthAsking(shard)) {
                // The others need not wait for it.
                touched.putBack(batch);
                failure = new Failure.Unavailable("PostgreSQL cannot be reached");
            } else if (!batch.isEmpty()) {
                parts.add(new Part(shard, batch));
            }
        }
        underWay = parts.size();
        parts.forEach(calls::offer);
        if (parts.isEmpty()) {
            onAllAnswered();
        }
    }

    private void onAnswered() {
        if (--underWay == 0) {
            onAllAnswered();
        }
    }

    private void onAllAnswered() {
        if (failure != null) {
            failAll();
            return;
        }
        List<Reply<Void>> answered = waiting;
        waiting = waitingForNext;
        waitingForNext = new ArrayList<>();
        if (!waiting.isEmpty()) {
            send();
        }
        answered.forEach(reply -> reply.succeed(null));
    }

    private void onRefused(Part part, Failure failure) {
        switch (failure) {
            case Failure.Refused _ ->
                log.warn("PostgreSQL refuses to write down touched partitions: {}", failure.message());
            case Failure.Unavailable _, Failure.Overloaded _, Failure.Maintenance _ ->
                log.debug("touched partitions cannot be written down now: {}", failure.message());
        }
        touched.putBack(part.batch);
        this.failure = failure;
        onAnswered();
    }

    private void failAll() {
        Failure why = failure;
        List<Reply<Void>> answered = waiting;
        answered.addAll(waitingForNext);
        waiting = new ArrayList<>();
        waitingForNext = new ArrayList<>();
        answered.forEach(reply -> reply.fail(why));
    }

    /** What is to be written down in one shard. */
    private record Part(int shard, Batch batch) {}

    private final class PartCarrier implements Carrier<Part, Void> {
        @Override
        public Future<List<Void>> carry(Connection connection, List<Part> parts) {
            return routines.touch(connection, parts.getFirst().batch).map(Collections.nCopies(1, null));
        }

        @Override
        public void settle(Part part, Void written) {
            onAnswered();
        }

        @Override
        public void refuse(Part part, Failure failure) {
            onRefused(part, failure);
        }
    }
}
