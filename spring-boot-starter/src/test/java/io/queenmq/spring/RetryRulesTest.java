package io.queenmq.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.client.Delivery;
import io.queenmq.client.ErrorHandler;
import io.queenmq.client.Json;
import io.queenmq.client.Outcome;
import io.queenmq.client.Queen;
import io.queenmq.client.operator.MessageFilter;
import io.queenmq.client.operator.QueueOptions;
import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;

/** The order of the rules that decide about failed messages. */
@QueenTest
class RetryRulesTest {
    private final Queen queen;
    private final String queue;
    private final ApplicationContextRunner application;

    RetryRulesTest(Queen queen, TestQueen server) {
        this.queen = queen;
        this.queue = server.newQueue();
        this.application = Application.of(server, queue).withBean(Seen.class);
        queen.operator().queues().configure(queue, QueueOptions.of().retryDelay(Duration.ZERO).retryLimit(5));
    }

    static class Billing {
        private final Seen seen;

        Billing(Seen seen) {
            this.seen = seen;
        }

        @QueenListener(queue = "${shop.queue}", group = "billing", notRetryable = IOException.class, maxAttempts = "3", undecodable = "${shop.undecodable:}")
        void bill(Delivery<Integer> order) {
            seen.add(order.value() + " attempt " + order.attempt());
            switch (order.value()) {
                case 1 -> throw new IllegalStateException("broken", new IOException("no such file"));
                case 2 -> throw new IllegalStateException("busy");
                case 3 -> throw new UnsupportedOperationException("skip it");
                default -> {
                }
            }
        }
    }

    static class Handlers {
        @Bean
        @Order(1)
        ErrorHandler first() {
            return (delivery, failure) -> failure instanceof UnsupportedOperationException ? Outcome.ack() : null;
        }

        @Bean
        @Order(2)
        ErrorHandler second() {
            return (delivery, failure) -> Outcome.fail("second " + failure.getMessage());
        }

        @Bean
        ErrorHandler skipping() {
            return (delivery, failure) -> Outcome.ack();
        }
    }

    @Test
    void theRulesOfTheListenerPrecedeThoseOfBeans() {
        push("1", "2", "3", "4");
        application.withUserConfiguration(Handlers.class).withBean(Billing.class).run(context -> {
            Seen seen = context.getBean(Seen.class);
            assertThat(seen.next()).as("not retryable because of its cause").isEqualTo("1 attempt 1");
            assertThat(List.of(seen.next(), seen.next(), seen.next())).containsExactly("2 attempt 1", "2 attempt 2",
                    "2 attempt 3");
            assertThat(seen.next()).as("acknowledged by the first handler").isEqualTo("3 attempt 1");
            assertThat(seen.next()).isEqualTo("4 attempt 1");
        });
        assertThat(deadLetters()).containsExactlyInAnyOrder("1", "2");
    }

    @Test
    void errorHandlersDoNotDecideAboutUndecodableMessages() {
        push("\"not a number\"", "4");
        application.withUserConfiguration(Handlers.class).withBean(Billing.class)
                .run(context -> assertThat(context.getBean(Seen.class).next()).isEqualTo("4 attempt 1"));
        assertThat(deadLetters()).containsExactly("\"not a number\"");
    }

    @Test
    void theRuleForUndecodableMessagesIsReplacedExplicitly() {
        push("\"not a number\"", "4");
        application.withPropertyValues("shop.undecodable=skipping").withUserConfiguration(Handlers.class)
                .withBean(Billing.class)
                .run(context -> assertThat(context.getBean(Seen.class).next()).isEqualTo("4 attempt 1"));
        assertThat(deadLetters()).isEmpty();
    }

    private void push(String... payloads) {
        queen.queue(queue, Json.class).partition("a").pushAll(List.of(payloads).stream().map(Json::of).toList());
    }

    private List<String> deadLetters() {
        return queen.operator().deadLetters().list(MessageFilter.any().queue(queue)).items().stream()
                .map(each -> each.payload()).toList();
    }
}
