package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A restore of some tables may restore the key of a partition or cursor without its row. */
class PartialRestoreTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final String queue = server.newQueue();

    @Test
    @DisplayName("a push to a partition without its row restores the partition, and overwrites nothing")
    void aPushRestoresThePartition() {
        server.client().push(queue, "a", "1", "2");
        lose("partition", "id");
        // The state of the partition in the servers is as old as the backup.
        QueenClient queen = server.startAnother();

        queen.push(queue, "a", "3");

        assertThat(queen.popPartition(queue, "a", "batch=9", "wait=true", "timeout=60000").transactionIds())
                .containsExactly("1", "2", "3");
    }

    @Test
    void aPopCreatesACursorOfWhichOnlyTheKeyExists() {
        QueenClient queen = server.client();
        queen.push(queue, "a", "1");
        queen.pop(queue, "consumerGroup=g", "autoAck=true");
        lose("cursor", "partition_id");

        assertThat(server.startAnother().pop(queue, "consumerGroup=g", "wait=true", "timeout=60000").transactionIds())
                .containsExactly("1");
    }

    private void lose(String table, String key) {
        server.updateEverywhere("delete from " + table + " where " + key + " in (select p.id from partition_key p"
                + " join queen.queue q on q.id = p.queue_id where q.name = ?)", queue);
    }
}
