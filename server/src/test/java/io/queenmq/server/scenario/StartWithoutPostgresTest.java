package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.server.Server;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.server.harness.InstalledDatabase;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.PatientSettings;
import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestShards;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is started while PostgreSQL is unavailable accepts pushes, and stores them when PostgreSQL is available. */
class StartWithoutPostgresTest {
    private static final String KEY = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

    @TempDir
    private Path folder;

    @Test
    void pushesAreSpooledUntilPostgresIsAvailable() throws Exception {
        try (TestDatabase database = InstalledDatabase.create(TestShards.COUNT);
                CuttableProxy network = new CuttableProxy(database.host(), database.port())) {
            network.cut();
            Map<String, String> settings = Map.of("QUEEN_SHARDS", Integer.toString(TestShards.COUNT),
                    "QUEEN_ENCRYPTION_KEY", KEY, "API_KEYS_ENABLED", "false");
            try (Server server = open(database, network, settings)) {
                QueenClient queen = new QueenClient(server.url());
                assertThat(server.store()).contains("is unavailable");
                assertThat(Stream.of("live", "ready", "startup").map(probe -> queen.get("/health/" + probe).status()))
                        .containsExactly(200, 200, 200);
                assertThat(queen.get("/health").status()).isEqualTo(503);
                assertThat(queen.get("/health").json().get("summary").asText())
                        .startsWith("PostgreSQL is unavailable: pushes are spooled");
                assertThat(queen.get("/metrics/prometheus").body()).contains("queen_file_buffer_db_healthy 0");

                Answer pushed = queen.post("/api/v1/push",
                        "{\"items\":[{\"queue\":\"early\",\"partition\":\"a\",\"payload\":\"written before\"}]}");
                assertThat(pushed.each("status")).containsExactly("buffered");
                assertThat(queen.pop("early").status()).isEqualTo(204);
                assertThat(spooled()).as("any queue may be an encrypted one").isNotEmpty()
                        .noneMatch(file -> file.contains("written before"));

                network.restore();
                Await.until(() -> queen.get("/health").status() == 200
                        && queen.get("/health").json().at("/spool/pending").asInt() == 0);
                Await.until(
                        () -> queen.pop("early", "consumerGroup=g", "autoAck=true").body().contains("written before"));
                assertThat(queen.push("late", "a", "1").each("status")).containsExactly("queued");
            }
        }
    }

    @Test
    void aServerThatExpectedAnotherNumberOfShardsEndsAndIsStartedWithTheRightOne() throws Exception {
        try (TestDatabase database = InstalledDatabase.create(3);
                CuttableProxy network = new CuttableProxy(database.host(), database.port())) {
            network.cut();
            try (Server server = open(database, network, Map.of("QUEEN_SHARDS", ""))) {
                CompletableFuture<String> lost = new CompletableFuture<>();
                server.onStoreLost(lost::complete);
                assertThat(new QueenClient(server.url()).push("early", "a", "1").each("status"))
                        .containsExactly("buffered");
                network.restore();
                assertThat(lost.get(60, TimeUnit.SECONDS)).contains("3 shards", "expected 1", "start it again");
            }
            network.cut();
            try (Server server = open(database, network, Map.of("QUEEN_SHARDS", ""))) {
                QueenClient queen = new QueenClient(server.url());
                assertThat(queen.push("early", "a", "2").each("status")).containsExactly("buffered");
                network.restore();
                Await.until(() -> queen.get("/health").status() == 200);
                Await.until(() -> queen.get("/health").json().at("/spool/pending").asInt() == 0);
                assertThat(queen.pop("early", "batch=10").transactionIds()).containsExactly("1", "2");
            }
        }
    }

    private Server open(TestDatabase database, CuttableProxy network, Map<String, String> settings) {
        Map<String, String> variables = new HashMap<>(PatientSettings.ALL);
        variables.putAll(Map.of("PORT", "0", "HOST", "127.0.0.1", "PG_HOST", "127.0.0.1", "PG_PORT",
                Integer.toString(network.port()), "PG_DB", database.name(), "PG_USER", database.user(), "PG_PASSWORD",
                database.password(), "QUEEN_DATA", folder.toString(), "SPOOL_ENABLED", "true"));
        variables.put("SPOOL_DIR", folder.resolve("spool").toString());
        variables.putAll(settings);
        return Server.start(ConfigReader.read(variables));
    }

    private List<String> spooled() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).map(file -> {
                try {
                    return Files.readString(file, StandardCharsets.ISO_8859_1);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }).toList();
        }
    }
}
