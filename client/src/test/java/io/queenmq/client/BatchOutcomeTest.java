package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.client.operator.DeadLetter;
import io.queenmq.client.operator.MessageFilter;
import io.queenmq.client.operator.QueueOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Outcomes of single messages of a batch. */
class BatchOutcomeTest {
    @RegisterExtension
    static final TestServer server = new TestServer();

    private final String name = TestServer.newQueue();
    private final QueueView<String> queue = server.queen().queue(name, String.class);
    private final Seen calls = new Seen();
    private final Seen failures = new Seen();

    @BeforeEach
    void push() {
        server.queen().operator().queues().configure(name, QueueOptions.of().retryLimit(2).retryDelay(Duration.ZERO));
        queue.partition("p").pushAll(List.of("a", "b", "c", "d"));
    }

    @Test
    void theOtherMessagesAreAcknowledged() throws Exception {
        run(partition -> List.copyOf(partition.stream()
                .map(each -> each.value().equals("b") ? Outcome.fail("bad") : Outcome.ack()).toList()));

        assertThat(calls.values()).containsExactly("[a1, b1, c1, d1]", "[b2]", "[b3]");
        assertThat(dead()).containsExactly("bad");
    }

    @Test
    void everyKindOfOutcomeIsStored() throws Exception {
        run(partition -> partition.stream().map(each -> switch (each.value() + each.attempt()) {
            case "a1" -> Outcome.deadLetter("never");
            case "b1", "d1" -> Outcome.fail("once");
            default -> Outcome.ack();
        }).toList());

        assertThat(calls.values()).containsExactly("[a1, b1, c1, d1]", "[b2, d2]");
        assertThat(dead()).containsExactly("never");
    }

    @Test
    void aDelayedRetryCountsNoFailure() throws Exception {
        Instant start = Instant.now();
        run(partition -> partition.stream()
                .map(each -> each.value().equals("c") && calls.values().size() == 1
                        ? Outcome.retryAt(start.plusMillis(700))
                        : Outcome.ack())
                .toList());

        assertThat(calls.values()).containsExactly("[a1, b1, c1, d1]", "[c1]");
        assertThat(Duration.between(start, Instant.now())).isGreaterThan(Duration.ofMillis(700));
        assertThat(dead()).isEmpty();
    }

    /** Messages after the failed one may not have been processed, so they must not be acknowledged. */
    @Test
    void anExceptionNamesTheFailedMessage() throws Exception {
        run(partition -> {
            for (int i = 0; i < partition.size(); i++) {
                if (partition.get(i).value().equals("b")) {
                    throw BatchException.at(i, new IllegalStateException("bad"));
                }
            }
            return Outcome.ack(partition.size());
        });

        assertThat(calls.values()).first().isEqualTo("[a1, b1, c1, d1]");
        assertThat(calls.values()).as("a is acknowledged").noneMatch(each -> each.contains("a2"));
        assertThat(calls.values()).as("c and d do not fail")
                .noneMatch(each -> each.contains("c2") || each.contains("d2"));
        assertThat(failures.values()).containsExactly("b1 bad", "b2 bad", "b3 bad");
        assertThat(dead()).containsExactly("java.lang.IllegalStateException: bad");
        assertThat(server.pending(name)).isZero();
    }

    @Test
    void anInvalidIndexFailsTheBatch() throws Exception {
        run(partition -> {
            if (partition.size() == 4) {
                throw BatchException.at(4);
            }
            return Outcome.ack(partition.size());
        });

        assertThat(failures.values()).first().asString().startsWith("a1 the batch handler named the message 4");
        assertThat(server.pending(name)).isZero();
    }

    @Test
    void aMissingOutcomeFailsTheBatch() throws Exception {
        run(partition -> calls.values().size() == 1 ? List.of(Outcome.ack()) : Outcome.ack(partition.size()));

        assertThat(failures.values()).first().asString().contains("returned 1 outcomes for 4 messages");
        assertThat(calls.values()).element(1).isEqualTo("[a2, b2, c2, d2]");
    }

    private void run(BatchOutcomeHandler<String> handler) throws InterruptedException {
        ConsumerListener listener = new ConsumerListener() {
            @Override
            public void handlerFailed(Delivery<?> delivery, Throwable failure) {
                failures.add(delivery.value() + "" + delivery.attempt() + " " + failure.getMessage());
            }
        };
        try (var running = queue.group("g").consumer().listener(listener).stopWhenIdle(Duration.ofSeconds(1))
                .startBatchesWithOutcomes(partition -> {
                    calls.add(partition.stream().map(each -> each.value() + each.attempt()).toList().toString());
                    return handler.handle(partition);
                })) {
            running.awaitEnd();
        }
    }

    private List<String> dead() {
        return server.queen().operator().deadLetters().list(MessageFilter.any().queue(name)).items().stream()
                .map(DeadLetter::error).toList();
    }
}
