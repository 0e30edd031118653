package io.queenmq.server.numbers;

import io.queenmq.server.config.EngineConfig;
import io.queenmq.server.numbers.TouchedLanes.Batch;
import io.queenmq.server.postgres.Link;
import io.queenmq.server.postgres.Links;
import io.queenmq.server.reply.Failure;
import io.queenmq.server.reply.Reply;
import io.queenmq.server.time.Timers;
import io.queenmq.server.wave.Carrier;
import io.queenmq.server.wave.Operation;
import io.queenmq.server.wave.WaveMeters;
import io.queenmq.server.wave.Waves;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down twice a second which lanes were touched, so that they are counted again; nothing while nothing happens. One
 * call is on its way at a time; what it carries is kept if it fails, because a lane that is told twice does no harm. Owned by
 * the engine loop.
 */
public final class TouchedLaneReports {
    private static final Logger log = LoggerFactory.getLogger(TouchedLaneReports.class);
    private static final long EVERY_NS = 500_000_000;

    private final TouchedLanes touched;
    private final Links links;
    private final Timers timers;
    private final Waves<Batch, Void> calls;
    private final String routine;
    private boolean isUnderWay;
    private List<Reply<Void>> waiting = new ArrayList<>();
    private List<Reply<Void>> waitingForNext = new ArrayList<>();

    public TouchedLaneReports(String apiSchema, Numbers numbers, Links relaxed, Timers timers, EngineConfig config,
            WaveMeters meters) {
        this.touched = numbers.touchedLanes();
        this.links = relaxed;
        this.timers = timers;
        this.routine = "select " + apiSchema + ".touch_lanes($1, $2)";
        this.calls = new Waves<>(Operation.TOUCH_LANES, relaxed, timers, config, meters, new BatchCarrier());
    }

    public void start() {
        timers.every(EVERY_NS, () -> {
            if (!isUnderWay && !touched.isEmpty()) {
                send();
            }
        });
    }

    /** Answers when all lanes touched so far are written down; fails when they cannot be now. */
    public void write(Reply<Void> reply) {
        if (isUnderWay) {
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
        if (!links.isConnected()) {
            return Future.succeededFuture();
        }
        Promise<Void> written = Promise.promise();
        write(Reply.of(_ -> written.complete(), _ -> written.complete()));
        return written.future();
    }

    private void send() {
        isUnderWay = true;
        calls.offer(touched.take());
    }

    private void onWritten() {
        isUnderWay = false;
        List<Reply<Void>> answered = waiting;
        waiting = waitingForNext;
        waitingForNext = new ArrayList<>();
        if (!waiting.isEmpty()) {
            send();
        }
        answered.forEach(reply -> reply.succeed(null));
    }

    private void onRefused(Batch batch, Failure failure) {
        switch (failure) {
            case Failure.Refused _ -> log.warn("PostgreSQL refuses to write down touched lanes: {}", failure.message());
            case Failure.Unavailable _, Failure.Overloaded _, Failure.Maintenance _ ->
                log.debug("touched lanes cannot be written down now: {}", failure.message());
        }
        isUnderWay = false;
        touched.putBack(batch);
        List<Reply<Void>> answered = waiting;
        answered.addAll(waitingForNext);
        waiting = new ArrayList<>();
        waitingForNext = new ArrayList<>();
        answered.forEach(reply -> reply.fail(failure));
    }

    private final class BatchCarrier implements Carrier<Batch, Void> {
        @Override
        public Future<List<Void>> carry(Link link, List<Batch> wave) {
            Batch batch = wave.getFirst();
            Tuple arguments = Tuple.tuple().addValue(batch.queueByLane().keySet().toArray(UUID[]::new))
                    .addValue(batch.queues().toArray(String[]::new));
            return link.call(routine, arguments).map(Collections.nCopies(1, null));
        }

        @Override
        public void settle(Batch batch, Void written) {
            onWritten();
        }

        @Override
        public void refuse(Batch batch, Failure failure) {
            onRefused(batch, failure);
        }
    }
}
