package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.server.Server;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.PatientSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("PostgreSQL returns to an earlier state")
class DatabaseRevertTest {
    private static final String KEY = "00".repeat(32);

    @ParameterizedTest(name = "{0} shards")
    @ValueSource(ints = {1, 3})
    void restoredFilesLoseOnlyTheLatestChanges(int shards) throws Exception {
        try (RevertiblePostgres postgres = RevertiblePostgres.create("revert-restore-" + shards);
                CuttableProxy network = new CuttableProxy("127.0.0.1", postgres.port());
                Server one = start(postgres, network.port(), shards);
                Server other = start(postgres, postgres.port(), shards)) {
            QueenClient client = new QueenClient(one.url());
            prepare(client);
            postgres.save();
            awaitHealth(client);
            JsonNode lostLease = makeChangesToLose(client);
            CompletableFuture<Answer> waiting = client.popPartitionLater("q", "waiting", "consumerGroup=g", "wait=true",
                    "timeout=60000");
            network.cut();
            postgres.restore();

            verify(client, new QueenClient(other.url()), network, lostLease, waiting);
            assertThat(client.get("/health").json().at("/database_history/last_change").asText())
                    .startsWith("PostgreSQL started at");
        }
    }

    @ParameterizedTest(name = "{0} shards")
    @ValueSource(ints = {1, 3})
    void aPromotedStandbyThatLagsLosesOnlyTheLatestChanges(int shards) throws Exception {
        try (RevertiblePostgres primary = RevertiblePostgres.create("revert-failover-" + shards);
                CuttableProxy replication = new CuttableProxy("127.0.0.1", primary.port());
                RevertiblePostgres standby = primary.startStandby(replication);
                CuttableProxy network = new CuttableProxy("127.0.0.1", primary.port());
                Server one = start(primary, network.port(), shards)) {
            QueenClient client = new QueenClient(one.url());
            prepare(client);
            standby.awaitEverythingOf(primary);
            replication.cut();
            JsonNode lostLease = makeChangesToLose(client);
            CompletableFuture<Answer> waiting = client.popPartitionLater("q", "waiting", "consumerGroup=g", "wait=true",
                    "timeout=60000");
            network.cut();
            standby.promote();
            network.leadTo(standby.port());

            try (Server other = start(standby, standby.port(), shards)) {
                verify(client, new QueenClient(other.url()), network, lostLease, waiting);
            }
            assertThat(client.get("/health").json().at("/database_history/last_change").asText())
                    .isEqualTo("timeline 1 -> 2");
        }
    }

    @Test
    void aRestartLosesNothing() throws Exception {
        try (RevertiblePostgres postgres = RevertiblePostgres.create("revert-restart");
                Server server = start(postgres, postgres.port(), 1)) {
            QueenClient client = new QueenClient(server.url());
            prepare(client);
            assertThat(client.push("q", "partition", "m5").each("status")).containsExactly("queued");
            Answer leased = client.popPartition("q", "partition", "consumerGroup=g", "batch=100");
            assertThat(leased.transactionIds()).containsExactly("m5");

            postgres.save();
            awaitHealth(client);

            assertThat(client.push("q", "partition", "m5").each("status")).containsExactly("duplicate");
            assertThat(client.ackAll(leased, "completed").each("success")).containsExactly("true");
            assertThat(client.popPartition("q", "partition", "consumerGroup=g", "batch=100").isEmpty()).isTrue();
        }
    }

    /** Stores messages before the saved state. The group g has finished m0 to m4. */
    private static void prepare(QueenClient client) {
        assertThat(client.push("q", "partition", "m0", "m1", "m2", "m3", "m4").each("status")).containsOnly("queued");
        Answer popped = client.popPartition("q", "partition", "consumerGroup=g", "batch=100");
        assertThat(popped.messages()).hasSize(5);
        client.ackAll(popped, "completed");
        client.push("q", "waiting", "w0");
        client.ackAll(client.popPartition("q", "waiting", "consumerGroup=g"), "completed");
    }

    /** Makes changes that are lost: messages, a lease, an ack, two groups, a queue, and the encryption of a queue. Returns a leased message. */
    private static JsonNode makeChangesToLose(QueenClient client) {
        assertThat(client.push("q", "partition", "m5", "m6", "m7").each("status")).containsOnly("queued");
        Answer popped = client.popPartition("q", "partition", "consumerGroup=g", "batch=100");
        assertThat(popped.transactionIds()).containsExactly("m5", "m6", "m7");
        assertThat(client.ack(popped.messages().getFirst(), "completed").get("success").asBoolean()).isTrue();
        assertThat(popNew(client, "newcomer").isEmpty()).isTrue();
        assertThat(popNew(client, "removed").isEmpty()).isTrue();
        assertThat(client.push("fresh", "partition", "f0").each("status")).containsExactly("queued");
        assertThat(client.configure("secret", "{\"encryptionEnabled\":true}").status()).isEqualTo(200);
        return popped.messages().getLast();
    }

    /** @param other a client of a server that is connected to the restored database before the first server */
    private static void verify(QueenClient client, QueenClient other, CuttableProxy network, JsonNode lostLease,
            CompletableFuture<Answer> waiting) throws Exception {
        awaitHealth(other);
        assertThat(other.push("q", "partition", "n0", "n1", "n2").each("status")).containsOnly("queued");
        network.restore();
        awaitHealth(client);

        assertThat(popNew(client, "newcomer").transactionIds()).as("messages since the subscription of the group")
                .containsExactly("n0", "n1", "n2");
        assertThat(other.popPartition("q", "partition", "consumerGroup=removed").isEmpty()).isFalse();
        assertThat(client.delete("/api/v1/consumer-groups/removed").status()).isEqualTo(200);
        assertThat(client.popPartition("q", "partition", "consumerGroup=removed", "batch=1").transactionIds())
                .as("the group was deleted and starts again").containsExactly("m0");

        assertThat(client.ack(lostLease, "completed").get("success").asBoolean()).as("ack of the lost m7").isFalse();
        assertThat(client.push("q", "partition", "m7").each("status")).as("m7 was lost").containsExactly("queued");
        assertThat(client.push("q", "partition", "m2").each("status")).as("m2 is stored").containsExactly("duplicate");
        assertThat(client.push("q", "partition", "n1").each("status")).as("n1 is stored").containsExactly("duplicate");
        assertThat(drain(client, "q", "partition")).containsExactly("n0", "n1", "n2", "m7");

        assertThat(client.push("q", "waiting", "w1").each("status")).containsExactly("queued");
        assertThat(waiting.get().transactionIds()).as("a pop that waited all the time").containsExactly("w1");

        CompletableFuture<Answer> fresh = client.popLater("fresh", "consumerGroup=g", "wait=true", "timeout=60000");
        assertThat(client.push("fresh", "partition", "f1").each("status")).as("the queue was lost")
                .containsExactly("queued");
        assertThat(fresh.get().transactionIds()).containsExactly("f1");
        assertThat(client.push("secret", "partition", "s1").each("status")).containsExactly("queued");
        assertThat(client.transaction("""
                {"operations":[{"type":"push","items":[{"queue":"q","partition":"partition","transactionId":"m6","payload":1}]}]}
                """).status()).isEqualTo(200);
        assertThat(drain(client, "q", "partition")).containsExactly("m6");
    }

    private static List<String> drain(QueenClient client, String queue, String partition) {
        List<String> drained = new ArrayList<>();
        for (Answer popped = pop(client, queue, partition); !popped.isEmpty(); popped = pop(client, queue, partition)) {
            drained.addAll(popped.transactionIds());
            client.ackAll(popped, "completed");
        }
        return drained;
    }

    private static Answer pop(QueenClient client, String queue, String partition) {
        return client.popPartition(queue, partition, "consumerGroup=g", "batch=100", "wait=true", "timeout=1000");
    }

    private static Answer popNew(QueenClient client, String group) {
        return client.popPartition("q", "partition", "consumerGroup=" + group, "subscriptionMode=new", "batch=100");
    }

    private static void awaitHealth(QueenClient client) {
        Await.until(() -> client.get("/health").status() == 200);
    }

    private static Server start(RevertiblePostgres postgres, int port, int shards) {
        Map<String, String> settings = new HashMap<>(PatientSettings.ALL);
        settings.putAll(Map.of("PORT", "0", "HOST", "127.0.0.1", "NUM_WORKERS", "1", "PG_HOST", "127.0.0.1", "PG_PORT",
                Integer.toString(port), "PG_USER", "postgres", "PG_PASSWORD", postgres.password(), "SPOOL_ENABLED",
                "false", "QUEEN_ENCRYPTION_KEY", KEY, "QUEEN_SHARDS", Integer.toString(shards)));
        return Server.start(ConfigReader.read(settings));
    }
}
