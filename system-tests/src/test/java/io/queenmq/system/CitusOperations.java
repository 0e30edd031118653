package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.CitusCluster;
import io.queenmq.testkit.CitusDatabase;
import io.queenmq.testkit.QueenClient;
import io.queenmq.testkit.QueenClient.Answer;
import io.queenmq.testkit.QueenClient.Message;
import io.queenmq.testkit.TestDatabase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** A server on a Citus cluster, with and without direct connections to the workers, and the requests of the tests. */
@Tag("citus")
@ParameterizedClass(name = "connected to the workers: {0}")
@ValueSource(booleans = {true, false})
abstract class CitusOperations {
    static final List<String> PARTITIONS = IntStream.range(0, 12).mapToObj("partition-%02d"::formatted).toList();
    private static final String KEY = "ab".repeat(32);

    @TempDir
    private static Path data;

    private static CitusDatabase database;
    private static int queues;
    private static QueenProcess process;
    private static QueenClient queen;

    @Parameter
    private boolean isDirect;

    @BeforeAll
    static void createDatabase() {
        database = CitusCluster.fromEnvironment().createDatabase();
    }

    @AfterAll
    static void dropDatabase() {
        database.close();
    }

    @BeforeParameterizedClassInvocation
    static void start(boolean isDirect) {
        Map<String, String> settings = new HashMap<>(
                OnCitus.settings(database, data.resolve(Boolean.toString(isDirect))));
        settings.putAll(Map.of("QUEEN_CITUS_DIRECT", Boolean.toString(isDirect), "RETENTION_INTERVAL", "1000",
                "EVICTION_INTERVAL", "1000", "STATS_INTERVAL_MS", "1000", "QUEEN_ENCRYPTION_KEY", KEY));
        process = QueenProcess.start(settings);
        queen = process.client();
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        process.close();
    }

    final QueenClient queen() {
        return queen;
    }

    final String url() {
        return process.url();
    }

    final TestDatabase coordinator() {
        return database.coordinator();
    }

    final String newQueue(Map<String, ?> options) {
        String queue = "queue-" + isDirect + "-" + ++queues;
        assertThat(queen.configure(queue, options).isOk()).isTrue();
        return queue;
    }

    final void pushToAll(String queue, String prefix) {
        Answer answer = queen.post("/api/v1/push",
                Map.of("items", PARTITIONS.stream().flatMap(
                        partition -> QueenClient.items(queue, partition, List.of(prefix + "-" + partition)).stream())
                        .toList()));
        assertThat(answer.body()).as("%s", answer).hasSize(PARTITIONS.size())
                .allMatch(each -> each.get("status").asText().equals("queued"));
    }

    final List<Message> drain(String queue, String group, int count) {
        List<Message> got = new ArrayList<>();
        Await.until(count + " messages of " + queue, () -> {
            List<Message> some = queen.pop(queue, null, group, "batch=100&partitions=10").messages();
            if (!some.isEmpty()) {
                assertThat(queen.ack(group, some.stream().map(m -> m.ack("completed")).toList()).isOk()).isTrue();
                got.addAll(some);
            }
            return got.size() >= count;
        });
        return got;
    }

    final Message popOne(String queue, String group) {
        List<Message> got = new ArrayList<>();
        Await.until("a message of " + queue, () -> {
            got.addAll(queen.pop(queue, null, group, "batch=1").messages());
            return !got.isEmpty();
        });
        return got.getFirst();
    }

    final JsonNode get(String path) {
        return ok(path, queen.get(path));
    }

    final JsonNode post(String path, Object body) {
        return ok(path, queen.post(path, body));
    }

    final JsonNode delete(String path) {
        return ok(path, queen.delete(path));
    }

    private static JsonNode ok(String path, Answer answer) {
        assertThat(answer.isOk()).as("%s: %s", path, answer).isTrue();
        return answer.body();
    }
}
