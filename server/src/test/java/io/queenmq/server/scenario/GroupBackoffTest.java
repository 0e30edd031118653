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

/** How often those who wait look by themselves. The server of this class has nobody else to look for. */
class GroupBackoffTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    /** Nobody waits here for a queue that exists. */
    @RegisterExtension
    static final QueenServer quiet = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Test
    void aCrowdThatWaitsForTheSameCostsOneLookAtATimeAndFewerAndFewer() {
        queen.configure(queue, "{}");
        long before = looks();

        List<CompletableFuture<Answer>> crowd = IntStream.range(0, 200)
                .mapToObj(_ -> queen.popLater(queue, "wait=true", "timeout=1100")).toList();

        assertThat(crowd).allMatch(pop -> pop.join().isEmpty());
        // After 100, 200, 300, 500 and 900 milliseconds; stragglers make it a few more. Each for himself: a thousand.
        Await.until(() -> looks() > before);
        assertThat(looks() - before).isLessThan(crowd.size() / 2);
    }

    @Test
    void thoseWhoWaitForAQueueThatDoesNotExistCostNothing() {
        assertThat(quiet.client().pop(queue, "wait=true", "timeout=500").isEmpty()).isTrue();

        assertThat(looks(quiet.client())).isZero();
    }

    @Test
    void whoeverIsWaitingCanBeCounted() {
        queen.configure(queue, "{}");
        CompletableFuture<Answer> waiting = queen.popLater(queue, "wait=true", "timeout=60000");
        untilOneIsParked();

        queen.push(queue, "a", "1");

        assertThat(waiting.join().transactionIds()).containsExactly("1");
        Await.until(() -> metric(queen, "queen_pop_parked") == 0);
    }

    @Test
    void aConsumerWhoseMessagesAllComeThisWayDoesNotAskTheDatabaseForThemEachTime() {
        queen.configure(queue, "{}");
        long before = resolves();
        long startNs = System.nanoTime();

        for (int i = 0; i < 40; i++) {
            CompletableFuture<Answer> waiting = queen.popLater(queue, "wait=true", "timeout=60000", "autoAck=true");
            untilOneIsParked();
            queen.push(queue, "a", "message-" + i);
            assertThat(waiting.join().transactionIds()).containsExactly("message-" + i);
        }

        long seconds = (System.nanoTime() - startNs) / 1_000_000_000;
        // In each shard, a page and its end to begin with, three looks in vain, and one every five seconds from then on.
        assertThat(resolves() - before).isLessThan(TestShards.COUNT * (10 + seconds / 5));
    }

    private void untilOneIsParked() {
        Await.until(() -> metric(queen, "queen_pop_parked") == 1);
    }

    private long resolves() {
        return queen.get("/metrics").json().get("calls").get("resolve").get("count").asLong();
    }

    private long looks() {
        return looks(queen);
    }

    private static long looks(QueenClient at) {
        return metric(at, "queen_pop_pending_hits_total") + metric(at, "queen_pop_pending_misses_total");
    }

    private static long metric(QueenClient at, String name) {
        Matcher line = Pattern.compile("^" + name + " ([0-9.E]+)$", Pattern.MULTILINE)
                .matcher(at.get("/metrics/prometheus").body());
        assertThat(line.find()).as(name).isTrue();
        return (long) Double.parseDouble(line.group(1));
    }
}
