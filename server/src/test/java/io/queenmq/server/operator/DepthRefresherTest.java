package io.queenmq.server.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.queenmq.schema.Shards;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DepthRefresherTest {
    private static final Duration NEVER = Duration.ofHours(1);
    private static final Consumer<Reply<Void>> WRITTEN = reply -> reply.succeed(null);

    private final Vertx vertx = Vertx.vertx();
    private final Queue<String> calls = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        vertx.close().await();
    }

    @Test
    @DisplayName("the sums are refreshed again after a turn that was rejected or threw an exception")
    void theRefreshContinuesAfterAFailedTurn() throws InterruptedException {
        CountDownLatch turns = new CountDownLatch(4);
        OperatorQueries queries = call -> {
            if (call.routine().equals("count_touched")) {
                call.reply().succeed(new OperatorOutcome.Document("done"));
                return;
            }
            turns.countDown();
            switch ((int) turns.getCount()) {
                case 3 -> throw new StackOverflowError();
                case 2 -> call.reply().fail(new Failure.Unavailable("PostgreSQL is away"));
                default -> call.reply().succeed(new OperatorOutcome.Document("{}"));
            }
        };

        try (DepthRefresher _ = DepthRefresher.start(vertx, queries, Shards.ONE, WRITTEN, Duration.ofMillis(10))) {
            assertThat(turns.await(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    @Test
    void aReadWaitsUntilTouchedPartitionsAreReportedAndCounted() throws InterruptedException {
        Consumer<Reply<Void>> writing = reply -> {
            calls.add("write");
            reply.succeed(null);
        };

        read(answering("busy", "more", "done"), writing);

        assertThat(calls).containsExactly("write", "count_touched", "count_touched", "count_touched", "read");
    }

    @Test
    void aReadCompletesIfReportAndCountFail() throws InterruptedException {
        OperatorQueries away = call -> call.reply().fail(new Failure.Unavailable("PostgreSQL is away"));

        read(away, reply -> reply.fail(new Failure.Unavailable("PostgreSQL is away")));

        assertThat(calls).containsExactly("read");
    }

    @Test
    void aReadCompletesAfterTheMaximumWait() throws InterruptedException {
        read(_ -> calls.add("counted"), WRITTEN);

        assertThat(calls).containsExactly("counted", "read");
    }

    @Test
    void concurrentReadsShareOneCount() throws InterruptedException {
        ArrayDeque<OperatorCall> counted = new ArrayDeque<>();
        CountDownLatch read = new CountDownLatch(100);
        try (DepthRefresher depths = DepthRefresher.start(vertx, counted::add, Shards.ONE, WRITTEN, NEVER)) {
            for (int i = 0; i < 100; i++) {
                depths.whenFresh(read::countDown);
            }
            assertThat(read.getCount()).isEqualTo(100);
            counted.remove().reply().succeed(new OperatorOutcome.Document("done"));

            assertThat(read.await(1, TimeUnit.MINUTES)).isTrue();
        }
        assertThat(counted).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void everyShardIsCountedBeforeARead() throws InterruptedException {
        CountDownLatch read = new CountDownLatch(1);
        OperatorQueries queries = call -> {
            calls.add(call.shard());
            call.reply().succeed(new OperatorOutcome.Document("done"));
        };
        try (DepthRefresher depths = DepthRefresher.start(vertx, queries, new Shards(3), WRITTEN, NEVER)) {
            depths.whenFresh(read::countDown);
            assertThat(read.await(1, TimeUnit.MINUTES)).isTrue();
        }
        assertThat(calls).containsExactly("queen_00", "queen_01", "queen_02");
    }

    @Test
    void failedAndSilentShardsDoNotPreventOthersFromBeingCounted() throws InterruptedException {
        OperatorQueries queries = call -> {
            calls.add(call.shard());
            switch (call.shard()) {
                case "queen_01" -> call.reply().fail(new Failure.Unavailable("its node is away"));
                case "queen_02" -> {
                    // The call never completes.
                }
                default -> call.reply().succeed(new OperatorOutcome.Document("done"));
            }
        };
        try (DepthRefresher depths = DepthRefresher.start(vertx, queries, new Shards(5), WRITTEN, NEVER)) {
            for (int i = 0; i < 2; i++) {
                CountDownLatch read = new CountDownLatch(1);
                depths.whenFresh(read::countDown);
                assertThat(read.await(1, TimeUnit.MINUTES)).as("the task runs anyway").isTrue();
            }
        }
        assertThat(calls).as("a shard without a response is not called again, and a failed one is called last")
                .containsExactly("queen_00", "queen_01", "queen_02", "queen_03", "queen_04", "queen_00", "queen_03",
                        "queen_04");
    }

    private OperatorQueries answering(String... answers) {
        Queue<String> left = new ConcurrentLinkedQueue<>(List.of(answers));
        return call -> {
            calls.add(call.routine());
            call.reply().succeed(new OperatorOutcome.Document(left.remove()));
        };
    }

    private void read(OperatorQueries queries, Consumer<Reply<Void>> writing) throws InterruptedException {
        CountDownLatch read = new CountDownLatch(1);
        try (DepthRefresher depths = DepthRefresher.start(vertx, queries, Shards.ONE, writing, NEVER)) {
            depths.whenFresh(() -> {
                calls.add("read");
                read.countDown();
            });
            assertThat(read.await(1, TimeUnit.MINUTES)).isTrue();
        }
    }
}
