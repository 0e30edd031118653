package io.queenmq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import io.queenmq.client.Delivery;
import io.queenmq.client.Queen;
import io.queenmq.client.error.UnavailableException;
import io.queenmq.client.operator.QueueOptions;
import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Traces from producers to listeners. */
@QueenTest
class TracingTest {
    private static final String TRACEPARENT = "traceparent";
    private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private final TestQueen server;
    private final Queen queen;
    private final String queue;
    private final ApplicationContextRunner application;
    private final Seen seen = new Seen();
    private final Seen observed = new Seen();

    TracingTest(Queen queen, TestQueen server) {
        this.server = server;
        this.queen = queen;
        this.queue = server.newQueue();
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(new Tracer(observed));
        this.application = Application.of(server, queue).withBean(Seen.class, () -> seen).withBean(Billing.class)
                .withBean(ObservationRegistry.class, () -> registry);
    }

    /**
     * Works like the handlers of Micrometer Tracing: writes into carriers of senders, and reads from carriers of
     * receivers.
     */
    record Tracer(Seen observed) implements ObservationHandler<Observation.Context> {
        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }

        @Override
        public void onStart(Observation.Context context) {
            switch (context) {
                case SenderContext<?> sent -> write(sent);
                case ReceiverContext<?> received -> read(received);
                default -> throw new IllegalStateException(context.toString());
            }
        }

        @Override
        public void onStop(Observation.Context context) {
            observed.add(context.getName()
                    + context.getLowCardinalityKeyValues().stream()
                            .map(each -> " " + each.getKey() + "=" + each.getValue()).collect(Collectors.joining())
                    + (context.getError() == null ? "" : " " + context.getError().getMessage()));
        }

        private static <C> void write(SenderContext<C> sent) {
            sent.getSetter().set(sent.getCarrier(), TRACEPARENT, TRACE);
        }

        private <C> void read(ReceiverContext<C> received) {
            observed.add("received " + received.getGetter().get(received.getCarrier(), TRACEPARENT));
        }
    }

    static class Billing {
        private final Seen seen;

        Billing(Seen seen) {
            this.seen = seen;
        }

        @QueenListener(queue = "${shop.queue}", group = "billing")
        void bill(Delivery<String> order) {
            seen.add(order.value() + " " + order.headers());
            if (order.value().equals("bad") && order.attempt() == 1) {
                throw new IllegalStateException("no money");
            }
        }
    }

    @Test
    void tracesAreSentInHeadersByDefault() {
        application.run(context -> {
            context.getBean(QueenTemplate.class).push(queue, "a", "good");
            assertThat(seen.next()).isEqualTo("good " + Map.of(TRACEPARENT, TRACE));
            // A message may be handled before its push returns.
            assertThat(List.of(observed.next(), observed.next(), observed.next())).containsExactlyInAnyOrder(pushed(""),
                    "received " + TRACE, processed(""));
        });
    }

    @Test
    void aFailureIsObserved() {
        application.run(context -> {
            queen.queue(queue, String.class).partition("a").push("bad");
            assertThat(observed.next()).as("pushed without a trace").isEqualTo("received null");
            assertThat(observed.next()).isEqualTo(processed(" no money"));
        });
    }

    @Test
    void aFailedPushIsObservedWithItsFailure() {
        application.withPropertyValues("queen.urls=http://127.0.0.1:1", "queen.retry-for=0s",
                "queen.listener.auto-startup=false").run(context -> {
                    assertThatThrownBy(() -> context.getBean(QueenOperations.class).push(queue, "a", "x"))
                            .isInstanceOf(UnavailableException.class);
                    assertThat(observed.next()).startsWith(pushed("") + " POST /api/v1/push");
                });
    }

    @Test
    void aPushInATransactionIsObservedWithTheOutcomeOfTheTransaction() {
        queen.operator().queues().configure(queue, QueueOptions.of());
        DataSource dataSource = new DriverManagerDataSource(server.jdbcUrl(), server.databaseUser(),
                server.databasePassword());
        application.withPropertyValues("queen.listener.auto-startup=false").withBean(DataSource.class, () -> dataSource)
                .withBean(JdbcTransactionManager.class, () -> new JdbcTransactionManager(dataSource)).run(context -> {
                    QueenOperations operations = context.getBean(QueenOperations.class);
                    TransactionTemplate transactions = new TransactionTemplate(
                            context.getBean(JdbcTransactionManager.class));
                    transactions.executeWithoutResult(status -> {
                        operations.push(queue, "a", "undone");
                        assertThat(observed.isEmpty()).as("the outcome is unknown before the end").isTrue();
                        status.setRollbackOnly();
                    });
                    assertThat(observed.next()).isEqualTo(pushed(" the transaction was rolled back"));
                    transactions.executeWithoutResult(status -> {
                        operations.pushAll(queue, "a", List.of("1", "2"));
                        assertThat(observed.isEmpty()).isTrue();
                    });
                    assertThat(observed.next()).isEqualTo(pushed(""));
                });
    }

    private String pushed(String failure) {
        return "messaging.client.operation.duration messaging.destination.name=" + queue
                + " messaging.operation.name=push messaging.operation.type=send messaging.system=queen" + failure;
    }

    private String processed(String failure) {
        return "messaging.process.duration messaging.consumer.group.name=billing messaging.destination.name=" + queue
                + " messaging.operation.name=process messaging.operation.type=process messaging.system=queen" + failure;
    }
}
