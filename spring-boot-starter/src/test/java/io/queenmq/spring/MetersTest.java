package io.queenmq.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queenmq.client.Queen;
import io.queenmq.client.operator.QueueOptions;
import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Meters of the application. */
@QueenTest
class MetersTest {
    private final Queen queen;
    private final String queue;
    private final ApplicationContextRunner application;

    MetersTest(Queen queen, TestQueen server) {
        this.queen = queen;
        this.queue = server.newQueue();
        this.application = Application.of(server, queue).withBean(Seen.class);
    }

    static class Billing {
        private final Seen seen;

        Billing(Seen seen) {
            this.seen = seen;
        }

        @QueenListener(queue = "${shop.queue}", group = "billing")
        void bill(String order) {
            seen.add(order);
            if (order.equals("bad")) {
                throw new IllegalArgumentException(order);
            }
        }
    }

    @Test
    void pushesDeliveriesFailuresAndTimeAreCounted() {
        queen.operator().queues().configure(queue, QueueOptions.of().retryLimit(0));
        MeterRegistry registry = new SimpleMeterRegistry();
        application.withBean(Billing.class).withBean(MeterRegistry.class, () -> registry).run(context -> {
            context.getBean(QueenTemplate.class).pushAll(queue, "a", List.of("good", "bad", "last"));
            Seen seen = context.getBean(Seen.class);
            assertThat(List.of(seen.next(), seen.next(), seen.next())).containsExactly("good", "bad", "last");
        });

        assertThat(registry.get("queen.template.pushes").tags("queue", queue, "via", "http").counter().count())
                .isEqualTo(3);
        assertThat(registry.get("queen.listener.deliveries").tags("queue", queue, "group", "billing").counter().count())
                .isEqualTo(3);
        assertThat(registry.get("queen.listener.failures").tags("queue", queue, "group", "billing").counter().count())
                .isEqualTo(1);
        assertThat(registry.get("queen.listener.time").timer().count()).isEqualTo(3);
        assertThat(registry.get("queen.listener.time").timer().totalTime(TimeUnit.NANOSECONDS)).isPositive();
    }

    @Test
    void anApplicationWithoutMicrometerAndJdbcWorks() {
        application.withBean(Billing.class)
                .withClassLoader(new FilteredClassLoader("io.micrometer", "org.springframework.boot.health",
                        "org.springframework.boot.actuate", "org.springframework.jdbc"))
                .withPropertyValues("queen.listener.drain-within=" + Duration.ofSeconds(5)).run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean("queenHealthIndicator");
                    context.getBean(QueenTemplate.class).push(queue, "a", "good");
                    assertThat(context.getBean(Seen.class).next()).isEqualTo("good");
                });
    }
}
