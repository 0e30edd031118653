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
import java.util.concurrent.CountDownLatch;
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

    static class Blocked {
        private final CountDownLatch mayContinue;

        Blocked(CountDownLatch mayContinue) {
            this.mayContinue = mayContinue;
        }

        @QueenListener(queue = "${shop.queue}", group = "billing")
        void bill(String order) throws InterruptedException {
            mayContinue.await();
        }

        @QueenListener(queue = "${shop.queue}")
        void archive(String order) throws InterruptedException {
            mayContinue.await();
        }
    }

    @Test
    void theBacklogOfEachGroupIsMeasured() {
        MeterRegistry registry = new SimpleMeterRegistry();
        CountDownLatch mayContinue = new CountDownLatch(1);
        queen.queue(queue, String.class).partition("a").pushAll(List.of("1", "2", "3"));
        application.withBean(CountDownLatch.class, () -> mayContinue).withBean(Blocked.class)
                .withBean(MeterRegistry.class, () -> registry).run(context -> {
                    Await.until(() -> lag(registry, "billing") == 3 && lag(registry, "") == 3);
                    Await.until(() -> age(registry) > 0);
                    mayContinue.countDown();
                    Await.until(() -> lag(registry, "billing") == 0 && lag(registry, "") == 0);
                    assertThat(registry.get("queen.listener.dead.letters").tags("queue", queue, "group", "billing")
                            .counter().count()).isZero();
                });
    }

    @Test
    void theBacklogIsUnknownWithoutAServer() {
        MeterRegistry registry = new SimpleMeterRegistry();
        CountDownLatch mayContinue = new CountDownLatch(0);
        application.withPropertyValues("queen.urls=http://127.0.0.1:1", "queen.retry-for=0s")
                .withBean(CountDownLatch.class, () -> mayContinue).withBean(Blocked.class)
                .withBean(MeterRegistry.class, () -> registry)
                .run(context -> assertThat(lag(registry, "billing")).isNaN());
    }

    private double lag(MeterRegistry registry, String group) {
        return registry.get("queen.listener.lag").tags("queue", queue, "group", group).gauge().value();
    }

    private double age(MeterRegistry registry) {
        return registry.get("queen.listener.lag.age").tags("queue", queue, "group", "billing").timeGauge().value();
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
