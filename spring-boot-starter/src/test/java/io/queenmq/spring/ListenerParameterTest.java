package io.queenmq.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.client.Delivery;
import io.queenmq.client.Json;
import io.queenmq.client.Message;
import io.queenmq.client.Queen;
import io.queenmq.client.operator.MessageFilter;
import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What a listener may be called with, and what is no listener. */
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
    void inABatchOnlyWhatCannotBeDecodedIsGivenUp() {
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
    void aPayloadThatIsAnArrayIsThatOfADelivery() {
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
    void whatNoMessageCanBecomeIsAnErrorAtTheStart(Class<?> type) {
        application.withBean(type).run(context -> assertThat(context).getFailure().rootCause()
                .hasMessageContaining(type.getSimpleName() + ".bill")
                .hasMessageContaining("a payload, Delivery<T>, List<T> or List<Delivery<T>>"));
    }

    private void pushAll(String... payloads) {
        queen.queue(queue, Json.class).partition("a").pushAll(List.of(payloads).stream().map(Json::new).toList());
    }
}
