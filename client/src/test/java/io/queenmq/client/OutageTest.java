package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.UnsentException.Unsent;
import io.queenmq.client.error.BufferFullException;
import io.queenmq.client.error.UnavailableException;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.FreePort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Servers stop and restart: calls are retried, other servers are used, and messages are neither lost, duplicated nor
 * reordered.
 */
class OutageTest {
    @RegisterExtension
    static final TestServer server = new TestServer();

    private final String name = TestServer.newQueue();
    private final QueueView<String> queue = server.queen().queue(name, String.class);
    private final Seen seen = new Seen();

    @Test
    void aPushIsRetriedUntilTheServerIsAvailable() throws Exception {
        server.stop(server.port());
        CompletableFuture<?> push = queue.pushAsync("patient");

        server.start(server.port());
        push.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);

        assertThat(server.stored(name, "Default")).containsExactly("patient");
    }

    @Test
    void aConsumerResumesAfterAnOutage() throws Exception {
        try (var _ = queue.group("billing").consumer().start(d -> seen.add(d.value()))) {
            queue.push("before");
            seen.await(1);
            server.stop(server.port());
            server.start(server.port());
            queue.push("after");
            seen.await(2);
        }

        assertThat(seen.values()).containsExactly("before", "after");
        assertThat(server.pending(name)).isZero();
    }

    @Test
    void messagesHandledDuringAnOutageAreAcknowledgedAfterIt() throws Exception {
        queue.push("1");

        try (var running = queue.group("billing").consumer().limit(1).start(d -> {
            server.stop(server.port());
            Thread.ofVirtual().start(() -> server.start(server.port()));
        })) {
            running.awaitEnd();
        }

        assertThat(server.pending(name)).isZero();
    }

    @Test
    void theNextServerIsUsedWhenOneStops() throws Exception {
        int other = FreePort.choose();
        server.start(other);
        try (Queen queen = Queen.connect(TestServer.url(other), server.url())) {
            QueueView<String> both = queen.queue(name, String.class);
            try (var _ = both.group("billing").consumer().concurrency(4).start(d -> seen.add(d.value()))) {
                for (int partition = 0; partition < 10; partition++) {
                    both.partition("partition-" + partition).push("before");
                }
                seen.await(10);
                server.stop(other);
                for (int partition = 0; partition < 10; partition++) {
                    both.partition("partition-" + partition).push("after");
                }
                seen.await(20);
            }
        }

        assertThat(seen.values().subList(0, 10)).containsOnly("before");
        assertThat(seen.values().subList(10, 20)).containsOnly("after");
        assertThat(server.pending(name)).isZero();
    }

    @Test
    void withoutAnyServerTheRequestIsKnownNotToBeExecuted() throws Exception {
        try (Queen alone = Queen.builder().url(TestServer.url(FreePort.choose())).retryFor(Duration.ZERO).build()) {
            assertThatThrownBy(() -> alone.queue(name, String.class).push("1"))
                    .isInstanceOf(UnavailableException.class);
            assertThatThrownBy(() -> alone.queue(name, String.class).group("g").pop())
                    .isInstanceOf(UnavailableException.class);
        }
    }

    @Test
    void aBufferPreservesTheOrderAcrossAnOutage() throws Exception {
        List<String> all = IntStream.range(0, 3_000).mapToObj(Integer::toString).toList();
        try (BufferedPush<String> buffer = queue.partition("a").buffered().batch(50).start()) {
            for (String each : all) {
                if (each.equals("1000")) {
                    server.stop(server.port());
                }
                if (each.equals("2000")) {
                    server.start(server.port());
                }
                buffer.push(each);
            }
            buffer.flush();
            assertThat(server.stored(name, "a")).containsExactlyElementsOf(all);
        }
    }

    @Test
    void aFullBufferFailsOrWaits() throws Exception {
        server.stop(server.port());
        try (BufferedPush<String> failing = queue.buffered().capacity(3).whenFull(WhenFull.FAIL).start();
                BufferedPush<String> blocking = queue.partition("b").buffered().capacity(3).start()) {
            for (int i = 0; i < 3; i++) {
                failing.push("f" + i);
                blocking.push("b" + i);
            }
            assertThatThrownBy(() -> failing.push("f3")).isInstanceOf(BufferFullException.class);
            Thread waiting = Thread.ofVirtual().start(() -> blocking.push("b3"));
            Await.until("the pushing thread waits", () -> waiting.getState() == Thread.State.WAITING);

            server.start(server.port());
            waiting.join();
            blocking.flush();
            failing.flush();
        }

        assertThat(server.stored(name, "Default")).containsExactly("f0", "f1", "f2");
        assertThat(server.stored(name, "b")).containsExactly("b0", "b1", "b2", "b3");
    }

    @Test
    void aBufferReportsMessagesThatExceedTheirTime() throws Exception {
        server.stop(server.port());
        try (BufferedPush<String> buffer = queue.buffered().giveUpAfter(Duration.ofMillis(200)).start()) {
            CompletableFuture<?> lost = buffer.push("lost");

            assertThatThrownBy(buffer::flush).isInstanceOfSatisfying(UnsentException.class,
                    report -> assertThat(report.unsent()).extracting(Unsent::reason)
                            .hasOnlyElementsOfType(UnavailableException.class));

            assertThat(lost).isCompletedExceptionally();
        } finally {
            server.start(server.port());
        }
        assertThat(server.stored(name, "Default")).isEmpty();
    }

    @Test
    void closingABufferReportsUnsentMessages() throws Exception {
        server.stop(server.port());
        // Long enough to be between two attempts: the outcome of an attempt in flight is unknown.
        Duration closeWithin = Duration.ofSeconds(2);
        List<CompletableFuture<?>> futures = new ArrayList<>();
        BufferedPush<String> buffer = queue.buffered().batch(2).closeWithin(closeWithin).start();
        for (String each : List.of("1", "2", "3")) {
            futures.add(buffer.push(Message.of(each).transactionId("id-" + each)));
        }

        assertThatThrownBy(buffer::close).isInstanceOfSatisfying(UnsentException.class, report -> {
            assertThat(report.count()).isEqualTo(3);
            assertThat(report.unsent()).extracting(Unsent::message).extracting(Message::transactionId)
                    .containsExactly("id-1", "id-2", "id-3");
            assertThat(report.unsent()).extracting(Unsent::reason).hasOnlyElementsOfType(UnavailableException.class);
        });

        assertThat(futures).allMatch(CompletableFuture::isCompletedExceptionally);
        server.start(server.port());
        assertThat(server.stored(name, "Default")).isEmpty();
    }
}
