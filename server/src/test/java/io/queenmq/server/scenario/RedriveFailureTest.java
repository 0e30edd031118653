package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestShards;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The failure of one dead letter or one redrive does not stop the others, and the outcome of each is visible. */
class RedriveFailureTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.with(Map.of("QUEEN_ENCRYPTION_KEY", "0123456789abcdef".repeat(4)));

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Test
    @DisplayName("a dead letter that cannot be decrypted is counted with its reason, and the other letters and later redrives continue")
    void aLetterThatCannotBeDecryptedRemainsAndOthersAreRedriven() {
        queen.configure(queue, "{\"encryptionEnabled\":true}");
        kill(queue, "1", "2", "3");
        // Encrypted with a key that no server has.
        server.updateEverywhere("update dead_letter set line = convert_to(regexp_replace(convert_from(line, 'UTF8'),"
                + " '\"keyId\":\"[^\"]*\"', '\"keyId\":\"00000000\"'), 'UTF8') where transaction_id = '2'"
                + " and queue_id = (select id from queen.queue where name = ?)", queue);
        String later = server.newQueue();
        kill(later, "4");

        String id = redrive(queue);
        JsonNode done = await(redrive(later), "finished");
        JsonNode troubled = await(id, "finished");

        assertThat(done.get("redriven").asInt()).isEqualTo(1);
        assertThat(troubled.get("redriven").asInt()).isEqualTo(2);
        assertThat(troubled.get("failed").asInt()).isEqualTo(1);
        assertThat(troubled.get("lastError").asText()).contains("00000000, which this server does not have");
        assertThat(server.deadLetters(queue)).singleElement().asString().startsWith("2 ");
        assertThat(queen.popPartition(queue, "a", "batch=9").transactionIds()).containsExactly("1", "3");
    }

    @Test
    void aMalformedLetterRemainsAndOthersAreRedriven() {
        kill(queue, "1", "2");
        server.updateEverywhere("update dead_letter set line = convert_to('{}', 'UTF8') where transaction_id = '1'"
                + " and queue_id = (select id from queen.queue where name = ?)", queue);

        JsonNode done = await(redrive(queue), "finished");

        assertThat(done.get("redriven").asInt()).isEqualTo(1);
        assertThat(done.get("failed").asInt()).isEqualTo(1);
        assertThat(done.get("lastError").asText()).contains("cannot be opened");
    }

    @Test
    void aRedriveThatNoServerCanRunFailsAndDelaysNoOther() {
        kill(queue, "1");
        // PostgreSQL cannot read the bytes before the payload.
        server.updateEverywhere("update dead_letter set line = '\\xff'::bytea || ',\"data\":1}', transaction_id = null"
                + " where queue_id = (select id from queen.queue where name = ?)", queue);
        String id = redrive(queue);
        Await.until(() -> !show(id).get("lastError").isNull());
        String other = server.newQueue();
        kill(other, "1");

        assertThat(await(redrive(other), "finished").get("redriven").asInt()).isEqualTo(1);
        JsonNode failed = await(id, "failed");

        assertThat(failed.get("lastError").asText()).contains("UTF8");
        assertThat(failed.get("finishedAt").isNull()).isFalse();
        server.updateEverywhere("delete from dead_letter where substring(line from 1 for 1) = '\\xff'");
    }

    @Test
    void aRedriveWaitsForTheEndOfPushMaintenance() {
        kill(queue, "1");
        queen.post("/api/v1/system/maintenance", "{\"enabled\":true}");
        String id;
        try {
            id = redrive(queue);
            Await.until(() -> show(id).get("lastError").asText().contains("maintenance"));
            assertThat(show(id).get("status").asText()).isEqualTo("running");
            assertThat(show(id).get("waitingFor").asText()).isEqualTo("pushes are switched off for maintenance");
        } finally {
            queen.post("/api/v1/system/maintenance", "{\"enabled\":false}");
        }

        JsonNode done = await(id, "finished");
        assertThat(done.get("redriven").asInt()).isEqualTo(1);
        assertThat(done.get("lastError").isNull()).isTrue();
        assertThat(done.get("waitingFor").isNull()).isTrue();
    }

    @Test
    void aConnectionLostDuringARedriveLosesNoMessage() throws SQLException {
        kill(queue, "1", "2");
        String id;
        try (Connection holder = lockPartition()) {
            id = redrive(queue);
            awaitMove();
            server.select("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()"
                    + " and query like '%move_dead_letters%' and wait_event_type = 'Lock'");
            holder.rollback();
        }

        JsonNode done = await(id, "finished");

        assertThat(done.get("redriven").asInt()).isEqualTo(2);
        assertThat(server.deadLetters(queue)).isEmpty();
        assertThat(queen.popPartition(queue, "a", "batch=9").transactionIds()).as("none is stored twice")
                .containsExactly("1", "2");
    }

    @Test
    void anotherServerContinuesTheRedriveOfAStoppedServer() throws SQLException {
        kill(queue, "1", "2");
        String id;
        try (Connection holder = lockPartition()) {
            id = redrive(queue);
            awaitMove();
            server.stop();
            holder.rollback();
        }
        server.start();

        Await.until(() -> server.client().get("/api/v1/dlq/redrives/" + id).json().get("status").asText()
                .equals("finished"));
        assertThat(server.deadLetters(queue)).isEmpty();
        assertThat(server.client().popPartition(queue, "a", "batch=9").transactionIds()).as("none is stored twice")
                .containsExactly("1", "2");
    }

    @Test
    void aRedriveCanceledDuringAStepStopsAfterIt() throws Exception {
        kill(queue, "1", "2", "3");
        String id;
        Thread cancelling;
        try (Connection holder = lockPartition()) {
            id = queen.post("/api/v1/dlq/redrive", "{\"queue\":\"" + queue + "\",\"ratePerSecond\":1}").json().get("id")
                    .asText();
            awaitMove();
            cancelling = Thread.ofVirtual().start(() -> queen.delete("/api/v1/dlq/redrives/" + id));
            Await.until(() -> !server.select("select 1 from pg_stat_activity where query like '%cancel_redrive%'"
                    + " and wait_event_type = 'Lock'").isEmpty());
            holder.rollback();
        }
        cancelling.join();

        assertThat(show(id).get("status").asText()).isEqualTo("cancelled");
        assertThat(show(id).get("redriven").asInt()).isEqualTo(1);
        assertThat(server.deadLetters(queue)).hasSize(2);
    }

    /** Locks the partition, so that no message can be pushed to it. */
    private Connection lockPartition() throws SQLException {
        TestDatabase database = server.database();
        Connection holder = database.connect();
        holder.setAutoCommit(false);
        TestShards.everywhere(holder,
                "select from partition p join queen.queue q on q.id = p.queue_id where q.name = ?" + " for update of p",
                queue);
        return holder;
    }

    /** Waits until the dead letters are claimed and their transaction waits for the partition. */
    private void awaitMove() {
        Await.until(() -> !server.select("select 1 from pg_stat_activity where datname = current_database()"
                + " and query like '%move_dead_letters%' and wait_event_type = 'Lock'").isEmpty());
    }

    private void kill(String from, String... transactionIds) {
        queen.push(from, "a", transactionIds);
        for (int i = 0; i < transactionIds.length; i++) {
            queen.ack(queen.popPartition(from, "a").message(), "dlq");
        }
    }

    private String redrive(String from) {
        return queen.post("/api/v1/dlq/redrive", "{\"queue\":\"" + from + "\"}").json().get("id").asText();
    }

    private JsonNode show(String id) {
        return queen.get("/api/v1/dlq/redrives/" + id).json();
    }

    private JsonNode await(String id, String status) {
        Await.until(() -> show(id).get("status").asText().equals(status));
        return show(id);
    }
}
