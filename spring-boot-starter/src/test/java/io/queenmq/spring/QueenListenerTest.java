package io.queenmq.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.client.Delivery;
import io.queenmq.client.Outcome;
import io.queenmq.client.Queen;
import io.queenmq.client.operator.MessageFilter;
import io.queenmq.client.operator.QueueOptions;
import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Listener methods. */
@QueenTest
class QueenListenerTest {
    record Order(int number, String customer) {}

    private final TestQueen server;
    private final Queen queen;
    private final String queue;
    private final ApplicationContextRunner application;

    QueenListenerTest(Queen queen, TestQueen server) {
        this.server = server;
        this.queen = queen;
        this.queue = server.newQueue();
        this.application = Application.of(server, queue).withBean(Seen.class);
    }

    static class Billing {
        private final Seen seen;

        Billing(Seen seen) {
            this.seen = seen;
        }

        @QueenListener(queue = "${shop.queue}", group = "billing", concurrency = "4")
        void bill(Order order) {
            seen.add("billed " + order.number());
        }
    }

    @Test
    void aListenerGetsPayloadsInOrder() {
        application.withBean(Billing.class).run(context -> {
            queen.queue(queue, Order.class).partition("a").pushAll(List.of(new Order(1, "a"), new Order(2, "a")));
            Seen seen = context.getBean(Seen.class);
            assertThat(seen.next()).isEqualTo("billed 1");
            assertThat(seen.next()).isEqualTo("billed 2");
        });
        assertThat(server.pending(queue, "billing")).isZero();
    }

    static class Unlucky {
        private final Seen seen;

        Unlucky(Seen seen) {
            this.seen = seen;
        }

        @QueenListener(queue = "${shop.queue}", group = "billing")
        void bill(Delivery<Order> delivery) {
            seen.add(delivery.value().number() + ", attempt " + delivery.attempt());
            if (delivery.attempt() == 1 && delivery.value().number() == 1) {
                throw new IllegalStateException("the bank is closed");
            }
        }
    }

    @Test
    void aFailedMessageIsRedeliveredInItsPlace() {
        queen.operator().queues().configure(queue, QueueOptions.of().retryDelay(Duration.ZERO));
        application.withBean(Unlucky.class).run(context -> {
            queen.queue(queue, Order.class).partition("a").pushAll(List.of(new Order(1, "a"), new Order(2, "a")));
            Seen seen = context.getBean(Seen.class);
            assertThat(seen.next()).isEqualTo("1, attempt 1");
            assertThat(seen.next()).isEqualTo("1, attempt 2");
            assertThat(seen.next()).isEqualTo("2, attempt 1");
        });
        assertThat(server.pending(queue, "billing")).isZero();
    }

    static class Several {
        private final Seen seen;

        Several(Seen seen) {
            this.seen = seen;
        }

        @QueenListener(queue = "${shop.queue}", group = "statistics", batch = "2")
        void count(List<Delivery<Order>> partition) {
            seen.add(partition.stream().map(each -> each.value().customer()).toList());
        }
    }

    @Test
    void aListenerMayHandleABatch() {
        queen.queue(queue, Order.class).partition("a")
                .pushAll(List.of(new Order(1, "x"), new Order(2, "y"), new Order(3, "z")));
        application.withBean(Several.class).run(context -> {
            Seen seen = context.getBean(Seen.class);
            assertThat(seen.next()).isEqualTo("[x, y]");
            assertThat(seen.next()).isEqualTo("[z]");
        });
        assertThat(server.pending(queue, "statistics")).isZero();
    }

    static class Bank {
        private final Seen seen;

        Bank(Seen seen) {
            this.seen = seen;
        }

        @QueenListener(queue = "${shop.queue}")
        Outcome decide(Order order) {
            seen.add(order.number());
            return order.number() == 1 ? Outcome.deadLetter("negative total") : Outcome.ack();
        }
    }

    @Test
    void aListenerMayReturnAnOutcome() {
        queen.queue(queue, Order.class).partition("a").pushAll(List.of(new Order(1, "x"), new Order(2, "x")));
        application.withBean(Bank.class).run(context -> {
            Seen seen = context.getBean(Seen.class);
            assertThat(List.of(seen.next(), seen.next())).containsExactly("1", "2");
        });
        assertThat(queen.operator().deadLetters().list(MessageFilter.any().queue(queue)).items()).singleElement()
                .asString().contains("negative total");
        assertThat(server.pending(queue, null)).isZero();
    }

    /** Depends on the client. Without the wait of the listeners it would be closed before the client. */
    static class Slow implements AutoCloseable {
        private final Seen seen;
        private final CountDownLatch isBusy = new CountDownLatch(1);
        private final CountDownLatch mayGoOn = new CountDownLatch(1);

        Slow(Seen seen, Queen needed) {
            this.seen = seen;
            seen.add(needed == null ? "alone" : "made");
        }

        @QueenListener(queue = "${shop.queue}", group = "billing", batch = "1")
        void bill(Order order) throws InterruptedException {
            isBusy.countDown();
            mayGoOn.await();
            seen.add("billed " + order.number());
        }

        @Override
        public void close() {
            seen.add("closed");
        }
    }

    @Test
    void theShutdownWaitsForTheListener() {
        queen.queue(queue, Order.class).partition("a").push(new Order(1, "a"));
        application.withBean(Slow.class).run(context -> {
            Seen seen = context.getBean(Seen.class);
            Slow slow = context.getBean(Slow.class);
            slow.isBusy.await();
            Thread closing = Thread.ofPlatform().start(context.getSourceApplicationContext()::close);
            while (!context.getSourceApplicationContext().isClosed()) {
                Thread.sleep(10);
            }
            assertThat(server.pending(queue, "billing")).isOne();
            slow.mayGoOn.countDown();
            closing.join();
            assertThat(List.of(seen.next(), seen.next(), seen.next())).containsExactly("made", "billed 1", "closed");
        });
        assertThat(server.pending(queue, "billing")).isZero();
    }

    static class Careless {
        @QueenListener(queue = "${shop.queue}")
        CompletableFuture<Void> later(Order order) {
            return new CompletableFuture<>();
        }
    }

    @Test
    void anAsynchronousMethodIsRejected() {
        application.withBean(Careless.class)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("Careless.later")
                        .hasMessageContaining("returns java.util.concurrent.CompletableFuture"));
    }

    @Test
    void listenersCanBeSwitchedOff() {
        queen.queue(queue, Order.class).partition("a").push(new Order(1, "a"));
        application.withBean(Billing.class).withPropertyValues("queen.listener.auto-startup=false")
                .run(context -> assertThat(context.getBean(QueenListeners.class).isRunning()).isFalse());
        assertThat(queen.queue(queue, Order.class).group("billing").pop().deliveries()).hasSize(1);
    }
}
