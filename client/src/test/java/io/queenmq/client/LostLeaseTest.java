package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.client.operator.QueueOptions;
import io.queenmq.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A lease is renewed while the handler runs. A lost lease is reported to the handler and the listener. */
class LostLeaseTest {
    @RegisterExtension
    static final TestServer server = new TestServer();

    private final String name = TestServer.newQueue();
    private final QueueView<String> queue = server.queen().queue(name, String.class);
    private final GroupView<String> group = queue.group("billing");
    private final Seen seen = new Seen();
    private final Seen lost = new Seen();
    private final ConsumerListener listener = new ConsumerListener() {
        @Override
        public void leaseLost(Delivery<?> delivery) {
            lost.add(delivery.transactionId());
        }
    };

    @Test
    void theLeaseIsRenewedWhileTheHandlerRuns() throws Exception {
        server.queen().operator().queues().configure(name, QueueOptions.of().leaseTime(Duration.ofSeconds(5)));
        queue.push("1");
        CountDownLatch isBusy = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);

        try (var _ = group.consumer().lease(Duration.ofSeconds(100)).start(d -> {
            isBusy.countDown();
            mayGoOn.await();
            seen.add(d.isLeaseLost());
        })) {
            isBusy.await();
            Await.until("the lease is longer than the queue gives", () -> server.leaseSecondsLeft(name) > 50);
            mayGoOn.countDown();
            seen.await(1);
        }

        assertThat(seen.values()).containsExactly("false");
        assertThat(server.pending(name)).isZero();
    }

    @Test
    void theHandlerSeesALostLeaseAndTheRestOfTheBatchIsNotStarted() throws Exception {
        queue.pushMessages(List.of(Message.of("1").transactionId("one"), Message.of("2").transactionId("two")));
        CountDownLatch isBusy = new CountDownLatch(1);

        try (var running = group.consumer().batch(2).limit(1).listener(listener).start(d -> {
            seen.add(d.value());
            isBusy.countDown();
            Await.until("the handler sees the lost lease", d::isLeaseLost);
        })) {
            isBusy.await();
            server.expireLeases(name);
            running.awaitEnd();
        }

        assertThat(seen.values()).containsExactly("1");
        assertThat(lost.values()).contains("one");
        Batch<String> again = group.pop(PopOptions.DEFAULT.batch(2));
        assertThat(again.deliveries()).extracting(Delivery::value).containsExactly("1", "2");
        assertThat(again.deliveries()).extracting(Delivery::attempt).containsExactly(2, 1);
    }

    @Test
    void theHandlerIsInterruptedIfConfigured() throws Exception {
        queue.push(Message.of("1").transactionId("one"));
        CountDownLatch isBusy = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        AtomicBoolean isInterrupted = new AtomicBoolean();

        try (var running = group.consumer().interruptOnLeaseLost().limit(1).listener(listener).start(d -> {
            isBusy.countDown();
            try {
                never.await();
            } catch (InterruptedException e) {
                isInterrupted.set(true);
                throw e;
            }
        })) {
            isBusy.await();
            server.expireLeases(name);
            running.awaitEnd();
        }

        assertThat(isInterrupted).isTrue();
        assertThat(lost.values()).containsExactly("one");
        // The lease that ran out is the one attempt; the handler's failure afterward is not another.
        assertThat(group.pop().deliveries().getFirst().attempt()).isEqualTo(2);
    }

    @Test
    void aLateAcknowledgmentChangesNothing() throws Exception {
        queue.push(Message.of("1").transactionId("one"));

        try (var running = group.consumer().limit(1).listener(listener).start(d -> {
            server.expireLeases(name);
            Batch<String> other = group.pop();
            seen.add(other.deliveries().getFirst().attempt());
        })) {
            running.awaitEnd();
        }

        assertThat(seen.values()).containsExactly("2");
        assertThat(lost.values()).containsExactly("one");
        assertThat(server.leases(name)).isOne();
        assertThat(server.pending(name)).isOne();
    }
}
