package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.PushResult.Duplicate;
import io.queenmq.client.PushResult.Queued;
import io.queenmq.client.error.CodecException;
import io.queenmq.client.operator.QueueOptions;
import io.queenmq.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages are delivered in order, and manual acknowledgments have the documented effects. */
class PushAndPopTest {
    @RegisterExtension
    static final TestServer server = new TestServer();

    private final String name = TestServer.newQueue();
    private final QueueView<String> queue = server.queen().queue(name, String.class);
    private final GroupView<String> group = queue.group("readers");

    @Test
    void anApplicationMayKeepTheCommonPoolBusy() {
        var over = new CountDownLatch(1);
        for (int i = 0; i < ForkJoinPool.getCommonPoolParallelism(); i++) {
            ForkJoinPool.commonPool().submit(() -> {
                over.await();
                return null;
            });
        }
        try {
            assertThat(queue.push("1")).isInstanceOf(PushResult.Queued.class);
        } finally {
            over.countDown();
        }
    }

    @Test
    void aMessageIsDeliveredAsPushed() {
        UUID trace = UUID.randomUUID();
        Instant before = Instant.now().minusSeconds(60);

        var stored = queue.push(Message.of("grüß \"Gott\"\n\ud83d\ude00").partition("partition/ä+b")
                .transactionId("id 1").traceId(trace));
        Delivery<String> delivery = group.pop().deliveries().getFirst();

        assertThat(stored).isEqualTo(new Queued("id 1", delivery.messageId(), delivery.partitionId()));
        assertThat(delivery.value()).isEqualTo("grüß \"Gott\"\n\ud83d\ude00");
        assertThat(delivery.queue()).isEqualTo(name);
        assertThat(delivery.partition()).isEqualTo("partition/ä+b");
        assertThat(delivery.transactionId()).isEqualTo("id 1");
        assertThat(delivery.group()).isEqualTo("readers");
        assertThat(delivery.traceId()).isEqualTo(trace.toString());
        assertThat(delivery.attempt()).isOne();
        assertThat(delivery.createdAt()).isBetween(before, before.plusSeconds(120));
    }

    @Test
    void manyMessagesKeepTheirOrderInTheirPartition() {
        queue.partition("a").pushAll(List.of("1", "2", "3"));
        queue.pushMessages(IntStream.range(4, 10).mapToObj(i -> Message.of("" + i).partition("a")).toList());

        Batch<String> batch = queue.partition("a").group("readers").pop(PopOptions.DEFAULT.batch(100));

        assertThat(batch.deliveries()).extracting(Delivery::value).containsExactly("1", "2", "3", "4", "5", "6", "7",
                "8", "9");
    }

    @Test
    void aTransactionIdIsStoredOnceAndTheOriginalIsReturned() {
        var first = queue.push(Message.of("one").transactionId("same"));

        var second = queue.push(Message.of("two").transactionId("same"));

        assertThat(second).isEqualTo(new Duplicate("same", first.messageId(), first.partitionId()));
        assertThat(server.stored(name, "Default")).containsExactly("one");
    }

    @Test
    void invalidMessagesAreRejectedAndTheOthersStored() throws Exception {
        server.queen().operator().queues().configure(name, QueueOptions.of().maxSize(2));

        assertThatThrownBy(() -> queue.pushAll(List.of("1", "2", "3"))).isInstanceOfSatisfying(RejectedException.class,
                rejected -> assertThat(rejected.results()).hasExactlyElementsOfTypes(Queued.class, Queued.class,
                        PushResult.Rejected.class));
        BufferedPush<String> buffer = queue.buffered().start();
        buffer.push(Message.of("4").transactionId("four"));

        assertThatThrownBy(buffer::flush).isInstanceOfSatisfying(UnsentException.class,
                report -> assertThat(report.unsent()).singleElement().satisfies(unsent -> {
                    assertThat(unsent.message().transactionId()).isEqualTo("four");
                    assertThat(unsent.reason()).isInstanceOf(RejectedException.class);
                }));
        buffer.close();
        assertThat(server.stored(name, "Default")).containsExactly("1", "2");
    }

    @Test
    void aMessageForAnotherPartitionIsNotPushedToThisOne() {
        assertThatThrownBy(() -> queue.partition("a").push(Message.of("1").partition("b")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(server.stored(name, "a")).isEmpty();
    }

    @Test
    void rawJsonIsNotChanged() {
        QueueView<byte[]> raw = server.queen().queue(name, byte[].class);
        raw.push("{\"b\": 1, \"a\": [1.50]}".getBytes(StandardCharsets.UTF_8));

        Delivery<byte[]> asBytes = raw.group("bytes").pop().deliveries().getFirst();
        Delivery<Json> asText = server.queen().queue(name, Json.class).group("text").pop().deliveries().getFirst();

        assertThat(asBytes.value()).asString().isEqualTo("{\"b\": 1, \"a\": [1.50]}");
        assertThat(asText.value()).isEqualTo(new Json("{\"b\": 1, \"a\": [1.50]}"));
    }

    @Test
    void aPayloadMustBeOneJsonValue() {
        QueueView<Json> raw = server.queen().queue(name, Json.class);

        assertThatThrownBy(() -> raw.push(new Json("1},{\"queue\":\"other\",\"payload\":2")))
                .isInstanceOf(CodecException.class);
        assertThatThrownBy(() -> raw.push(new Json(""))).isInstanceOf(CodecException.class);
        assertThat(server.stored(name, "Default")).isEmpty();
    }

    @Test
    void withoutACodecACustomTypeIsRejectedWithAdvice() {
        record Order(int total) {}

        assertThatThrownBy(() -> server.queen().queue(name, Order.class).push(new Order(1)))
                .isInstanceOf(CodecException.class).hasMessageContaining("queen-client-jackson");
    }

    @Test
    void anInvalidNameIsRejectedBeforeTheRequest() {
        assertThatThrownBy(() -> server.queen().queue("a/b", String.class))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> queue.partition("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> queue.group("x".repeat(256))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anAcknowledgedMessageIsNotRedelivered() {
        queue.pushAll(List.of("1", "2", "3"));

        Batch<String> first = group.pop(PopOptions.DEFAULT.batch(2));
        List<AckResult> results = first.ack();
        Batch<String> rest = group.pop(PopOptions.DEFAULT.batch(10));

        assertThat(results).containsOnly(new AckResult.Accepted());
        assertThat(rest.deliveries()).extracting(Delivery::value).containsExactly("3");
    }

    @Test
    void closingABatchReleasesTheRestWithoutCountingAFailure() {
        queue.pushAll(List.of("1", "2", "3"));

        try (Batch<String> batch = group.pop(PopOptions.DEFAULT.batch(3))) {
            batch.ack(batch.deliveries().getFirst());
        }
        Batch<String> again = group.pop(PopOptions.DEFAULT.batch(3));

        assertThat(again.deliveries()).extracting(Delivery::value).containsExactly("2", "3");
        assertThat(again.deliveries()).extracting(Delivery::attempt).containsOnly(1);
    }

    @Test
    void failedMessagesAreRedeliveredAndThenDeadLettered() {
        server.queen().operator().queues().configure(name, QueueOptions.of().retryLimit(1).retryDelay(Duration.ZERO));
        queue.push(Message.of("poison").transactionId("poison"));
        Batch<String> first = group.pop();
        AckResult failed = first.fail(first.deliveries().getFirst(), "no");

        Batch<String> second = group.pop();
        AckResult dead = second.fail(second.deliveries().getFirst(), "still no");

        assertThat(failed).isEqualTo(new AckResult.Accepted());
        assertThat(second.deliveries().getFirst().attempt()).isEqualTo(2);
        assertThat(dead).isEqualTo(new AckResult.DeadLettered());
        assertThat(server.deadLetters(name)).containsExactly("poison 2 still no");
    }

    @Test
    void aLeaseIsRenewedUntilItIsLost() {
        queue.push("1");
        Batch<String> batch = group.pop();

        boolean isRenewed = batch.renew(Duration.ofSeconds(1000));
        double seconds = server.leaseSecondsLeft(name);
        server.expireLeases(name);
        boolean isRenewedAgain = batch.renew(Duration.ofSeconds(1000));
        AckResult late = batch.ack(batch.deliveries().getFirst());

        assertThat(isRenewed).isTrue();
        assertThat(seconds).isBetween(900.0, 1000.0);
        assertThat(isRenewedAgain).isFalse();
        assertThat(batch.deliveries().getFirst().isLeaseLost()).isTrue();
        assertThat(late).isInstanceOf(AckResult.LeaseLost.class);
    }

    @Test
    void aWaitingPopReturnsWhenAMessageArrives() throws Exception {
        var waiting = group.popAsync(PopOptions.DEFAULT.waitFor(Await.PATIENCE));

        queue.pushAsync("hello").get();

        assertThat(waiting.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS).deliveries()).extracting(Delivery::value)
                .containsExactly("hello");
    }

    @Test
    void messagesPoppedAtMostOnceAreFinishedAtOnce() {
        queue.pushAll(List.of("1", "2"));

        Batch<String> batch = group.popAtMostOnce(PopOptions.DEFAULT);

        assertThat(batch.deliveries()).extracting(Delivery::value).containsExactly("1");
        assertThat(server.leases(name)).isZero();
        assertThat(group.pop().deliveries()).extracting(Delivery::value).containsExactly("2");
        assertThatThrownBy(batch::ack).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void consumersWithoutAGroupShareTheMessages() {
        queue.partition("a").push("1");
        queue.partition("b").push("2");

        var one = queue.withoutGroup().pop().deliveries().getFirst();
        var two = queue.withoutGroup().pop().deliveries().getFirst();

        assertThat(List.of(one.value(), two.value())).containsExactlyInAnyOrder("1", "2");
        assertThat(one.group()).isNull();
    }

    @Test
    void queuesOfANamespaceAreReadAsOne() throws Exception {
        String namespace = TestServer.newQueue();
        server.queen().queue(namespace + ".in", String.class).push("1");
        server.queen().queue(namespace + ".out", String.class).push("2");

        Seen seen = new Seen();
        try (var _ = server.queen().queuesOf(namespace, "", String.class).group("g").consumer()
                .start(d -> seen.add(d.queue()))) {
            assertThat(seen.await(2)).containsExactlyInAnyOrder(namespace + ".in", namespace + ".out");
        }
    }
}
