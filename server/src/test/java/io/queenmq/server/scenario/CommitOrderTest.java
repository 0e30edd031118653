package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.TestShards;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A push that begins early and commits late is never stored behind the cursor of a group that reads meanwhile. */
class CommitOrderTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    @Test
    void aPushDelayedByAnOpenTransactionIsDeliveredAfterEarlierCommits() throws SQLException {
        String queue = server.newQueue();
        QueenClient queen = server.client();
        queen.push(queue, "a", "early");
        CompletableFuture<Answer> late;
        try (Connection connection = server.database().connect()) {
            connection.setAutoCommit(false);
            TestShards.everywhere(connection, "select from partition p where p.id = ?::uuid for update",
                    queen.pop(queue, "consumerGroup=observer").message().get("partitionId").asText());

            late = queen.pushLater(queue, "a", "late");
            assertThat(queen.ack(queen.pop(queue).message(), "completed").get("success").asBoolean()).isTrue();
            assertThat(late).isNotDone();
            connection.commit();
        }

        assertThat(late.join().each("status")).containsExactly("queued");
        assertThat(queen.pop(queue).transactionIds()).containsExactly("late");
    }

    /** Times never decrease within a partition, unless the clock was more than a minute ahead. */
    @ParameterizedTest
    @CsvSource({"30,0", "3600,1"})
    void aClockThatStepsBackSkipsNoMessage(int seconds, int decreases) {
        String queue = server.newQueue();
        QueenClient queen = server.client();
        queen.push(queue, "a", "1");
        queen.ack(queen.pop(queue).message(), "completed");
        server.age(queue, -seconds);

        queen.push(queue, "a", "2");

        Answer popped = queen.pop(queue);
        assertThat(popped.transactionIds()).containsExactly("2");
        assertThat(server.select("select count(*) from queen.segment s join queen.segment t using (partition_id)"
                + " where t.base > s.base and t.created_at < s.created_at and s.partition_id = '"
                + popped.message().get("partitionId").asText() + "'")).containsExactly(Integer.toString(decreases));
    }

    @Test
    void manyProducersOfOnePartitionLeaveNoGapBehindAReader() {
        String queue = server.newQueue();
        QueenClient queen = server.client();
        int producers = 20;
        int rounds = 10;
        List<CompletableFuture<Void>> pushes = new ArrayList<>();
        for (int p = 0; p < producers; p++) {
            CompletableFuture<Void> chain = CompletableFuture.completedFuture(null);
            for (int r = 0; r < rounds; r++) {
                String id = p + "-" + r;
                chain = chain.thenCompose(_ -> queen.pushLater(queue, "a", id)).thenAccept(_ -> {});
            }
            pushes.add(chain);
        }

        List<String> read = new ArrayList<>();
        while (read.size() < producers * rounds) {
            Answer popped = queen.pop(queue, "batch=7", "wait=true", "timeout=60000");
            assertThat(popped.status()).as("after " + read.size() + " messages").isEqualTo(200);
            queen.ackAll(popped, "completed");
            read.addAll(popped.transactionIds());
        }

        pushes.forEach(CompletableFuture::join);
        assertThat(read).doesNotHaveDuplicates().hasSize(producers * rounds);
        for (int p = 0; p < producers; p++) {
            String producer = p + "-";
            assertThat(read.stream().filter(id -> id.startsWith(producer)).map(id -> id.substring(producer.length()))
                    .map(Integer::valueOf)).isSorted();
        }
    }
}
