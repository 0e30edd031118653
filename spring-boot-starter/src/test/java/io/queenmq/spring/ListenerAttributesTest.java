package io.queenmq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.Delivery;
import io.queenmq.client.ErrorHandler;
import io.queenmq.client.Outcome;
import io.queenmq.client.Queen;
import io.queenmq.client.operator.MessageFilter;
import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AliasFor;

/** Attributes of listeners, and QueenListeners. */
@QueenTest
class ListenerAttributesTest {
    private final Queen queen;
    private final String queue;
    private final ApplicationContextRunner application;

    ListenerAttributesTest(Queen queen, TestQueen server) {
        this.queen = queen;
        this.queue = server.newQueue();
        this.application = Application.of(server, queue).withBean(Seen.class);
    }

    static class Configurable {
        private final Seen seen;

        Configurable(Seen seen) {
            this.seen = seen;
        }

        @QueenListener(queue = "${shop.queue}", group = "${shop.group:billing}", id = "${shop.id:}", concurrency = "${shop.concurrency:2}", batch = "${shop.batch:1}", maxPartitions = "${shop.partitions:}", from = "${shop.from:}", lease = "${shop.lease:}", autoStartup = "${shop.auto:true}", errorHandler = "${shop.errors:}")
        void bill(List<String> orders) {
            seen.add(orders);
            if (orders.contains("bad")) {
                throw new IllegalArgumentException("bad");
            }
        }
    }

    @Test
    void allAttributesResolvePlaceholders() {
        push("1", "2", "3");
        application.withBean("billing", Configurable.class).withPropertyValues("shop.group=other", "shop.id=billing",
                "shop.concurrency=1", "shop.batch=3", "shop.partitions=5", "shop.lease=5m").run(context -> {
                    assertThat(context.getBean(QueenListeners.class).ids()).containsExactly("billing");
                    assertThat(context.getBean(Seen.class).next()).isEqualTo("[1, 2, 3]");
                });
        assertThat(queen.queue(queue, String.class).group("other").pop().deliveries()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"concurrency, many", "concurrency, 0", "batch, 1.5", "partitions, 101", "from, yesterday",
        "lease, 10ms", "lease, long", "auto, perhaps"})
    void anInvalidAttributeFailsTheStart(String property, String value) {
        application.withBean("billing", Configurable.class).withPropertyValues("shop." + property + "=" + value)
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("Configurable.bill")
                        .hasStackTraceContaining("'" + value + "'"));
    }

    @Test
    void aGroupMayStartAtNow() {
        push("old");
        application.withBean("billing", Configurable.class).withPropertyValues("shop.from=now").run(context -> {
            push("new");
            assertThat(context.getBean(Seen.class).next()).isEqualTo("[new]");
        });
    }

    @Test
    void aGroupMayStartAtATime() {
        push("old");
        application.withBean("billing", Configurable.class).withPropertyValues("shop.from=2025-01-31T12:00:00Z")
                .run(context -> assertThat(context.getBean(Seen.class).next()).isEqualTo("[old]"));
    }

    @Test
    void aListenerIsStartedAndStoppedByItsId() {
        push("1");
        application.withBean("billing", Configurable.class).withPropertyValues("shop.auto=false").run(context -> {
            QueenListeners listeners = context.getBean(QueenListeners.class);
            Seen seen = context.getBean(Seen.class);
            assertThat(listeners.ids()).containsExactly("billing.bill");
            assertThat(listeners.isRunning("billing.bill")).isFalse();

            listeners.start("billing.bill");
            assertThat(listeners.isRunning("billing.bill")).isTrue();
            assertThat(seen.next()).isEqualTo("[1]");

            listeners.stop("billing.bill");
            assertThat(listeners.isRunning("billing.bill")).isFalse();
            push("2");
            assertThat(queen.queue(queue, String.class).group("billing").pop().deliveries()).hasSize(1);
            assertThat(seen.isEmpty()).isTrue();

            assertThatThrownBy(() -> listeners.start("typo")).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("billing.bill");
        });
    }

    @Retention(RetentionPolicy.RUNTIME)
    @QueenListener(queue = "${shop.queue}", batch = "2")
    @interface ShopListener {
        @AliasFor(annotation = QueenListener.class)
        String group();
    }

    static class Composed {
        private final Seen seen;

        Composed(Seen seen) {
            this.seen = seen;
        }

        @ShopListener(group = "composed")
        void bill(List<Delivery<String>> orders) {
            seen.add(orders.size() + " for " + orders.getFirst().group());
        }
    }

    @Test
    void anAnnotationMayBeAnnotatedWithQueenListener() {
        push("1", "2", "3");
        application.withBean(Composed.class)
                .run(context -> assertThat(context.getBean(Seen.class).next()).isEqualTo("2 for composed"));
    }

    @Test
    void idsAreUnique() {
        application.withBean("one", Configurable.class).withBean("two", Configurable.class)
                .withPropertyValues("shop.id=same")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("'same'"));
    }

    @Test
    void theOnlyErrorHandlerBeanAppliesToAllListeners() {
        push("bad", "good");
        application.withBean("billing", Configurable.class)
                .withBean(ErrorHandler.class, () -> (delivery, failure) -> Outcome.deadLetter("by " + delivery.group()))
                .run(this::assertThatTheFailingMessageIsDeadLettered);
        assertThat(deadLetters()).singleElement().asString().contains("by billing");
    }

    @Test
    void aListenerMayNameItsErrorHandler() {
        push("bad", "good");
        application.withBean("billing", Configurable.class).withPropertyValues("shop.errors=mine")
                .withBean("mine", ErrorHandler.class, () -> (delivery, failure) -> Outcome.deadLetter("by mine"))
                .withBean("other", ErrorHandler.class, () -> (delivery, failure) -> Outcome.ack())
                .run(this::assertThatTheFailingMessageIsDeadLettered);
        assertThat(deadLetters()).singleElement().asString().contains("by mine");
    }

    private void assertThatTheFailingMessageIsDeadLettered(ApplicationContext context) {
        Seen seen = context.getBean(Seen.class);
        assertThat(List.of(seen.next(), seen.next())).containsExactly("[bad]", "[good]");
    }

    private List<?> deadLetters() {
        return queen.operator().deadLetters().list(MessageFilter.any().queue(queue)).items();
    }

    private void push(String... orders) {
        queen.queue(queue, String.class).partition("a").pushAll(List.of(orders));
    }
}
