package io.queenmq.examples.kotlin;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.client.Queen;
import io.queenmq.client.operator.QueueOptions;
import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import java.time.Duration;
import java.util.List;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.BuildersKt;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** Runs the examples in Kotlin, which the guide quotes. */
@QueenTest
class KotlinTest {
    private final TestQueen server;
    private final Queen queen;

    KotlinTest(TestQueen server, Queen queen) {
        this.server = server;
        this.queen = queen;
    }

    @Test
    void dataClassesAndSuspendingPushesWorkWithTheClient() throws InterruptedException {
        Client client = new Client(server.url());
        try (Queen own = client.connect()) {
            assertThat(client.push(own)).startsWith("stored as ");
            assertThat(client.push(own)).startsWith("was there already: ");
            BuildersKt.runBlocking(EmptyCoroutineContext.INSTANCE,
                    (scope, continuation) -> client.pushSuspending(own, continuation));
            client.consume(own);
        }
        assertThat(client.getBilled()).extracting(Order::getNumber).containsExactly(1, 2, 1, 3);
    }

    @Test
    void listenersMaySuspend() throws InterruptedException {
        queen.operator().queues().configure("kotlin-shop", QueueOptions.of().retryLimit(5).retryDelay(Duration.ZERO));
        try (var application = new SpringApplicationBuilder(Shop.class).run("--queen.urls=" + server.url())) {
            OrderService service = application.getBean(OrderService.class);
            service.take(new Order(1, "a", "fragile"));
            service.take(new Order(0, "b", null));
            Log log = application.getBean(Log.class);
            List<String> expected = List.of("billed 1 null", "gave up 0", "shipped [1]", "shipped [0]",
                    "counted 1 fragile", "counted 0 null");
            while (!log.getLines().containsAll(expected)) {
                Thread.sleep(10);
            }
            assertThat(log.getLines()).containsExactlyInAnyOrderElementsOf(expected);
        }
    }
}
