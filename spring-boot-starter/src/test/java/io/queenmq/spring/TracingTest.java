package io.queenmq.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import io.queenmq.client.Delivery;
import io.queenmq.client.Queen;
import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A trace goes from who pushes to who handles. */
@QueenTest
class TracingTest {
    private static final String TRACEPARENT = "traceparent";
    private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private final Queen queen;
    private final String queue;
    private final ApplicationContextRunner application;
    private final Seen seen = new Seen();
    private final Seen observed = new Seen();

    TracingTest(Queen queen, TestQueen server) {
        this.queen = queen;
        this.queue = server.newQueue();
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(new Tracer(observed));
        this.application = Application.of(server, queue).withBean(Seen.class, () -> seen).withBean(Billing.class)
                .withBean(ObservationRegistry.class, () -> registry);
    }

    /** Does what the handlers of Micrometer Tracing do: it writes into what is sent, and reads from what is received. */
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
            observed.add(context.getName() + context.getLowCardinalityKeyValues().stream()
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
    void aTraceTravelsInTheHeadersByDefault() {
        application.run(context -> {
            context.getBean(QueenTemplate.class).push(queue, "a", "good");
            assertThat(seen.next()).isEqualTo("good " + Map.of(TRACEPARENT, TRACE));
            // The push may be handled before the one who pushed has heard that it is stored.
            assertThat(List.of(observed.next(), observed.next(), observed.next())).containsExactlyInAnyOrder(
                    "queen.push queen.queue=" + queue, "received " + TRACE,
                    "queen.handle queen.group=billing queen.queue=" + queue);
        });
    }

    @Test
    void aFailureIsObserved() {
        application.run(context -> {
            queen.queue(queue, String.class).partition("a").push("bad");
            assertThat(observed.next()).as("pushed by one who does not trace").isEqualTo("received null");
            assertThat(observed.next()).startsWith("queen.handle").endsWith(" no money");
        });
    }
}
