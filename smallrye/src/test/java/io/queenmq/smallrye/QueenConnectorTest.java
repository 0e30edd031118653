package io.queenmq.smallrye;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.client.Queen;
import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.Metadata;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Channels of an application with CDI (Weld) and a real server. */
@QueenTest
class QueenConnectorTest {
    private static final Map<String, String> QUEUES = new HashMap<>();
    private static final TestQueen SERVER = TestQueen.shared();
    private static SeContainer container;
    private static Shop shop;

    @BeforeAll
    static void startTheApplication() {
        System.setProperty("queen.url", SERVER.url());
        for (String each : List.of("orders", "failing", "refused", "manual", "carts", "invoices", "events")) {
            QUEUES.put(each, SERVER.newQueue());
            System.setProperty("queue." + each, QUEUES.get(each));
        }
        // Reads the properties, including the queues above.
        assertThat(ConfigProvider.getConfig().getPropertyNames()).contains("queue.orders");
        container = SeContainerInitializer.newInstance().initialize();
        shop = container.select(Shop.class).get();
    }

    @AfterAll
    static void stopTheApplication() {
        container.close();
    }

    @Test
    void messagesOfAPartitionAreReceivedInOrderAndAcknowledged(Queen queen) {
        var queue = queen.queue(QUEUES.get("orders"), String.class);
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            first.add("a" + i);
            second.add("b" + i);
        }
        queue.partition("a").pushAll(first);
        queue.partition("b").pushAll(second);

        await(() -> shop.billed().size() == 40 && SERVER.pending(QUEUES.get("orders"), "billing") == 0);
        assertThat(shop.billed()).filteredOn(each -> each.startsWith("a")).isEqualTo(first);
        assertThat(shop.billed()).filteredOn(each -> each.startsWith("b")).isEqualTo(second);
    }

    @Test
    void aRejectedMessageIsRedeliveredBeforeTheNextOfItsPartition(Queen queen) {
        queen.queue(QUEUES.get("failing"), String.class).partition("a").pushAll(List.of("first", "second"));

        await(() -> SERVER.pending(QUEUES.get("failing"), "billing") == 0);
        assertThat(shop.attempts()).containsExactly("first 1", "first 2", "second 1");
    }

    @Test
    void aRejectedMessageIsDeadLetteredIfConfigured(Queen queen) {
        queen.queue(QUEUES.get("refused"), String.class).partition("a").pushAll(List.of("bad", "good"));

        await(() -> shop.refused().contains("good") && SERVER.pending(QUEUES.get("refused"), "billing") == 0);
        assertThat(shop.refused()).containsExactly("bad", "good");
    }

    /** Backpressure: the acknowledgment of a message is the request for the next one of its partition. */
    @Test
    void anUnacknowledgedMessageBlocksItsPartitionOnly(Queen queen) throws InterruptedException {
        var queue = queen.queue(QUEUES.get("manual"), String.class);
        queue.partition("a").pushAll(List.of("a1", "a2"));
        Message<String> blocking = next();
        assertThat(blocking.getPayload()).isEqualTo("a1");
        queue.partition("b").push("b1");
        Message<String> other = next();
        assertThat(other.getPayload()).isEqualTo("b1");
        other.ack();
        await(() -> SERVER.pending(QUEUES.get("manual"), "billing") == 2);
        assertThat(shop.outstanding()).isEmpty();

        blocking.ack();
        Message<String> last = next();
        assertThat(last.getPayload()).isEqualTo("a2");
        last.ack();
        await(() -> SERVER.pending(QUEUES.get("manual"), "billing") == 0);
    }

    @Test
    void aProcessedMessageIsAcknowledgedWhenItsResultIsStored(Queen queen) {
        queen.queue(QUEUES.get("carts"), String.class).partition("a").pushAll(List.of("1", "2", "3"));

        await(() -> SERVER.pending(QUEUES.get("carts"), "shop") == 0);
        assertThat(SERVER.messages(QUEUES.get("invoices"), "all")).containsExactly("\"invoice of 1\"",
                "\"invoice of 2\"", "\"invoice of 3\"");
    }

    @Test
    void aSentMessageIsAcknowledgedWhenItIsStoredInItsPartition() throws Exception {
        for (int i = 0; i < 3; i++) {
            CompletableFuture<Void> stored = new CompletableFuture<>();
            shop.events()
                    .send(Message
                            .of("event " + i,
                                    Metadata.of(OutgoingQueenMetadata.ofPartition("customer-42")
                                            .withTransactionId("id-1-" + i).withHeaders(Map.of("source", "test"))),
                                    () -> {
                                        stored.complete(null);
                                        return CompletableFuture.completedFuture(null);
                                    }));
            stored.get(30, TimeUnit.SECONDS);
            assertThat(SERVER.messages(QUEUES.get("events"), "customer-42")).hasSize(i + 1);
        }
    }

    private static Message<String> next() throws InterruptedException {
        Message<String> message = shop.outstanding().poll(30, TimeUnit.SECONDS);
        assertThat(message).isNotNull();
        return message;
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!isTrue(condition)) {
            assertThat(System.nanoTime()).as("waited 30 s").isLessThan(deadline);
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** The queue does not exist before the first message. */
    private static boolean isTrue(BooleanSupplier condition) {
        try {
            return condition.getAsBoolean();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
