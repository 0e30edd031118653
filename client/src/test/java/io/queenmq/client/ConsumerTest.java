package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.operator.QueueOptions;
import io.queenmq.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Consumers hand messages to handlers, in order, as many at a time as they may, and end when they should. */
@Execution(ExecutionMode.CONCURRENT)
class ConsumerTest {
    private static final Duration SOON = Duration.ofSeconds(5);

    @RegisterExtension
    static final TestServer server = new TestServer();

    private final String name = TestServer.newQueue();
    private final QueueView<String> queue = server.queen().queue(name, String.class);
    private final GroupView<String> group = queue.group("billing");
    private final Seen seen = new Seen();

    @Test
    void everyMessageIsHandledAndAcknowledged() throws Exception {
        queue.pushAll(List.of("1", "2", "3"));

        try (var _ = group.consumer().start(d -> seen.add(d.value()))) {
            seen.await(3);
            queue.push("4");
            seen.await(4);
        }

        assertThat(seen.values()).containsExactly("1", "2", "3", "4");
        assertThat(server.pending(name)).isZero();
        assertThat(server.leases(name)).isZero();
    }

    @Test
    void partitionsAreHandledConcurrentlyAndInOrder() throws Exception {
        for (int partition = 0; partition < 8; partition++) {
            queue.partition("partition-" + partition)
                    .pushAll(IntStream.range(0, 50).mapToObj(Integer::toString).toList());
        }
        Map<String, Seen> byPartition = new ConcurrentHashMap<>();
        AtomicInteger atWork = new AtomicInteger();
        CountDownLatch four = new CountDownLatch(4);

        try (var _ = group.consumer().concurrency(4).batch(7).start(d -> {
            atWork.incrementAndGet();
            four.countDown();
            four.await();
            assertThat(atWork.get()).isLessThanOrEqualTo(4);
            byPartition.computeIfAbsent(d.partition(), partition -> new Seen()).add(d.value());
            seen.add(d.value());
            atWork.decrementAndGet();
        })) {
            seen.await(400);
        }

        assertThat(byPartition).hasSize(8);
        assertThat(byPartition.values()).allSatisfy(partition -> assertThat(partition.values())
                .containsExactlyElementsOf(IntStream.range(0, 50).mapToObj(Integer::toString).toList()));
        assertThat(server.pending(name)).isZero();
    }

    @Test
    void oneWorkerPopsFromSeveralPartitions() throws Exception {
        for (int partition = 0; partition < 5; partition++) {
            queue.partition("partition-" + partition).pushAll(List.of("a", "b"));
        }

        try (var running = group.consumer().batch(100).maxPartitions(5).stopWhenIdle(SOON)
                .start(d -> seen.add(d.partition() + d.value()))) {
            running.awaitEnd();
        }

        assertThat(seen.values()).hasSize(10);
        for (int partition = 0; partition < 5; partition++) {
            assertThat(seen.values()).containsSubsequence("partition-" + partition + "a",
                    "partition-" + partition + "b");
        }
        assertThat(server.pending(name)).isZero();
    }

    @Test
    void manyPartitionsPerPopByDefaultIfTheyContainFewMessages() throws Exception {
        List<Message<String>> messages = IntStream.range(0, 300)
                .mapToObj(i -> Message.of("m").partition("partition-" + i)).toList();
        queue.pushMessages(messages);
        AtomicInteger pops = new AtomicInteger();

        try (Queen counting = Queen.builder().url(server.url()).token(() -> {
            pops.incrementAndGet();
            return null;
        }).build();
                var _ = counting.queue(name, String.class).group("billing").consumer().batch(100)
                        .start(d -> seen.add(d.partition()))) {
            seen.await(300);
        }

        // With a partition at a time it would be 300 pops, and as many acknowledgments.
        assertThat(pops.get()).isLessThan(100);
        assertThat(server.pending(name)).isZero();
    }

    @Test
    void aBatchHandlerGetsTheMessagesOfOnePartition() throws Exception {
        queue.partition("a").pushAll(List.of("1", "2"));
        queue.partition("b").pushAll(List.of("3"));

        try (var running = group.consumer().batch(100).maxPartitions(10).stopWhenIdle(SOON)
                .startBatches(partition -> seen.add(partition.stream().map(Delivery::value).toList()))) {
            running.awaitEnd();
        }

        assertThat(seen.values()).containsExactlyInAnyOrder("[1, 2]", "[3]");
        assertThat(server.pending(name)).isZero();
    }

    @Test
    void theLimitIsExact() throws Exception {
        for (int partition = 0; partition < 5; partition++) {
            queue.partition("partition-" + partition).pushAll(List.of("1", "2", "3", "4"));
        }

        try (var running = group.consumer().concurrency(3).batch(3).limit(10).start(d -> seen.add(d.value()))) {
            running.awaitEnd();
        }

        assertThat(seen.values()).hasSize(10);
        assertThat(server.leases(name)).isZero();
        Seen rest = new Seen();
        try (var running = group.consumer().stopWhenIdle(SOON).start(d -> rest.add(d.value()))) {
            running.awaitEnd();
        }
        assertThat(rest.values()).hasSize(10);
    }

    @Test
    void aConsumerIsNotIdleWhileAHandlerWorks() throws Exception {
        Duration idle = Duration.ofSeconds(1);
        queue.partition("a").push("1");

        try (var running = group.consumer().concurrency(2).stopWhenIdle(idle).start(d -> {
            seen.add(d.value());
            if (d.value().equals("1")) {
                // The other worker has nothing to do for all that time.
                Thread.sleep(idle.multipliedBy(2));
                queue.partition("b").push("2");
            }
        })) {
            running.awaitEnd();
        }

        assertThat(seen.values()).containsExactly("1", "2");
        assertThat(server.pending(name)).isZero();
    }

    @Test
    void startingAtNowDeliversMessagesPushedAfterTheStart() throws Exception {
        queue.push("old");

        try (var _ = group.consumer().from(StartPosition.now()).start(d -> seen.add(d.value()))) {
            queue.push("new");
            seen.await(1);
        }

        assertThat(seen.values()).containsExactly("new");
    }

    @Test
    void startingAtATimeDeliversMessagesPushedSince() throws Exception {
        queue.push("old");
        Instant between = group.popAtMostOnce(PopOptions.DEFAULT).deliveries().getFirst().createdAt().plusNanos(1_000);
        queue.partition("other").push("new");

        try (var running = queue.group("late").consumer().from(StartPosition.at(between)).stopWhenIdle(SOON)
                .start(d -> seen.add(d.value()))) {
            running.awaitEnd();
        }

        assertThat(seen.values()).containsExactly("new");
    }

    @Test
    void atMostOnceFinishesMessagesBeforeTheHandlerAndContinuesAfterAFailure() throws Exception {
        queue.pushAll(List.of("1", "2", "3"));

        try (var running = group.consumer().batch(10).stopWhenIdle(SOON).startAtMostOnce(d -> {
            seen.add(d.value());
            assertThat(server.pending(name)).isZero();
            throw new IllegalStateException("broken");
        })) {
            running.awaitEnd();
        }

        assertThat(seen.values()).containsExactly("1", "2", "3");
    }

    @Test
    void closingFinishesTheRunningMessageAndReleasesTheRest() throws Exception {
        queue.pushAll(List.of("1", "2", "3", "4", "5"));
        CountDownLatch isBusy = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);

        var running = group.consumer().batch(3).start(d -> {
            isBusy.countDown();
            mayGoOn.await();
            seen.add(d.value());
        });
        isBusy.await();
        Thread closing = Thread.ofVirtual().start(running::close);
        Await.until("closing waits for the handler", () -> closing.getState() == Thread.State.TIMED_WAITING);
        mayGoOn.countDown();
        closing.join();

        assertThat(seen.values()).containsExactly("1");
        assertThat(server.leases(name)).isZero();
        Batch<String> rest = group.pop(PopOptions.DEFAULT.batch(10));
        assertThat(rest.deliveries()).extracting(Delivery::value).containsExactly("2", "3", "4", "5");
        assertThat(rest.deliveries()).extracting(Delivery::attempt).containsOnly(1);
    }

    @Test
    void closingReleasesUnstartedPartitionsWhileAHandlerIsRunning() throws Exception {
        server.queen().operator().queues().configure(name, QueueOptions.of());
        for (String partition : server.database().partitionsTogether(name, 5)) {
            queue.partition(partition).pushAll(List.of("a", "b"));
        }
        CountDownLatch isBusy = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);

        var running = group.consumer().batch(100).maxPartitions(5).start(d -> {
            isBusy.countDown();
            mayGoOn.await();
            seen.add(d.partition());
        });
        isBusy.await();
        assertThat(server.leases(name)).isEqualTo(5);
        Thread closing = Thread.ofVirtual().start(running::close);
        Await.until("one partition is left", () -> server.leases(name) == 1);
        try (Batch<String> others = group.pop(PopOptions.DEFAULT.batch(100).maxPartitions(5))) {
            assertThat(others.deliveries()).hasSize(8).extracting(Delivery::attempt).containsOnly(1);
        }
        mayGoOn.countDown();
        closing.join();

        assertThat(seen.values()).hasSize(1);
        assertThat(server.leases(name)).isZero();
        assertThat(server.pending(name)).isEqualTo(9);
    }

    @Test
    void closingTakesLessThanTheGracePeriodOfKubernetes() {
        assertThat(group.consumer().settings().drain().plus(RunningConsumer.ABANDON_GRACE))
                .isLessThan(Duration.ofSeconds(30));
    }

    @Test
    void aClosedClientStartsNoConsumer() {
        Queen closed = Queen.connect(server.url());
        closed.close();

        assertThatThrownBy(() -> closed.queue(name, String.class).group("billing").consumer().start(seen::add))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
    }

    @Test
    void aHandlerMayCloseTheClient() throws Exception {
        queue.push("1");
        Queen another = Queen.connect(server.url());

        var running = another.queue(name, String.class).group("billing").consumer().start(d -> another.close());

        running.ended().get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void closingInterruptsSlowHandlersAndReleasesTheirMessages() throws Exception {
        queue.pushAll(List.of("1", "2", "3"));
        CountDownLatch isBusy = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);

        try (var _ = group.consumer().batch(3).drainWithin(Duration.ofMillis(100)).start(d -> {
            seen.add(d.value());
            isBusy.countDown();
            never.await();
        })) {
            isBusy.await();
        }

        assertThat(seen.values()).containsExactly("1");
        assertThat(server.leases(name)).isZero();
        Batch<String> again = group.pop(PopOptions.DEFAULT.batch(3));
        assertThat(again.deliveries()).extracting(Delivery::value).containsExactly("1", "2", "3");
        assertThat(again.deliveries()).extracting(Delivery::attempt).containsOnly(1);
    }

    @Test
    void aHandlerMayCloseItsConsumer() throws Exception {
        queue.pushAll(List.of("1", "2"));
        AtomicInteger handled = new AtomicInteger();
        RunningConsumer[] self = new RunningConsumer[1];
        CountDownLatch isStarted = new CountDownLatch(1);

        self[0] = group.consumer().batch(1).start(d -> {
            isStarted.await();
            handled.incrementAndGet();
            self[0].close();
        });
        isStarted.countDown();
        self[0].ended().get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);

        assertThat(handled).hasValue(1);
        assertThat(server.leases(name)).isZero();
    }

    @Test
    void closingTheClientClosesItsConsumers() throws Exception {
        queue.push("1");
        RunningConsumer running;

        try (Queen another = Queen.connect(server.url())) {
            running = another.queue(name, String.class).group("billing").consumer().start(d -> seen.add(d.value()));
            seen.await(1);
        }

        assertThat(running.ended()).isDone();
        assertThat(server.pending(name)).isZero();
    }
}
