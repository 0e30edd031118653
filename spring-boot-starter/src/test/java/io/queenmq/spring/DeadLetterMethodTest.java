package io.queenmq.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queenmq.client.Queen;
import io.queenmq.client.operator.QueueOptions;
import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.messaging.handler.annotation.Header;

/** Dead letters of listeners: the method, the meter, and retry rules. */
@QueenTest
class DeadLetterMethodTest {
    private final Queen queen;
    private final String queue;
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final ApplicationContextRunner application;

    DeadLetterMethodTest(Queen queen, TestQueen server) {
        this.queen = queen;
        this.queue = server.newQueue();
        this.application = Application.of(server, queue).withBean(Seen.class).withBean(MeterRegistry.class,
                () -> registry);
        queen.operator().queues().configure(queue, QueueOptions.of().retryLimit(3).retryDelay(Duration.ZERO));
    }

    static class Billing {
        private final Seen seen;

        Billing(Seen seen) {
            this.seen = seen;
        }

        @QueenListener(queue = "${shop.queue}", group = "billing", deadLetter = "giveUp", maxAttempts = "2", notRetryable = IOException.class)
        void bill(String order) throws Exception {
            if (order.equals("unreadable")) {
                throw new IllegalStateException(new IOException(order));
            }
            throw new IllegalStateException(order);
        }

        void giveUp(String order, @Header(QueenHeaders.ATTEMPT) int attempt,
                @Header(QueenHeaders.DEAD_LETTER_REASON) String reason) {
            seen.add(order + " " + attempt + " " + reason);
            throw new IllegalArgumentException("must not stop the listener");
        }
    }

    @Test
    void theMethodIsCalledAndTheDeadLetterIsCounted() {
        queen.queue(queue, String.class).partition("a").pushAll(List.of("bad", "unreadable"));
        application.withBean(Billing.class).run(context -> {
            Seen seen = context.getBean(Seen.class);
            assertThat(seen.next()).isEqualTo("bad 2 java.lang.IllegalStateException: bad");
            assertThat(seen.next())
                    .isEqualTo("unreadable 1 java.lang.IllegalStateException: java.io.IOException: unreadable");
        });
        assertThat(
                registry.get("queen.listener.dead.letters").tags("queue", queue, "group", "billing").counter().count())
                .isEqualTo(2);
    }

    static class Mistyped {
        @QueenListener(queue = "${shop.queue}", deadLetter = "gaveUp")
        void bill(String order) {}
    }

    @Test
    void aMissingMethodFailsTheStart() {
        application.withBean(Mistyped.class).run(context -> assertThat(context).getFailure().rootCause()
                .isInstanceOf(QueenStartupException.class).hasMessageContaining("deadLetter is 'gaveUp'"));
    }
}
