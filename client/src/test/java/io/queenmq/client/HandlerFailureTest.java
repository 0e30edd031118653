package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.error.CodecException;
import io.queenmq.client.operator.QueueOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A failed message is redelivered in its place, blocks only its own partition, and never fails other messages. */
@Execution(ExecutionMode.CONCURRENT)
class HandlerFailureTest {
    private static final Duration SOON = Duration.ofSeconds(5);

    @RegisterExtension
    static final TestServer server = new TestServer();

    private final String name = TestServer.newQueue();
    private final QueueView<String> queue = server.queen().queue(name, String.class);
    private final GroupView<String> group = queue.group("billing");
    private final Seen seen = new Seen();

    @BeforeEach
    void retryTwiceWithoutDelay() {
        server.queen().operator().queues().configure(name, QueueOptions.of().retryLimit(2).retryDelay(Duration.ZERO));
    }

    @Test
    void theFirstFailureStopsThePartitionAndTheMessageIsRetriedInPlace() throws Exception {
        queue.partition("a").pushAll(List.of("1", "2", "3", "4"));

        try (var running = group.consumer().batch(10).stopWhenIdle(SOON).start(d -> {
            seen.add(d.value() + "/" + d.attempt());
            if (d.value().equals("2") && d.attempt() == 1) {
                throw new IllegalStateException("not now");
            }
        })) {
            running.awaitEnd();
        }

        assertThat(seen.values()).containsExactly("1/1", "2/1", "2/2", "3/1", "4/1");
        assertThat(server.pending(name)).isZero();
    }

    @Test
    void onlyTheFailingMessageIsDeadLettered() throws Exception {
        queue.partition("a").pushMessages(List.of(Message.of("1").transactionId("one"),
                Message.of("poison").transactionId("two"), Message.of("3").transactionId("three")));

        try (var running = group.consumer().batch(10).stopWhenIdle(SOON).start(d -> {
            seen.add(d.value());
            if (d.value().equals("poison")) {
                throw new IllegalStateException("bad");
            }
        })) {
            running.awaitEnd();
        }

        assertThat(seen.values()).containsExactly("1", "poison", "poison", "poison", "3");
        assertThat(server.deadLetters(name)).containsExactly("two 3 java.lang.IllegalStateException: bad");
        assertThat(server.pending(name)).isZero();
    }

    @Test
    void aFailedLastAttemptStopsThePartitionForThisBatchOnly() throws Exception {
        server.queen().operator().queues().configure(name, QueueOptions.of().retryLimit(0));
        queue.partition("a").pushAll(List.of("1", "2", "3"));

        try (var running = group.consumer().batch(10).stopWhenIdle(SOON).start(d -> {
            seen.add(d.value() + "/" + d.attempt());
            if (d.value().equals("1")) {
                throw new IllegalStateException("bad");
            }
        })) {
            running.awaitEnd();
        }

        assertThat(seen.values()).containsExactly("1/1", "2/1", "3/1");
        assertThat(server.deadLetters(name)).hasSize(1);
        assertThat(server.leases(name)).isZero();
    }

    @Test
    void otherPartitionsOfTheBatchContinue() throws Exception {
        List<String> partitions = server.database().partitionsTogether(name, 2);
        queue.partition(partitions.get(0)).pushAll(List.of("a1", "a2"));
        queue.partition(partitions.get(1)).pushAll(List.of("b1", "b2"));
        AtomicInteger failures = new AtomicInteger();

        try (var running = group.consumer().batch(10).maxPartitions(2).stopWhenIdle(SOON).start(d -> {
            seen.add(d.value());
            if (d.value().endsWith("1") && failures.getAndIncrement() == 0) {
                throw new IllegalStateException("the first");
            }
        })) {
            running.awaitEnd();
        }

        List<String> all = seen.values();
        String failed = all.getFirst();
        String other = failed.equals("a1") ? "b" : "a";
        assertThat(all).hasSize(5).startsWith(failed, other + "1", other + "2");
        assertThat(all).endsWith(failed, failed.charAt(0) + "2");
    }

    @Test
    void aFailedBatchIsRedeliveredAndTheLastAttemptDeadLettersTheFailingMessage() throws Exception {
        queue.partition("a").pushMessages(List.of(Message.of("1").transactionId("one"),
                Message.of("poison").transactionId("two"), Message.of("3").transactionId("three")));

        try (var running = group.consumer().batch(10).stopWhenIdle(SOON).startBatches(partition -> {
            List<String> values = partition.stream().map(Delivery::value).toList();
            seen.add(values);
            if (values.contains("poison")) {
                throw new IllegalStateException("bad");
            }
        })) {
            running.awaitEnd();
        }

        assertThat(seen.values()).containsExactly("[1, poison, 3]", "[1, poison, 3]", "[1]", "[poison]", "[3]");
        assertThat(server.deadLetters(name)).containsExactly("two 3 java.lang.IllegalStateException: bad");
        assertThat(server.pending(name)).isZero();
    }

    @Test
    void aHandlerReturnsTheOutcome() throws Exception {
        queue.partition("a").pushMessages(
                List.of(Message.of("good").transactionId("good"), Message.of("later").transactionId("later"),
                        Message.of("bad").transactionId("bad"), Message.of("end").transactionId("end")));
        AtomicInteger tries = new AtomicInteger();

        try (var running = group.consumer().batch(10).stopWhenIdle(SOON).startWithOutcomes(d -> {
            seen.add(d.value() + "/" + d.attempt());
            return switch (d.value()) {
                case "later" -> tries.getAndIncrement() < 4 ? Outcome.retryAfter(Duration.ofMillis(20)) : Outcome.ack();
                case "bad" -> Outcome.deadLetter("no good");
                default -> Outcome.ack();
            };
        })) {
            running.awaitEnd();
        }

        assertThat(seen.values()).containsExactly("good/1", "later/1", "later/1", "later/1", "later/1", "later/1",
                "bad/1", "end/1");
        assertThat(server.deadLetters(name)).containsExactly("bad 1 no good");
        assertThat(server.pending(name)).isZero();
    }

    @Test
    void aDelayedRetryIsReleasedWhenTheConsumerCloses() throws Exception {
        queue.partition("a").push("1");
        CountDownLatch isDecided = new CountDownLatch(1);

        try (var _ = group.consumer().startWithOutcomes(d -> {
            isDecided.countDown();
            return Outcome.retryAfter(Duration.ofHours(1));
        })) {
            isDecided.await();
            assertThat(server.leases(name)).isOne();
        }

        assertThat(server.leases(name)).isZero();
        assertThat(group.pop().deliveries()).extracting(Delivery::attempt).containsExactly(1);
    }

    @Test
    void aNullOutcomeIsAFailure() throws Exception {
        queue.partition("a").push(Message.of("1").transactionId("one"));

        try (var running = group.consumer().stopWhenIdle(SOON).startWithOutcomes(d -> null)) {
            running.awaitEnd();
        }

        assertThat(server.deadLetters(name)).hasSize(1).first().asString().startsWith("one 3 ");
    }

    @Test
    void anUndecodablePayloadIsDeadLetteredAtOnceAndItsPartitionContinues() throws Exception {
        pushAnObject();
        queue.partition("a").push("text");

        try (var running = group.consumer().batch(10).stopWhenIdle(SOON).start(d -> {
            seen.add(d.transactionId().equals("object") ? "tried" : "other");
            seen.add(d.value());
        })) {
            running.awaitEnd();
        }

        assertThat(seen.values()).containsExactly("tried", "other", "text");
        assertThat(server.deadLetters(name)).hasSize(1).first().asString().contains("object 1", "CodecException");
        assertThat(server.pending(name)).isZero();
    }

    @Test
    void inABatchOnlyUndecodableMessagesFail() throws Exception {
        queue.partition("a").push("1");
        pushAnObject();
        queue.partition("a").push("2");

        try (var running = group.consumer().batch(10).stopWhenIdle(SOON)
                .startBatches(partition -> seen.add(partition.stream().map(Delivery::value).toList()))) {
            running.awaitEnd();
        }

        assertThat(seen.values()).containsExactly("[1, 2]");
        assertThat(server.deadLetters(name)).hasSize(1).first().asString().contains("object 1", "CodecException");
        assertThat(server.pending(name)).isZero();
    }

    @Test
    void anErrorHandlerCanRetryUndecodableMessages() throws Exception {
        pushAnObject();

        try (var running = group.consumer().undecodable(ErrorHandler.standard()).stopWhenIdle(SOON)
                .start(d -> seen.add(d.value()))) {
            running.awaitEnd();
        }

        assertThat(server.deadLetters(name)).hasSize(1).first().asString().contains("object 3", "CodecException");
    }

    @Test
    void aConsumerThatStopsWhenIdleWaitsForADelayedRetry() throws Exception {
        server.queen().operator().queues().configure(name, QueueOptions.of().retryDelay(Duration.ofSeconds(3)));
        queue.partition("a").push("1");

        try (var running = group.consumer().stopWhenIdle(Duration.ofMillis(300)).start(d -> {
            seen.add(d.attempt());
            if (d.attempt() == 1) {
                throw new IllegalStateException("not now");
            }
        })) {
            running.awaitEnd();
        }

        assertThat(seen.values()).containsExactly("1", "2");
        assertThat(server.pending(name)).isZero();
    }

    @Test
    void anErrorHandlerDecides() throws Exception {
        queue.partition("a")
                .pushMessages(List.of(Message.of("skip").transactionId("skip"),
                        Message.of("kill").transactionId("kill"), Message.of("again").transactionId("again"),
                        Message.of("worse").transactionId("worse")));

        try (var running = group.consumer().stopWhenIdle(SOON).errorHandler((delivery, failure) -> {
            seen.add(failure.getMessage() + "/" + delivery.attempt());
            return switch (failure.getMessage()) {
                case "skip" -> Outcome.ack();
                case "kill" -> Outcome.deadLetter("killed");
                case "again" -> delivery.attempt() == 1 ? Outcome.fail("once more") : Outcome.ack();
                default -> throw new IllegalStateException("the error handler is broken");
            };
        }).start(d -> {
            throw new IllegalArgumentException(d.value());
        })) {
            running.awaitEnd();
        }

        assertThat(seen.values()).containsExactly("skip/1", "kill/1", "again/1", "again/2", "worse/1", "worse/2",
                "worse/3");
        assertThat(server.deadLetters(name)).containsExactly("kill 1 killed",
                "worse 3 java.lang.IllegalStateException: the error handler is broken");
        assertThat(server.pending(name)).isZero();
    }

    @Test
    void aConsumerWithoutADecoderIsNotStarted() {
        record Order(int number) {}

        assertThatThrownBy(() -> server.queen().queue(name, Order.class).group("billing").consumer().start(d -> {}))
                .isInstanceOf(CodecException.class).hasMessageContaining("there is no codec");
    }

    private void pushAnObject() {
        server.queen().queue(name, Json.class).partition("a")
                .push(Message.of(new Json("{\"not\":\"text\"}")).transactionId("object"));
    }
}
