package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A catalog load that runs concurrently never overwrites a queue that this server has just created. */
class CatalogRaceTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();

    @Test
    void aCatalogLoadThatStartedBeforeAQueueWasCreatedDoesNotRemoveIt() {
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
