package io.queenmq.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.client.BatchException;
import io.queenmq.client.Delivery;
import io.queenmq.client.Json;
import io.queenmq.client.Message;
import io.queenmq.client.Outcome;
import io.queenmq.client.Queen;
import io.queenmq.client.operator.MessageFilter;
import io.queenmq.client.operator.QueueOptions;
import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;

/** Parameters of listeners. */
@QueenTest
class ListenerParameterTest {
    record Order(int number, Optional<String> note) {}

    private final TestQueen server;
    private final Queen queen;
    private final String queue;
    private final ApplicationContextRunner application;

    ListenerParameterTest(Queen queen, TestQueen server) {
        this.server = server;
        this.queen = queen;
        this.queue = server.newQueue();
        this.application = Application.of(server, queue).withBean(Seen.class);
    }

    static class Payloads {
        private final Seen seen;

        Payloads(Seen seen) {
            this.seen = seen;
        }

        @QueenListener(queue = "${shop.queue}", group = "billing")
        void bill(List<Order> orders) {
            seen.add(orders.stream().map(each -> each.number() + each.note().orElse("")).toList());
        }
    }

    @Test
    void aListOfPayloadsIsABatch() {
        pushAll("{\"number\":1,\"note\":\"a\"}", "{\"number\":2}");
        application.withBean(Payloads.class)
                .run(context -> assertThat(context.getBean(Seen.class).next()).isEqualTo("[1a, 2]"));
        assertThat(server.pending(queue, "billing")).isZero();
    }

    @Test
    void inABatchOnlyUndecodableMessagesAreDeadLettered() {
        pushAll("{\"number\":1}", "\"no order\"", "{\"number\":2}", "[]");
        application.withBean(Payloads.class)
                .run(context -> assertThat(context.getBean(Seen.class).next()).isEqualTo("[1, 2]"));
        assertThat(server.pending(queue, "billing")).isZero();
        assertThat(queen.operator().deadLetters().list(MessageFilter.any().queue(queue)).items()).hasSize(2)
                .allSatisfy(dead -> assertThat(dead.toString()).contains("CodecException"));
    }

    static class Arrays {
        private final Seen seen;

        Arrays(Seen seen) {
            this.seen = seen;
        }

        @QueenListener(queue = "${shop.queue}", group = "billing")
        void bill(Delivery<List<String>> order) {
            seen.add(order.value());
        }
    }

    @Test
    void anArrayPayloadIsReadWithADelivery() {
        pushAll("[\"a\",\"b\"]");
        application.withBean(Arrays.class)
                .run(context -> assertThat(context.getBean(Seen.class).next()).isEqualTo("[a, b]"));
    }

    static class OfMessage {
        @QueenListener(queue = "${shop.queue}")
        void bill(Message<String> order) {}
    }

    static class OfMessages {
        @QueenListener(queue = "${shop.queue}")
        void bill(List<Message<String>> orders) {}
    }

    static class OfSet {
        @QueenListener(queue = "${shop.queue}")
        void bill(Set<Delivery<String>> orders) {}
    }

    static class OfNested {
        @QueenListener(queue = "${shop.queue}")
        void bill(List<List<Delivery<String>>> orders) {}
    }

    static class OfAnything {
        @QueenListener(queue = "${shop.queue}")
        <T> void bill(Delivery<T> order) {}
    }

    static class OfNothing {
        @QueenListener(queue = "${shop.queue}")
        void bill() {}
    }

    static class OfTwo {
        @QueenListener(queue = "${shop.queue}")
        void bill(String order, String group) {}
    }

    @ParameterizedTest
    @ValueSource(classes = {OfMessage.class, OfMessages.class, OfSet.class, OfNested.class, OfAnything.class,
        OfNothing.class, OfTwo.class})
    void anUnsupportedParameterFailsTheStart(Class<?> type) {
        application.withBean(type)
                .run(context -> assertThat(context).getFailure().rootCause()
                        .hasMessageContaining(type.getSimpleName() + ".bill").isInstanceOfSatisfying(
                                QueenStartupException.class, failure -> assertThat(failure.action()).isNotBlank()));
    }

    static class Everything {
        private final Seen seen;

        Everything(Seen seen) {
            this.seen = seen;
        }

        @QueenListener(queue = "${shop.queue}", group = "billing")
        void bill(@Payload Order order, org.springframework.messaging.Message<Order> message, Delivery<?> delivery,
                @Header("kind") String kind, @Header(name = "count", defaultValue = "7") int count,
                @Header("missing") Optional<String> missing, @Header(QueenHeaders.ATTEMPT) int attempt,
                @Headers Map<String, Object> headers) {
            seen.add(order.number() + " " + message.getPayload().number() + " " + delivery.partition() + " " + kind
                    + " " + count + " " + missing.isPresent() + " " + attempt + " " + headers.get(QueenHeaders.QUEUE)
                    + " " + message.getHeaders().get("kind"));
        }
    }

    @Test
    void severalParametersAreResolved() {
        queen.queue(queue, Json.class).partition("a")
                .push(io.queenmq.client.Message.of(Json.of("{\"number\":1}")).header("kind", "order"));
        application.withBean(Everything.class).run(context -> assertThat(context.getBean(Seen.class).next())
                .isEqualTo("1 1 a order 7 false 1 " + queue + " order"));
    }

    /** Without the header no retry can succeed. */
    @Test
    void aMissingHeaderIsDeadLetteredAtOnce() {
        pushAll("{\"number\":1}");
        application.withBean(Everything.class).run(context -> assertThat(deadLetterError())
                .contains("InvalidMessageException").contains("the header 'kind' is missing"));
    }

    static class Collections {
        private final Seen seen;

        Collections(Seen seen) {
            this.seen = seen;
        }

        @QueenListener(queue = "${shop.queue}", group = "billing")
        List<Outcome> bill(Collection<org.springframework.messaging.Message<Order>> orders) {
            seen.add(orders.stream()
                    .map(each -> each.getPayload().number() + "/" + each.getHeaders().get(QueenHeaders.ATTEMPT))
                    .toList());
            return orders.stream().map(each -> each.getPayload().number() == 2 ? Outcome.fail("bad") : Outcome.ack())
                    .toList();
        }
    }

    @Test
    void aBatchOfMessagesReturnsOutcomes() {
        queen.operator().queues().configure(queue, QueueOptions.of().retryLimit(1).retryDelay(Duration.ZERO));
        pushAll("{\"number\":1}", "{\"number\":2}", "{\"number\":3}");
        application.withBean(Collections.class).run(context -> {
            Seen seen = context.getBean(Seen.class);
            assertThat(List.of(seen.next(), seen.next())).containsExactly("[1/1, 2/1, 3/1]", "[2/2]");
            assertThat(deadLetterError()).isEqualTo("bad");
        });
    }

    static class Named {
        private final Seen seen;

        Named(Seen seen) {
            this.seen = seen;
        }

        @QueenListener(queue = "${shop.queue}", group = "billing")
        void bill(List<Order> orders) {
            seen.add(orders.stream().map(Order::number).toList());
            for (int i = 0; i < orders.size(); i++) {
                if (orders.get(i).number() == 2) {
                    throw BatchException.at(i, new IllegalStateException("bad order"));
                }
            }
        }
    }

    @Test
    void aBatchExceptionNamesTheFailedMessage() {
        queen.operator().queues().configure(queue, QueueOptions.of().retryLimit(0));
        pushAll("{\"number\":1}", "{\"number\":2}", "{\"number\":3}");
        application.withBean(Named.class).run(context -> {
            assertThat(deadLetterError()).isEqualTo("java.lang.IllegalStateException: bad order");
            Await.until(() -> server.pending(queue, "billing") == 0);
        });
        assertThat(queen.operator().deadLetters().list(MessageFilter.any().queue(queue)).items()).hasSize(1);
    }

    static class Validated {
        @QueenListener(queue = "${shop.queue}", group = "billing")
        void bill(@org.springframework.validation.annotation.Validated Order order) {}
    }

    private static final class PositiveNumber implements Validator {
        @Override
        public boolean supports(Class<?> type) {
            return type == Order.class;
        }

        @Override
        public void validate(Object target, Errors errors) {
            if (((Order) target).number() <= 0) {
                errors.reject("positive", "the number must be positive");
            }
        }
    }

    @Test
    void anInvalidPayloadIsDeadLetteredAtOnce() {
        pushAll("{\"number\":-1}", "{\"number\":1}");
        application.withBean(Validated.class).withBean(Validator.class, PositiveNumber::new).run(context -> {
            assertThat(deadLetterError()).contains("the payload is invalid: the number must be positive");
            Await.until(() -> server.pending(queue, "billing") == 0);
        });
    }

    @Test
    void aValidationWithoutValidatorFailsTheStart() {
        application.withBean(Validated.class)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("Validator"));
    }

    private String deadLetterError() {
        List<String> errors = new ArrayList<>();
        Await.until(() -> {
            errors.clear();
            queen.operator().deadLetters().list(MessageFilter.any().queue(queue)).items()
                    .forEach(each -> errors.add(each.error()));
            return !errors.isEmpty();
        });
        return errors.getFirst();
    }

    private void pushAll(String... payloads) {
        queen.queue(queue, Json.class).partition("a").pushAll(List.of(payloads).stream().map(Json::new).toList());
    }
}
