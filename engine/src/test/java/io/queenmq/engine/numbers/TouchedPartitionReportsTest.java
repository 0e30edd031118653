package io.queenmq.engine.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queenmq.engine.batch.BatchMeters;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.config.EngineConfig;
import io.queenmq.engine.connection.Place;
import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.engine.harness.ManualClock;
import io.queenmq.engine.harness.ScriptedSessions;
import io.queenmq.engine.harness.TestConfig;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.time.Timers;
import io.queenmq.schema.Shards;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TouchedPartitionReportsTest {
    private static final EngineConfig CONFIG = TestConfig.of(Map.of("DB_UNAVAILABLE_AFTER_MS", "3000")).engine();

    private final ManualClock clock = new ManualClock();
    private final Timers timers = new Timers(clock);
    private final ScriptedSessions postgres = new ScriptedSessions();
    private final ShardConnections connections = new ShardConnections(Shards.ONE, (_, _) -> postgres,
            _ -> new Place("scripted", 1), Duration.ofSeconds(2), Duration.ofSeconds(10), timers);
    private final EngineContext context = new EngineContext("api", connections, timers, CONFIG,
            new BatchMeters(new SimpleMeterRegistry()));
    private final Numbers numbers = new Numbers();
    private final QueueNumbers orders = numbers.of("orders");
    private final TouchedPartitionReports reports = new TouchedPartitionReports(context, numbers);
    private final List<Set<UUID>> written = new ArrayList<>();
    private final List<String> answers = new ArrayList<>();
    private final UUID partition = UUID.randomUUID();
    private final UUID other = UUID.randomUUID();

    @BeforeEach
    void open() {
        take(Future.succeededFuture());
        connections.open();
        reports.start();
    }

    @Test
    void anIdleServerMakesNoCalls() {
        clock.pass(60_000);

        assertThat(postgres.calls()).isEmpty();
    }

    @Test
    void touchedPartitionsAreStoredOnceWithinHalfASecond() {
        orders.touched(partition);
        orders.touched(other);
        orders.touched(partition);
        clock.pass(500);
        clock.pass(60_000);

        assertThat(written).containsExactly(Set.of(partition, other));
    }

    @Test
    void aFailedReportIsRepeatedTogetherWithNewPartitions() {
        take(Future.failedFuture(new PgException("no", "ERROR", "53100", "disk full")));
        orders.touched(partition);
        reports.write(noting());
        clock.pass(100);
        orders.touched(other);
        clock.pass(5_000);
        assertThat(answers).containsExactly("failed");

        written.clear();
        take(Future.succeededFuture());
        clock.pass(5_000);

        assertThat(written.getLast()).containsExactlyInAnyOrder(partition, other);
        assertThat(numbers.touchedPartitions().isEmpty()).isTrue();
    }

    @Test
    void aWriteCompletesWhenAllPartitionsTouchedBeforeAreStored() {
        Promise<RowSet<Row>> first = Promise.promise();
        take(first.future());
        orders.touched(partition);
        reports.write(noting());
        reports.write(noting());
        orders.touched(other);
        take(Future.succeededFuture());
        reports.write(noting());
        assertThat(answers).isEmpty();

        first.complete();

        assertThat(written).containsExactly(Set.of(partition), Set.of(other));
        assertThat(answers).containsExactly("written", "written", "written");
        reports.write(noting());
        assertThat(answers).as("nothing is left").hasSize(4);
    }

    @Test
    void remainingPartitionsAreStoredOnClose() {
        orders.touched(partition);

        assertThat(reports.close().succeeded()).isTrue();

        assertThat(written).containsExactly(Set.of(partition));
    }

    @Test
    void eachPartitionIsStoredInItsShardAndThoseOfAnUnavailableShardWait() {
        Map<Integer, ScriptedSessions> nodes = new HashMap<>();
        Map<Integer, List<Set<UUID>>> writtenIn = new HashMap<>();
        ShardConnections shards = new ShardConnections(new Shards(2), (shard, _) -> nodes.computeIfAbsent(shard, _ -> {
            ScriptedSessions node = new ScriptedSessions();
            node.answer((_, arguments) -> {
                writtenIn.computeIfAbsent(shard, _ -> new ArrayList<>()).add(Set.of((UUID[]) arguments.getValue(0)));
                return Future.succeededFuture();
            });
            return node;
        }), shard -> new Place("node", shard), Duration.ofSeconds(2), Duration.ofSeconds(10), timers);
        Numbers apart = new Numbers();
        TouchedPartitionReports inShards = new TouchedPartitionReports(
                new EngineContext("api", shards, timers, CONFIG, new BatchMeters(new SimpleMeterRegistry())), apart);
        nodes.get(1).setReachable(false);
        shards.open();
        UUID inFirst = new UUID(2L << 56, 1);
        UUID inSecond = new UUID(3L << 56, 1);
        apart.of("orders").touched(inFirst);
        apart.of("orders").touched(inSecond);
        inShards.write(noting());
        assertThat(answers).containsExactly("failed");
        assertThat(writtenIn).containsOnlyKeys(0);

        nodes.get(1).setReachable(true);
        clock.pass(2_000);
        inShards.write(noting());

        assertThat(answers).containsExactly("failed", "written");
        assertThat(writtenIn).isEqualTo(Map.of(0, List.of(Set.of(inFirst)), 1, List.of(Set.of(inSecond))));
    }

    private void take(Future<RowSet<Row>> answer) {
        postgres.answer((_, arguments) -> {
            written.add(Set.of((UUID[]) arguments.getValue(0)));
            return answer;
        });
    }

    private Reply<Void> noting() {
        return Reply.of(_ -> answers.add("written"), _ -> answers.add("failed"));
    }
}
