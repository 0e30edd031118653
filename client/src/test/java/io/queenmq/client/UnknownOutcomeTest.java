package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.PushResult.Duplicate;
import io.queenmq.client.PushResult.Queued;
import io.queenmq.client.error.OutcomeUnknownException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Lost responses: repeatable requests are repeated without duplicate effects, others have an unknown outcome. */
class UnknownOutcomeTest {
    @RegisterExtension
    static final TestServer server = new TestServer();

    private final String name = TestServer.newQueue();
    private LossyProxy proxy;
    private Queen queen;
    private Queen hasty;

    @BeforeEach
    void connect() throws Exception {
        proxy = new LossyProxy(server.port());
        queen = Queen.connect(proxy.url());
        hasty = Queen.builder().url(proxy.url()).retryFor(Duration.ZERO).build();
    }

    @AfterEach
    void disconnect() throws Exception {
        queen.close();
        hasty.close();
        proxy.close();
    }

    @Test
    void aPushIsSentAgainAndStoredOnce() {
        proxy.loseAnswers(2);

        var stored = queen.queue(name, String.class).push("once");

        assertThat(proxy.hasLostAll()).isTrue();
        assertThat(stored).isInstanceOf(Queued.class);
        assertThat(server.stored(name, "Default")).containsExactly("once");
        assertThat(server.queen().queue(name, String.class).group("g").pop().deliveries().getFirst().messageId())
                .isEqualTo(stored.messageId());
    }

    @Test
    void aRepeatedPushWithTheUsersIdIsADuplicate() {
        proxy.loseAnswers(1);

        var stored = queen.queue(name, String.class).push(Message.of("once").transactionId("order-1"));

        assertThat(stored).isInstanceOf(Duplicate.class);
        assertThat(server.stored(name, "Default")).containsExactly("once");
    }

    @Test
    void aPushThatMustNotBeRepeatedIsUnknown() {
        proxy.loseAnswers(1);

        assertThatThrownBy(() -> hasty.queue(name, String.class).push("maybe"))
                .isInstanceOf(OutcomeUnknownException.class);

        assertThat(server.stored(name, "Default")).containsExactly("maybe");
    }

    @Test
    void aTransactionIsSentAgainAndTakesEffectOnce() {
        String out = TestServer.newQueue();
        QueueView<String> queue = queen.queue(name, String.class);
        queue.pushAll(List.of("1", "2"));
        Delivery<String> delivery = queue.group("g").pop().deliveries().getFirst();
        proxy.loseAnswers(1);

        queen.transaction(tx -> tx.ack(delivery).push(out, "a", "once"));

        assertThat(proxy.hasLostAll()).isTrue();
        assertThat(server.stored(out, "a")).containsExactly("once");
        assertThat(queue.group("g").pop().deliveries()).extracting(Delivery::value).containsExactly("2");
    }

    @Test
    void anAcknowledgementIsSentAgain() throws Exception {
        QueueView<String> queue = queen.queue(name, String.class);
        queue.push("1");

        try (var running = queue.group("g").consumer().limit(1).start(d -> proxy.loseAnswers(1))) {
            running.awaitEnd();
        }

        assertThat(proxy.hasLostAll()).isTrue();
        assertThat(server.pending(name)).isZero();
    }

    /** The JDK's client repeats a GET by itself when a connection breaks, so the loss may not be reported. */
    @Test
    void messagesLostAtMostOnceAreNotRedelivered() {
        server.queen().queue(name, String.class).pushAll(List.of("1", "2", "3"));
        GroupView<String> group = queen.queue(name, String.class).group("g");
        List<String> delivered = new ArrayList<>();
        proxy.loseAnswers(1);

        for (int i = 0; i < 3; i++) {
            try {
                group.popAtMostOnce(PopOptions.DEFAULT).forEach(each -> delivered.add(each.value()));
            } catch (OutcomeUnknownException e) {
                assertThat(i).as("the pop whose answer was lost").isZero();
            }
        }

        assertThat(proxy.hasLostAll()).isTrue();
        assertThat(delivered).containsExactly("2", "3");
    }

    @Test
    void aBufferWithLostResponsesStoresEverythingOnceAndInOrder() throws Exception {
        List<String> all = IntStream.range(0, 500).mapToObj(Integer::toString).toList();

        try (BufferedPush<String> buffer = queen.queue(name, String.class).buffered().batch(20).start()) {
            for (String each : all) {
                if (each.endsWith("00")) {
                    proxy.loseAnswers(1);
                }
                buffer.push(each);
            }
        }

        assertThat(server.stored(name, "Default")).containsExactlyElementsOf(all);
    }
}
