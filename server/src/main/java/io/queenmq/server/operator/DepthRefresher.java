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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refreshes the sums over partitions, so that lists of queues and groups need not read partitions. A refresh runs before a
 * request reads the sums, and periodically, when it also searches for touched partitions that no server has reported. Every
 * server calls the routines; the database ensures that one of them does the work. Every shard has its own sums, and an
 * unreachable shard delays no other. {@link CountingRound} and {@link Counting} make the decisions. Opened and closed by the
 * server; safe from any thread.
 */
public final class DepthRefresher implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DepthRefresher.class);

    /** The longest time that a request waits for fresh sums. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(2);
    private static final Duration BUSY_PAUSE = Duration.ofMillis(50);

    /** Between calls of the periodic search, so that a large queue leaves PostgreSQL time for other work. */
    private static final Duration SEARCH_PAUSE = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final OperatorQueries queries;
    private final Consumer<Reply<@Nullable Void>> touchedPartitions;
    private final ShardTurns counts;
    private final ShardTurns searches;
    private final long minAgeMs;
    private final long timerId;
    private final AtomicBoolean isSearching = new AtomicBoolean();
    private CompletableFuture<Void> round = CompletableFuture.completedFuture(null);
    private @Nullable CompletableFuture<Void> nextRound;
    private long begunNs = Clock.SYSTEM.nowNs() - CountingRound.FRESH.toNanos();
    private volatile boolean isClosed;

    private DepthRefresher(Vertx vertx, OperatorQueries queries, Shards shards,
            Consumer<Reply<@Nullable Void>> touchedPartitions, Duration interval) {
        this.vertx = vertx;
        this.queries = queries;
        this.counts = new ShardTurns(shards.names());
        this.searches = new ShardTurns(shards.names());
        this.touchedPartitions = touchedPartitions;
        // A little less than the interval; otherwise every second search would run a moment too early.
        this.minAgeMs = interval.toMillis() * 9 / 10;
        this.timerId = vertx.setPeriodic(interval.toMillis(), _ -> search());
    }

    /**
     * @param touchedPartitions reports to the database the partitions that this server touched
     * @param interval between searches for touched partitions that no server has reported
     */
    public static DepthRefresher start(Vertx vertx, OperatorQueries queries, Shards shards,
            Consumer<Reply<@Nullable Void>> touchedPartitions, Duration interval) {
        return new DepthRefresher(vertx, queries, shards, touchedPartitions, interval);
    }

    /** Runs the task when the sums include everything that was answered more than a second ago, or after the longest wait. */
    public void whenFresh(Runnable task) {
        freshRound().copy().completeOnTimeout(null, WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((_, _) -> task.run());
    }

    private synchronized CompletableFuture<Void> freshRound() {
        return switch (CountingRound.of(Clock.SYSTEM.nowNs() - begunNs, !round.isDone())) {
            case LAST -> round;
            case NEW -> beginRound();
            case FOLLOWING -> {
                if (nextRound == null) {
                    nextRound = round.thenCompose(_ -> beginRound());
                }
                yield nextRound;
            }
        };
    }

    private synchronized CompletableFuture<Void> beginRound() {
        begunNs = Clock.SYSTEM.nowNs();
        nextRound = null;
        // A round ends even if its calls do not, so that the next one can begin.
        CompletableFuture<Void> begun = new CompletableFuture<Void>().completeOnTimeout(null, WAIT_MAX.toMillis(),
                TimeUnit.MILLISECONDS);
        round = begun;
        long untilNs = begunNs + WAIT_MAX.toNanos();
        reportTouched(() -> counts.forEach(turn -> count(turn, untilNs), () -> begun.complete(null)));
        return begun;
    }

    /** Runs the task even if the report fails: without it, the sums are still fresher than before. */
    private void reportTouched(Runnable then) {
        touchedPartitions.accept(Reply.of(_ -> then.run(), _ -> then.run()));
    }

    private void count(ShardTurns.Turn turn, long untilNs) {
        countTouched(turn.shard(), counting -> {
            boolean isLate = isClosed || Clock.SYSTEM.nowNs() - untilNs > 0;
            switch (counting.whileRequestWaits(isLate)) {
                case REPEAT -> count(turn, untilNs);
                case REPEAT_AFTER_PAUSE -> vertx.setTimer(BUSY_PAUSE.toMillis(), _ -> count(turn, untilNs));
                case END -> turn.end(counting.isWell());
            }
        });
    }

    /** Searches for touched partitions that no server has reported, and then counts all touched ones. */
    private void search() {
        if (isSearching.compareAndSet(false, true)) {
            reportTouched(() -> searches.forEach(this::search, () -> isSearching.set(false)));
        }
    }

    private void search(ShardTurns.Turn turn) {
        call("refresh_depths", turn.shard(), Arrays.asList(null, false, minAgeMs), _ -> countInBackground(turn));
    }

    private void countInBackground(ShardTurns.Turn turn) {
        countTouched(turn.shard(), counting -> {
            if (counting.isRepeatedInBackground(isClosed)) {
                vertx.setTimer(SEARCH_PAUSE.toMillis(), _ -> countInBackground(turn));
            } else {
                turn.end(counting.isWell());
            }
        });
    }

    private void countTouched(String shard, Consumer<Counting> then) {
        call("count_touched", shard, List.of(CountingRound.FRESH.toMillis()),
                document -> then.accept(Counting.of(document)));
    }

    /** @param then receives the answer of the routine; null when the call failed */
    private void call(String routine, String shard, List<@Nullable Object> arguments, Consumer<@Nullable String> then) {
        try {
            queries.call(new OperatorCall(routine, shard, null, arguments,
                    Reply.of(
                            outcome -> then.accept(outcome instanceof OperatorOutcome.Document(var text) ? text : null),
                            failure -> {
                                // The next round repeats it.
                                log.debug("refresh of the sums over partitions failed: {}", failure.message());
                                then.accept(null);
                            })));
        } catch (Throwable defect) {
            log.error("refresh of the sums over partitions failed", defect);
            then.accept(null);
        }
    }

    @Override
    public void close() {
        isClosed = true;
        vertx.cancelTimer(timerId);
    }
}
