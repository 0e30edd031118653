package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.Await;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** PostgreSQL accepts connections but cannot store anything, because its disk is full. Triggers raise that error. */
@DisplayName("when PostgreSQL cannot store anything, every request fails with the reason and health reports it")
class FullDiskTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.with(Map.of("DB_UNAVAILABLE_AFTER_MS", "1000"));

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @AfterEach
    void removeTriggers() {
        server.updateEverywhere("drop trigger if exists full_disk on segment");
        server.updateEverywhere("drop trigger if exists full_disk on cursor");
        server.update("drop function if exists queen.full_disk()");
    }

    @Test
    void pushesFailWith503AndHealthNamesTheReasonUntilTheDiskHasSpace() {
        queen.push(queue, "a", "before");
        fillDisk("insert", "segment");

        Answer refused = queen.push(queue, "a", "1");

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.json().get("error").asText()).contains("no space left");
        // A server of which some shards work is healthy.
        for (String partition : server.database().partitionOfEachShard(queue)) {
            assertThat(queen.push(queue, partition, "1").status()).isEqualTo(503);
        }
        Answer health = queen.get("/health");
        assertThat(health.status()).isEqualTo(503);
        assertThat(health.json().get("status").asText()).isEqualTo("unhealthy");
        assertThat(health.json().get("error").asText()).contains("no space left");

        removeTriggers();

        assertThat(queen.push(queue, "a", "2").list().getFirst().get("status").asText()).isEqualTo("queued");
        Await.until(() -> queen.get("/health").status() == 200);
    }

    @Test
    void acksFailWith503AndPopsKeepWaiting() {
        queen.push(queue, "a", "1");
        queen.push(queue, "b", "2");
        JsonNode leased = queen.popPartition(queue, "a").message();
        fillDisk("insert or update", "cursor");

        assertThat(queen.post("/api/v1/ack", QueenClient.acknowledgment(leased, "completed").toString()).status())
                .isEqualTo(503);
        assertThat(queen.popPartition(queue, "b").status()).isEqualTo(204);

        removeTriggers();

        assertThat(queen.ack(leased, "completed").get("success").asBoolean()).isTrue();
    }

    private static void fillDisk(String when, String table) {
        server.update("""
                create or replace function queen.full_disk() returns trigger language plpgsql as $$
                begin
                    raise exception 'could not extend file: no space left on device' using errcode = '53100';
                end
                $$""");
        server.updateEverywhere("create trigger full_disk before " + when + " on " + table
                + " for each row execute function queen.full_disk()");
    }
}
