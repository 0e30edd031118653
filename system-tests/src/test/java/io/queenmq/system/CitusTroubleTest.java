package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Await;
import io.queenmq.testkit.CitusCluster;
import io.queenmq.testkit.CitusDatabase;
import io.queenmq.testkit.QueenClient;
import io.queenmq.testkit.QueenClient.Answer;
import io.queenmq.testkit.QueenClient.Message;
import io.queenmq.testkit.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Outages and changes of a Citus cluster, as clients observe them. */
@Tag("citus")
class CitusTroubleTest {
    private static final String QUEUE = "orders";
    private static final List<String> PARTITIONS = IntStream.range(0, 16).mapToObj("partition-%02d"::formatted)
            .toList();

    @TempDir
    private Path data;

    private CitusDatabase database;
    private QueenProcess process;
    private QueenClient queen;

    @BeforeEach
    void start() {
        database = CitusCluster.fromEnvironment().createDatabase();
        Map<String, String> settings = new HashMap<>(OnCitus.settings(database, data));
        settings.put("DB_UNAVAILABLE_AFTER_MS", "1000");
        process = QueenProcess.start(settings);
        queen = process.client();
        queen.configure(QUEUE, Map.of("leaseTime", 60, "retryLimit", 100));
    }

    @AfterEach
    void stop() {
        process.close();
        database.close();
    }

    @Test
    void aShardIsMovedUnderLoadAndFollowed() {
        int before = port(0);
        TestDatabase target = database.workers().stream().filter(worker -> worker.port() != before).findFirst()
                .orElseThrow();
        Map<String, List<String>> pushed = new ConcurrentHashMap<>();
        Map<String, List<String>> finished = new ConcurrentHashMap<>();
        AtomicBoolean isOver = new AtomicBoolean();
        Thread producer = Thread.ofPlatform().start(() -> {
            for (int i = 0; !isOver.get(); i++) {
                for (String partition : PARTITIONS) {
                    String id = partition + "-" + i;
                    assertThat(status(queen.push(QUEUE, partition, List.of(id)))).isEqualTo("queued");
                    pushed.computeIfAbsent(partition, _ -> new CopyOnWriteArrayList<>()).add(id);
                }
            }
        });
        Thread consumer = Thread.ofPlatform().start(() -> {
            while (!isOver.get() || count(finished) < count(pushed)) {
                List<Message> got = queen.pop(QUEUE, null, null, "batch=50&partitions=10").messages();
                if (!got.isEmpty()) {
                    Answer answer = queen.ack(null, got.stream().map(m -> m.ack("completed")).toList());
                    assertThat(answer.body()).as("%s", answer).allMatch(each -> each.get("success").asBoolean());
                    got.forEach(m -> finished.computeIfAbsent(m.partition(), _ -> new ArrayList<>())
                            .add(m.transactionId()));
                }
            }
        });
        Await.until("there is load", () -> count(finished) > 100);

        OnCitus.execute(database.coordinator(),
                "select citus_schema_move('queen_00', '" + target.host() + "', " + target.port() + ")");
        Await.until("the connections follow", () -> process.output().stream()
                .anyMatch(line -> line.contains("queen_00 is at " + target.host() + ":" + target.port())));
        int then = count(finished);
        Await.until("work continues", () -> count(finished) > then + 100);
        isOver.set(true);
        Await.until("all is done", () -> !producer.isAlive() && !consumer.isAlive());

        assertThat(port(0)).isEqualTo(target.port());
        assertThat(finished).isEqualTo(pushed);
    }

    @Test
    void aTransactionOverNodesIsWholeWhenItsSessionsAreCut() {
        AtomicBoolean isOver = new AtomicBoolean();
        Thread killer = Thread.ofPlatform().start(() -> {
            for (int i = 0; !isOver.get(); i++) {
                OnCitus.cutSessions(database.workers().get(i % database.workers().size()));
                QueenProcess.pause(Duration.ofMillis(150));
            }
        });
        List<String> accepted = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            String id = "t" + i;
            Answer answer = queen.post("/api/v1/transaction",
                    Map.of("operations", List.of(Map.of("type", "push", "items",
                            PARTITIONS.stream()
                                    .flatMap(partition -> QueenClient.items(QUEUE, partition, List.of(id)).stream())
                                    .toList()))));
            if (answer.body().path("success").asBoolean()) {
                accepted.add(id);
            }
        }
        isOver.set(true);
        Await.until("no connection is killed any more", () -> !killer.isAlive());

        // Transactions that were prepared when a session ended are finished by the cluster every minute, or on request.
        OnCitus.execute(database.coordinator(), "select recover_prepared_transactions()");
        String accepted16 = "select count(*) from (select m.transaction_id from queen.message m where m.transaction_id in ('"
                + String.join("', '", accepted) + "') group by 1 having count(*) = " + PARTITIONS.size() + ") t";
        String torn = "select count(*) from (select m.transaction_id from queen.message m group by 1 having count(*) <> "
                + PARTITIONS.size() + ") t";
        assertThat(accepted).as("some go through").isNotEmpty();
        Await.until("no transaction is in some partitions only",
                () -> OnCitus.number(database.coordinator(), torn) == 0);
        assertThat(OnCitus.number(database.coordinator(), accepted16)).as("accepted messages")
                .isEqualTo(accepted.size());
    }

    @Test
    void anUnavailableWorkerStopsOnlyItsPartitionsUntilItIsBack() {
        TestDatabase away = database.workers().getFirst();
        PARTITIONS.forEach(partition -> assertThat(status(queen.push(QUEUE, partition, List.of(partition + "-0"))))
                .isEqualTo("queued"));
        // The first pop of a group changes the catalog, which is on every node.
        queen.pop(QUEUE, "no such partition", "there", "batch=1");
        OnCitus.executeBeside(away, "alter database " + away.name() + " allow_connections false");
        OnCitus.cutSessions(away);
        Await.until("it is noticed", () -> PARTITIONS.stream().anyMatch(
                partition -> status(queen.push(QUEUE, partition, List.of(partition + "-1"))).equals("buffered")));

        Map<String, String> states = new HashMap<>();
        PARTITIONS.forEach(
                partition -> states.put(partition, status(queen.push(QUEUE, partition, List.of(partition + "-2")))));
        assertThat(states.values()).containsOnly("queued", "buffered").contains("queued", "buffered");
        List<String> working = PARTITIONS.stream().filter(partition -> states.get(partition).equals("queued")).toList();
        working.forEach(partition -> Await.until("messages of " + partition,
                () -> queen.pop(QUEUE, partition, "there", "batch=10").messages().size() == 3));

        OnCitus.executeBeside(away, "alter database " + away.name() + " allow_connections true");
        Map<String, List<String>> got = new HashMap<>();
        Await.until("all are there", () -> {
            queen.pop(QUEUE, null, "all", "batch=100&partitions=20&autoAck=true").messages()
                    .forEach(m -> got.computeIfAbsent(m.partition(), _ -> new ArrayList<>()).add(m.transactionId()));
            return got.values().stream().mapToInt(List::size).sum() >= 3 * PARTITIONS.size();
        });
        PARTITIONS.forEach(partition -> assertThat(got.get(partition)).containsExactly(partition + "-0",
                partition + "-1", partition + "-2"));
    }

    /** Returns the outcome of a push of one message, or the status of the response if the push was rejected. */
    private static String status(Answer answer) {
        return answer.isOk() ? answer.body().at("/0/status").asText() : Integer.toString(answer.status());
    }

    private static int count(Map<String, List<String>> lists) {
        return lists.values().stream().mapToInt(List::size).sum();
    }

    private int port(int shard) {
        return Integer.parseInt(OnCitus.nodes(process).get(shard).split(":")[1]);
    }
}
