package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Deliveries of one process are finished by another. */
class ResumeTest {
    @RegisterExtension
    static final TestServer server = new TestServer();

    private final String name = TestServer.newQueue();
    private final QueueView<String> queue = server.queen().queue(name, String.class);

    @Test
    void aTransferredDeliveryIsFinishedByAnotherProcess() {
        queue.pushAll(List.of("1", "2"));
        List<Json> handedOn = queue.group("g").pop(PopOptions.DEFAULT.batch(2)).deliveries().stream()
                .map(Delivery::toJson).toList();

        try (Queen other = Queen.connect(server.url())) {
            Batch<Json> batch = other.resume(handedOn);

            assertThat(batch.deliveries()).extracting(each -> each.value().text()).containsExactly("\"1\"", "\"2\"");
            assertThat(batch.ack()).hasOnlyElementsOfType(AckResult.Accepted.class);
        }
        assertThat(server.pending(name)).isZero();
    }

    @Test
    void aTransferredDeliveryCanBePartOfATransaction() {
        queue.push("1");
        Json handedOn = queue.group("g").pop().deliveries().getFirst().toJson();

        try (Queen other = Queen.connect(server.url())) {
            Delivery<Json> delivery = other.resume(List.of(handedOn)).deliveries().getFirst();
            other.transaction(tx -> tx.ack(delivery).push(name + "-next", "a", "done"));
        }

        assertThat(server.pending(name)).isZero();
        assertThat(server.stored(name + "-next", "a")).containsExactly("done");
    }

    @Test
    void missingFieldsAreNamed() {
        assertThatThrownBy(() -> server.queen().resume(List.of(new Json("{\"transactionId\":\"1\"}"))))
                .isInstanceOf(IllegalArgumentException.class).hasMessage("a delivery has no leaseId");
        assertThatThrownBy(() -> server.queen().resume(List.of(delivery("a"), delivery("b"))))
                .hasMessageContaining("more than one lease");
    }

    private static Json delivery(String leaseId) {
        return new Json("{\"transactionId\":\"1\",\"partitionId\":\"p\",\"leaseId\":\"" + leaseId + "\"}");
    }
}
