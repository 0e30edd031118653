package io.queenmq.server.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TimersTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        vertx.close().await();
    }

    @Test
    @DisplayName("D7: a task that is done again and again is done again after it has failed, whatever it threw")
    void aTaskThatFailsIsDoneAgain() throws InterruptedException {
        CountDownLatch turns = new CountDownLatch(3);

        vertx.getOrCreateContext().runOnContext(_ -> new Timers(new VertxClock(vertx)).every(1_000_000, () -> {
            turns.countDown();
            throw new StackOverflowError();
        }));

        assertThat(turns.await(1, TimeUnit.MINUTES)).isTrue();
    }
}
