package io.queenmq.server.operator;

import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.time.Clock;
import io.queenmq.schema.Shards;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the sums over partitions refreshed, so that lists of queues and groups need not look at partitions: before somebody reads them,
 * and now and then, when partitions are also searched for that nobody wrote down. Every server asks; the database sees to it that
 * one of them does the work. Every shard has sums of its own, and one that is away keeps no other from being counted. Opened and closed by the server; safe from any thread.
 */
public final class DepthRefresher implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DepthRefresher.class);

    /** Together with the half second after which servers write down what they touched, this is less than a second. */
    private static final Duration FRESH = Duration.ofMillis(250);

    /** Who reads waits no longer for fresh sums. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(2);
    private static final Duration BUSY_PAUSE = Duration.ofMillis(50);

    /** Between turns that nobody waits for, so that going through a large queue leaves PostgreSQL time for others. */
    private static final Duration TURN_PAUSE = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final OperatorDesk desk;
    private final Consumer<Reply<Void>> touchedPartitions;
    private final ShardTurns counts;
    private final ShardTurns searches;
    private final long minAgeMs;
    private final long timerId;
    private final AtomicBoolean isSearching = new AtomicBoolean();
    private CompletableFuture<Void> round = CompletableFuture.completedFuture(null);
    private CompletableFuture<Void> nextRound;
    private long begunNs = Clock.SYSTEM.nowNs() - FRESH.toNanos();
    private volatile boolean isClosed;

    private DepthRefresher(Vertx vertx, OperatorDesk desk, Shards shards, Consumer<Reply<Void>> touchedPartitions,
            Duration interval) {
        this.vertx = vertx;
        this.desk = desk;
        this.counts = new ShardTurns(shards.names());
        this.searches = new ShardTurns(shards.names());
        this.touchedPartitions = touchedPartitions;
        // A little less than the interval, or every second turn would come a moment too early.
        this.minAgeMs = interval.toMillis() * 9 / 10;
        this.timerId = vertx.setPeriodic(interval.toMillis(), _ -> search());
    }

    /**
     * @param touchedPartitions has the partitions written down that this server touched
     * @param interval how often partitions are searched for that nobody wrote down
     */
    public static DepthRefresher start(Vertx vertx, OperatorDesk desk, Shards shards,
            Consumer<Reply<Void>> touchedPartitions, Duration interval) {
        return new DepthRefresher(vertx, desk, shards, touchedPartitions, interval);
    }

    /** Runs the task when everything that was answered more than a second ago is in the sums, or when that takes too long. */
    public void whenFresh(Runnable task) {
        freshRound().copy().completeOnTimeout(null, WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((_, _) -> task.run());
    }

    /** One round at a time: who comes while one is under way shares it if it is young, and else shares the next one. */
    private synchronized CompletableFuture<Void> freshRound() {
        if (Clock.SYSTEM.nowNs() - begunNs < FRESH.toNanos()) {
            return round;
        }
        if (round.isDone()) {
            return beginRound();
        }
        if (nextRound == null) {
            nextRound = round.thenCompose(_ -> beginRound());
        }
        return nextRound;
    }

    private synchronized CompletableFuture<Void> beginRound() {
        begunNs = Clock.SYSTEM.nowNs();
        nextRound = null;
        // Whatever becomes of its calls, it ends, so that others can begin.
        CompletableFuture<Void> begun = new CompletableFuture<Void>().completeOnTimeout(null, WAIT_MAX.toMillis(),
                TimeUnit.MILLISECONDS);
        round = begun;
        long untilNs = begunNs + WAIT_MAX.toNanos();
        tellTouched(() -> counts.forEach((shard, turn) -> count(shard, turn, untilNs), () -> begun.complete(null)));
        return begun;
    }

    /** Goes on in any case: without what this server touched, the sums are fresher than before. */
    private void tellTouched(Runnable then) {
        touchedPartitions.accept(Reply.of(_ -> then.run(), _ -> then.run()));
    }

    private void count(String shard, ShardTurns.Turn turn, long untilNs) {
        countTouched(shard, answer -> {
            boolean isLate = isClosed || Clock.SYSTEM.nowNs() - untilNs > 0;
            if (answer == Counting.MORE && !isLate) {
                count(shard, turn, untilNs);
            } else if (answer == Counting.BUSY && !isLate) {
                vertx.setTimer(BUSY_PAUSE.toMillis(), _ -> count(shard, turn, untilNs));
            } else {
                turn.end(answer != Counting.FAILED);
            }
        });
    }

    /** Looks for what nobody wrote down, and then takes as many turns as are needed to count what was. */
    private void search() {
        if (isSearching.compareAndSet(false, true)) {
            tellTouched(() -> searches.forEach(this::search, () -> isSearching.set(false)));
        }
    }

    private void search(String shard, ShardTurns.Turn turn) {
        call("refresh_depths", shard, Arrays.asList(null, false, minAgeMs), _ -> goOn(shard, turn));
    }

    private void goOn(String shard, ShardTurns.Turn turn) {
        countTouched(shard, answer -> {
            if (answer == Counting.MORE && !isClosed) {
                vertx.setTimer(TURN_PAUSE.toMillis(), _ -> goOn(shard, turn));
            } else {
                turn.end(answer != Counting.FAILED);
            }
        });
    }

    private void countTouched(String shard, Consumer<Counting> then) {
        call("count_touched", shard, List.of(FRESH.toMillis()), document -> then.accept(Counting.of(document)));
    }

    /** @param then gets what the routine answered, null when it could not be asked */
    private void call(String routine, String shard, List<Object> arguments, Consumer<String> then) {
        try {
            desk.call(new OperatorCall(routine, shard, null, arguments, Reply.of(
                    outcome -> then.accept(outcome instanceof OperatorOutcome.Document(var text) ? text : null),
                    failure -> {
                        // The next turn makes up for it.
                        log.debug("the sums over partitions were not refreshed: {}", failure.message());
                        then.accept(null);
                    })));
        } catch (Throwable defect) {
            log.error("the sums over partitions were not refreshed", defect);
            then.accept(null);
        }
    }

    @Override
    public void close() {
        isClosed = true;
        vertx.cancelTimer(timerId);
    }

    /** What became of a turn of counting. */
    private enum Counting {
        /** What was written down is counted. */
        DONE,
        /** It was more than one turn takes. */
        MORE,
        /** Another session counts. */
        BUSY,
        /** The database could not be asked. */
        FAILED;

        static Counting of(String answer) {
            return switch (answer) {
                case null -> FAILED;
                case "done" -> DONE;
                case "more" -> MORE;
                case "busy" -> BUSY;
                default -> FAILED;
            };
        }
    }
}
