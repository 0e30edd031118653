package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a server did itself counts at once, whatever it was reading about queues at that moment. */
class CatalogRaceTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();

    @Test
    void aQueueIsNotForgottenByALookThatBeganBeforeItExisted() {
        String paused = server.newQueue();
        queen.configure(paused, "{}");
        AtomicBoolean isOver = new AtomicBoolean();
        CompletableFuture<Void> looking = CompletableFuture.runAsync(() -> {
            while (!isOver.get()) {
                queen.post("/api/v1/resources/queues/" + paused + "/pause", "");
            }
        });

        try {
            for (int i = 0; i < 300; i++) {
                String queue = server.newQueue();
                queen.configure(queue, "{}");
                queen.push(queue, "a", "1");
                assertThat(queen.popPartition(queue, "a").transactionIds()).as("after %s queues", i)
                        .containsExactly("1");
            }
        } finally {
            isOver.set(true);
            looking.join();
        }
    }
}
