package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.error.RefusedException;
import io.queenmq.testkit.Await;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every blocking call has an asynchronous variant. */
class FuturesTest {
    private static final String ENDING = "Async";
    /** Calls that send a request. */
    private static final Set<String> ASKING = Set.of("push", "pushAll", "pushMessages", "pop", "popAtMostOnce", "ack",
            "fail", "release", "deadLetter", "renew", "transaction", "trace");

    @RegisterExtension
    static final TestServer server = new TestServer();

    private final String name = TestServer.newQueue();
    private final Queen queen = server.queen();
    private final QueueView<String> queue = queen.queue(name, String.class);
    private final GroupView<String> group = queue.group("g");

    @ParameterizedTest
    @ValueSource(classes = {Queen.class, QueueView.class, PartitionView.class, GroupView.class, Batch.class})
    void everyCallHasItsTwin(Class<?> type) throws NoSuchMethodException {
        for (Method call : type.getMethods()) {
            if (ASKING.contains(call.getName())) {
                Method twin = type.getMethod(call.getName() + ENDING, call.getParameterTypes());
                assertThat(twin.getReturnType()).isEqualTo(CompletableFuture.class);
                String promised = ((ParameterizedType) twin.getGenericReturnType()).getActualTypeArguments()[0]
                        .getTypeName();
                String answered = call.getReturnType() == boolean.class
                        ? Boolean.class.getName()
                        : call.getReturnType() == void.class
                                ? Void.class.getName()
                                : call.getGenericReturnType().getTypeName();
                assertThat(promised).as(twin.toString()).isEqualTo(answered);
            }
        }
        assertThat(Arrays.stream(type.getMethods()).map(Method::getName).filter(each -> each.endsWith(ENDING))
                .map(each -> each.substring(0, each.length() - ENDING.length()))).isNotEmpty().isSubsetOf(ASKING);
    }

    @Test
    void manyAsynchronousPushesNeedFewConnections() throws Exception {
        AtomicInteger underWay = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (StubServer stub = new StubServer(); Queen queen = Queen.builder().url(stub.url()).requestsMax(5).build()) {
            stub.answering(request -> {
                most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                try {
                    Thread.sleep(2);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                underWay.decrementAndGet();
                return new StubServer.Answer(201,
                        "[{\"status\":\"queued\",\"messageId\":\"m\",\"partitionId\":\"p\"}]");
            });
            var pushes = IntStream.range(0, 300).mapToObj(i -> queen.queue("q", String.class).pushAsync("m")).toList();
            for (var each : pushes) {
                each.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        }

        assertThat(most.get()).isBetween(1, 5);
    }

    @Test
    void asynchronousVariantsHaveTheSameResults() {
        queue.partition("a").pushAsync("1").join();
        queue.pushAsync(Message.of("2").partition("a")).join();
        queue.partition("a").pushAllAsync(List.of("3", "4")).join();
        queue.pushMessagesAsync(List.of(Message.of("5").partition("a"), Message.of("6").partition("a"))).join();
        assertThat(server.stored(name, "a")).containsExactly("1", "2", "3", "4", "5", "6");

        Batch<String> batch = group.popAsync(PopOptions.DEFAULT.batch(2)).join();
        assertThat(batch.renewAsync(Duration.ofSeconds(1000)).join()).isTrue();
        queen.traceAsync(batch.deliveries().getFirst(), "step", "by a future", name).join();
        assertThat(queen.operator().traces().named(name, 10, 0).items()).hasSize(1);
        assertThat(batch.ackAsync(batch.deliveries().getFirst()).join()).isEqualTo(new AckResult.Accepted());
        batch.releaseAsync(batch.deliveries().getLast()).join();
        assertThat(group.popAtMostOnceAsync(PopOptions.DEFAULT).join().deliveries()).extracting(Delivery::value)
                .containsExactly("2");
        batch = group.popAsync().join();
        assertThat(batch.deadLetterAsync(batch.deliveries().getFirst(), "no").join())
                .isEqualTo(new AckResult.DeadLettered());
        Delivery<String> fourth = group.pop().deliveries().getFirst();
        queen.transactionAsync(tx -> tx.ack(fourth).push(name, "b", "of " + fourth.value())).join();
        assertThat(server.stored(name, "b")).containsExactly("of 4");
        batch = queue.partition("a").group("g").popAsync(PopOptions.DEFAULT.batch(2)).join();
        assertThat(batch.ackAsync().join()).hasSize(2).containsOnly(new AckResult.Accepted());
    }

    @Test
    void theFutureFailsWithTheException() {
        CompletableFuture<?> refused = queen.operator().async(operator -> {
            operator.queues().pause("no-such-queue");
            return null;
        });

        assertThatThrownBy(refused::join).hasCauseInstanceOf(RefusedException.class);
        CompletableFuture<?> misdirected = queue.partition("a").pushAsync(Message.of("1").partition("b"));
        assertThatThrownBy(misdirected::join).hasCauseInstanceOf(IllegalArgumentException.class);
    }
}
