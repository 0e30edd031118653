package io.queenmq.server.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.server.reply.Failure;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DepthRefresherTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        vertx.close().await();
    }

    @Test
    @DisplayName("D7: the sums are refreshed again after a turn that was refused or failed by a defect")
    void everyTurnIsFollowedByAnother() throws InterruptedException {
        CountDownLatch turns = new CountDownLatch(4);
        OperatorDesk desk = call -> {
            turns.countDown();
            switch ((int) turns.getCount()) {
                case 3 -> throw new StackOverflowError();
                case 2 -> call.reply().fail(new Failure.Unavailable("PostgreSQL is away"));
                default -> call.reply().succeed(new OperatorOutcome.Document("{}"));
            }
        };

        try (DepthRefresher _ = DepthRefresher.start(vertx, desk, Duration.ofMillis(10))) {
            assertThat(turns.await(1, TimeUnit.MINUTES)).isTrue();
        }
    }
}
