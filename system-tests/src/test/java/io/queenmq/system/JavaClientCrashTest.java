package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.client.BufferedPush;
import io.queenmq.client.Delivery;
import io.queenmq.client.PopOptions;
import io.queenmq.client.Queen;
import io.queenmq.client.QueueView;
import io.queenmq.client.operator.QueueOptions;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.FreePort;
import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestPostgres;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The Java client at work while its server is killed again and again. */
class JavaClientCrashTest {
    private static final int CRASHES = 2;
    private static final int MESSAGES_PER_ROUND = 500;
    private static final String PARTITION = "customer-42";

    @Test
    void everythingIsStoredOnceInOrderAndHandledAtLeastOnce() throws Exception {
        List<String> all = IntStream.range(0, (CRASHES + 1) * MESSAGES_PER_ROUND).mapToObj(Integer::toString).toList();
        List<Integer> handled = new CopyOnWriteArrayList<>();
        try (TestDatabase database = TestPostgres.shared().createDatabase()) {
            Map<String, String> settings = settings(database);
            QueenProcess server = QueenProcess.start(settings);
            try (Queen queen = Queen.connect("http://127.0.0.1:" + settings.get("PORT"))) {
                // Leases of a killed server must expire soon.
                queen.operator().queues().configure("orders",
                        QueueOptions.of().leaseTime(Duration.ofSeconds(2)).retryLimit(100).retryDelay(Duration.ZERO));
                QueueView<String> orders = queen.queue("orders", String.class);
                try (BufferedPush<String> buffer = orders.partition(PARTITION).buffered().batch(20).start();
                        var _ = orders.group("billing").consumer().concurrency(2).batch(10)
                                .start(d -> handled.add(Integer.parseInt(d.value())))) {
                    for (int i = 0; i < all.size(); i++) {
                        if (i > 0 && i % MESSAGES_PER_ROUND == 0) {
                            awaitHandled(handled, i - MESSAGES_PER_ROUND);
                            server.killHard();
                            server = QueenProcess.start(settings);
                        }
                        buffer.push(all.get(i));
                    }
                    buffer.flush();
                    awaitHandled(handled, all.size() - 1);
                }

                assertThat(orders.group("auditor").popAtMostOnce(PopOptions.DEFAULT.batch(all.size() + 1)).deliveries())
                        .extracting(Delivery::value).containsExactlyElementsOf(all);
                assertThat(handled.stream().distinct().map(Object::toString)).containsExactlyElementsOf(all);
            } finally {
                server.close();
            }
        }
    }

    private static void awaitHandled(List<Integer> handled, int last) {
        Await.until("message " + last + " is handled", () -> handled.contains(last));
    }

    private static Map<String, String> settings(TestDatabase database) {
        return Map.of("PORT", Integer.toString(FreePort.choose()), "PG_HOST", database.host(), "PG_PORT",
                Integer.toString(database.port()), "PG_DB", database.name(), "PG_USER", database.user(), "PG_PASSWORD",
                database.password(), "QUEEN_DATA", QueenProcess.DATA.toString());
    }
}
