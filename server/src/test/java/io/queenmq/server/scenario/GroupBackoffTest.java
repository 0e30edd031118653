package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Await;
import io.queenmq.testkit.TestShards;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The polls of waiting pops. No other pop waits on the server of this class. */
class GroupBackoffTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    /** No pop waits for an existing queue on this server. */
    @RegisterExtension
    static final QueenServer quiet = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Test
    void manyWaitingPopsOfOneGroupShareOnePollWithBackoff() {
        queen.configure(queue, "{}");
        long before = polls();

        List<CompletableFuture<Answer>> crowd = IntStream.range(0, 200)
                .mapToObj(_ -> queen.popLater(queue, "wait=true", "timeout=1100")).toList();

        assertThat(crowd).allMatch(pop -> pop.join().isEmpty());
        // Polls follow after 100, 200, 300, 500 and 900 milliseconds; late pops cause a few more. Without sharing, there would be a thousand.
        Await.until(() -> polls() > before);
        assertThat(polls() - before).isLessThan(crowd.size() / 2);
    }

    @Test
    void popsThatWaitForAMissingQueueCauseNoPolls() {
        assertThat(quiet.client().pop(queue, "wait=true", "timeout=500").isEmpty()).isTrue();

        assertThat(polls(quiet.client())).isZero();
    }

    @Test
    void waitingPopsAreCounted() {
        queen.configure(queue, "{}");
        CompletableFuture<Answer> waiting = queen.popLater(queue, "wait=true", "timeout=60000");
        awaitWaitingPop();

        queen.push(queue, "a", "1");

        assertThat(waiting.join().transactionIds()).containsExactly("1");
        Await.until(() -> metric(queen, "queen_pop_parked") == 0);
    }

    @Test
    void aConsumerOfMessagesPushedOnThisServerCausesNoQueryPerMessage() {
        queen.configure(queue, "{}");
        long before = resolves();
        long startNs = System.nanoTime();

        for (int i = 0; i < 40; i++) {
            CompletableFuture<Answer> waiting = queen.popLater(queue, "wait=true", "timeout=60000", "autoAck=true");
            awaitWaitingPop();
            queen.push(queue, "a", "message-" + i);
            assertThat(waiting.join().transactionIds()).containsExactly("message-" + i);
        }

        long seconds = (System.nanoTime() - startNs) / 1_000_000_000;
        // In each shard: a page and its end at first, three queries without a result, and then one every five seconds.
        assertThat(resolves() - before).isLessThan(TestShards.COUNT * (10 + seconds / 5));
    }

    private void awaitWaitingPop() {
        Await.until(() -> metric(queen, "queen_pop_parked") == 1);
    }

    private long resolves() {
        return queen.get("/metrics").json().get("calls").get("resolve").get("count").asLong();
    }

    private long polls() {
        return polls(queen);
    }

    private static long polls(QueenClient at) {
        return metric(at, "queen_pop_pending_hits_total") + metric(at, "queen_pop_pending_misses_total");
    }

    private static long metric(QueenClient at, String name) {
        Matcher line = Pattern.compile("^" + name + " ([0-9.E]+)$", Pattern.MULTILINE)
                .matcher(at.get("/metrics/prometheus").body());
        assertThat(line.find()).as(name).isTrue();
        return (long) Double.parseDouble(line.group(1));
    }
}
