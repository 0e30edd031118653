package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The deduplication window of transactionIds. */
class DuplicateWindowTest {
    private static final long WINDOW_NS = 1_000_000_000;

    @RegisterExtension
    static final QueenServer server = QueenServer
            .with(Map.of("DEDUP_WINDOW_SECONDS", "1", "DEDUP_WINDOW_MESSAGES", "100000"));

    @RegisterExtension
    static final QueenServer brief = QueenServer.with(Map.of("DEDUP_WINDOW_MESSAGES", "10"));

    @Test
    void aTransactionIdMayBeUsedAgainAfterTheWindow() throws InterruptedException {
        QueenClient queen = server.client();
        String queue = server.newQueue();
        queen.push(queue, "a", "1");

        // The window of the server ages by its real clock, so the test must wait.
        Answer again = queen.push(queue, "a", "1");
        for (int i = 0; i < 600 && again.each("status").contains("duplicate"); i++) {
            Thread.sleep(100);
            queen.push(queue, "a", "filler-" + i);
            again = queen.push(queue, "a", "1");
        }

        assertThat(again.each("status")).containsExactly("queued");
    }

    @Test
    void aTransactionIdIsRejectedWithinTheWindow() {
        QueenClient queen = server.client();
        String queue = server.newQueue();
        List<String> statuses = List.of();
        long elapsedNs = Long.MAX_VALUE;
        // If the machine paused in between, the window has ended.
        for (int i = 0; i < 100 && elapsedNs > WINDOW_NS; i++) {
            long startNs = System.nanoTime();
            queen.push(queue, "a", "twice-" + i);
            statuses = queen.push(queue, "a", "twice-" + i).each("status");
            elapsedNs = System.nanoTime() - startNs;
        }

        assertThat(statuses).containsExactly("duplicate");
    }

    @Test
    void aServerThatStartsLaterLoadsOnlyTheWindow() {
        String queue = server.newQueue();
        server.client().push(queue, "a", "1");
        server.age(queue, 2);

        assertThat(server.startAnother().push(queue, "a", "1").each("status")).containsExactly("queued");
    }

    @Test
    void aTransactionIdMayBeUsedAgainAfterTheMaximumNumberOfMessages() {
        QueenClient queen = brief.client();
        String queue = brief.newQueue();
        queen.push(queue, "a", "1");
        for (int i = 0; i < 9; i++) {
            queen.push(queue, "a", "filler-" + i);
        }
        assertThat(queen.push(queue, "a", "1").each("status")).containsExactly("duplicate");

        for (int i = 9; i < 30; i++) {
            queen.push(queue, "a", "filler-" + i);
        }

        assertThat(queen.push(queue, "a", "1").each("status")).containsExactly("queued");
    }
}
