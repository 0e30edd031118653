package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Await;
import io.queenmq.testkit.PostgresPrograms;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** QUEEN_SHARDS holds for the PostgreSQL that Queen brings along, too, and cannot be changed later. */
class ShardsStartTest {
    @TempDir
    private Path data;

    @AfterEach
    void end() {
        QueenProcess.awaitNoPostgresIn(data.resolve("postgres"));
        PostgresPrograms.unlinkFrom(data.resolve("postgres"));
    }

    @Test
    void theEmbeddedPostgresGetsThemAndKeepsThem() {
        try (QueenProcess queen = QueenProcess.start(settings("3"))) {
            assertThat(shards(queen)).isEqualTo(3);
            queen.terminate();
            assertThat(queen.awaitEnd()).isZero();
        }
        try (QueenProcess other = QueenProcess.launch(settings("2"))) {
            assertThat(other.awaitEnd()).isEqualTo(1);
            assertThat(other.output()).anyMatch(line -> line.contains("This database was created with 3 shards")
                    && line.contains("QUEEN_SHARDS=3"));
        }
        try (QueenProcess again = QueenProcess.start(settings(""))) {
            assertThat(shards(again)).isEqualTo(3);
            again.terminate();
            again.awaitEnd();
        }
    }

    /** A server of so many needs more connections than a PostgreSQL allows by default. */
    @Test
    void theEmbeddedPostgresSupportsTheMaximumNumberOfShards() {
        try (QueenProcess queen = QueenProcess.start(settings("64"))) {
            assertThat(shards(queen)).isEqualTo(64);
            Await.until("all are reached", () -> queen.client().get("/health").body().get("warnings").isEmpty());
            queen.terminate();
            assertThat(queen.awaitEnd()).isZero();
        }
    }

    @Test
    void aNumberThatCannotBeStopsTheStart() {
        try (QueenProcess queen = QueenProcess.launch(settings("65"))) {
            assertThat(queen.awaitEnd()).isEqualTo(1);
            assertThat(queen.output()).anyMatch(line -> line.contains("QUEEN_SHARDS must be 1 to 64"));
        }
    }

    @Test
    void citusThatIsRequiredAndMissingStopsTheStart() {
        Map<String, String> settings = new HashMap<>(settings("3"));
        settings.put("QUEEN_CITUS", "required");
        try (QueenProcess queen = QueenProcess.launch(settings)) {
            assertThat(queen.awaitEnd()).isEqualTo(1);
            assertThat(queen.output()).anyMatch(line -> line.contains("This database has no Citus extension"));
        }
    }

    private Map<String, String> settings(String shards) {
        // Hundreds of connections are opened at once. On a busy machine that takes longer than the default of two seconds.
        return Map.of("QUEEN_DATA", data.toString(), "QUEEN_SHARDS", shards, "DB_CONNECTION_TIMEOUT", "20000");
    }

    private static int shards(QueenProcess queen) {
        return queen.client().get("/api/v1/analytics/shards").body().get("shards").size();
    }
}
