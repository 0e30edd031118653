package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Opening;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cycles of several partitions in one call: each is applied or rejected with a verdict, and none waits. */
class CycleRoutineTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final List<Partition> partitions = database.newPartitions(3);
    private final UUID query = register("query of " + partitions.getFirst().queue());
    private final String group = "streams." + query;
    private final List<LeaseRequest> requests = new ArrayList<>();

    {
        for (Partition partition : partitions) {
            api.push(new Append(partition, 0, Batch.ofSize(4)));
            api.openCursors(new Opening(partition.id(), group, null));
            requests.add(LeaseRequest.of(partition, group, 4));
        }
    }

    @Test
    void eachCycleOfACallIsJudgedSeparately() {
        api.lease(requests.getFirst(), requests.get(2));

        assertThat(cycle(api, ack(0, 1, "a"), ack(1, 1, "b"), ack(2, 3, "c"))).containsExactly("go 2 true",
                "lease_gone 0 false", "go 4 true");

        assertThat(stateOf(0)).containsExactly("k=a");
        assertThat(stateOf(1)).isEmpty();
        assertThat(stateOf(2)).containsExactly("k=c");
        assertThat(CursorRow.of(api, partitions.getFirst(), group)).returns(2L, CursorRow::committed).returns(true,
                CursorRow::isFree);
    }

    @Test
    void lockOnPartitionCursorOrQueryDelaysOnlyItsCycle() {
        api.lease(requests.getFirst(), requests.get(1), requests.get(2));
        cycle(api, ack(0, 0, "a").kept(), ack(1, 0, "a").kept(), ack(2, 0, "a").kept());
        Api other = database.newSession();

        other.execute("begin");
        other.everywhere(
                "select from stream_partition where partition_id = '" + partitions.get(0).id() + "' for update");
        other.everywhere("select from cursor where partition_id = '" + partitions.get(1).id() + "' for update");
        assertThat(cycle(api, ack(0, 1, "b"), ack(1, 1, "b"), ack(2, 1, "b"))).containsExactly("busy 0 false",
                "busy 0 false", "go 1 true");
        other.execute("rollback");

        other.execute("begin");
        other.execute("select from queen.stream_query where id = '" + query + "' for update");
        assertThat(cycle(api, ack(0, 1, "b"))).containsExactly("busy 0 false");
        other.execute("rollback");
        assertThat(cycle(api, ack(0, 1, "b"), ack(1, 1, "b"))).containsExactly("go 1 true", "go 1 true");
    }

    @Test
    void aReadDuringACycleDoesNotWaitAndReturnsNothing() {
        api.lease(requests.getFirst());
        cycle(api, ack(0, 0, "a"));
        Api other = database.newSession();

        other.execute("begin");
        cycle(other, flush(0, "other", "1"));
        assertThat(read(api, 0)).containsExactly("k=a");
        assertThat(cycle(api, flush(0, "k", null))).containsExactly("busy 0 false");
        other.execute("commit");

        assertThat(cycle(api, flush(0, "k", null))).containsExactly("stale 0 false");
        assertThat(read(api, 0)).containsExactly("k=a", "other=1");
        assertThat(cycle(api, flush(0, "k", null))).containsExactly("go 0 false");
    }

    @Test
    void aPartitionThatIsBeingDeletedGetsNoState() {
        Api operator = database.newSession();

        operator.execute("begin");
        operator.list(rows -> rows.getBoolean(1), "select " + api.schema() + ".delete_queue(null, ?)",
                partitions.getFirst().queue());
        assertThat(cycle(api, flush(0, "k", "1"))).containsExactly("busy 0 false");
        operator.execute("commit");

        assertThat(cycle(api, flush(0, "k", "1"))).containsExactly("no_partition 0 false");
        assertThat(
                Rows.number(api.connection(), "select count(*) from queen.stream_partition where query_id = ?", query))
                .isZero();
    }

    @Test
    void rowsOfResetsAndDeletionsAreRemovedInBatches() {
        database.assumeOneShard();
        cycle(api, IntStream.range(0, 3).mapToObj(partition -> flush(partition, "k", "1")).toArray(Cycle[]::new));

        assertThat(api.operate("{stateRows}", "reset_query", null, "query of " + partitions.getFirst().queue()))
                .isEqualTo("3");

        assertThat(stateOf(0)).isEmpty();
        List<Integer> swept = new ArrayList<>();
        do {
            swept.add(api
                    .listIn(partitions.getFirst(), rows -> rows.getInt(1), "select " + api.schema() + ".sweep_state(2)")
                    .getFirst());
        } while (swept.getLast() > 0);
        assertThat(swept).containsExactly(2, 1, 0);
        assertThat(Rows.number(api.connection(), "select count(*) from queen.stream_garbage")).isZero();
    }

    @Test
    void statesOfKeysThatStayAreHeapOnlyUpdates() {
        database.assumeOneShard();
        api.everywhere("select pg_stat_reset_single_table_counters('stream_state'::regclass)");
        for (int i = 0; i < 200; i++) {
            cycle(api, flush(0, "k", "{\"n\":" + i + "}"), flush(1, "k", "{\"n\":" + i + "}"));
        }

        for (String table : List.of("stream_state", "stream_partition")) {
            api.execute("select pg_stat_force_next_flush()");
            double share = api
                    .list(rows -> rows.getDouble(2) / rows.getDouble(1),
                            "select n_tup_upd, n_tup_hot_upd"
                                    + " from pg_stat_user_tables where schemaname like 'queen%' and relname = ?",
                            table)
                    .getFirst();
            assertThat(share).as(table).isGreaterThan(0.9);
        }
    }

    @Test
    void ripeWindowsAreFoundByTheirIndexAmongManyRows() {
        database.assumeOneShard();
        api.execute("""
                insert into queen.stream_state (state_id, partition_id, key, value, is_sealed, window_end, updated_at)
                select q.state_id, '%s', 'k' || n, '1', false, n, now() from queen.stream_query q, generate_series(1, 20000) n
                where q.id = '%s'""".formatted(partitions.getFirst().id(), query));
        String plan = String.join("\n", api.list(rows -> rows.getString(1), """
                explain select s.* from queen.stream_state s
                where s.state_id = (select state_id from queen.stream_query where id = '%s') and s.partition_id = '%s'
                  and s.window_end <= 5::double precision order by s.window_end, s.key limit 100""".formatted(query,
                partitions.getFirst().id())));

        assertThat(plan).contains("stream_state_window_end_idx").doesNotContain("Seq Scan on stream_state");
    }

    @Test
    void concurrentCyclesAddToTheSumsOfAQueryWithoutWaiting() {
        Api other = database.newSession();

        other.execute("begin");
        cycle(other, flush(0, "k", "1"));
        cycle(api, flush(1, "k", "12"), flush(2, "k", "1"));
        other.execute("commit");
        api.lease(requests.get(2));
        cycle(api, ack(2, 1, "1234"));

        assertThat(sums()).isEqualTo("3 partitions, 3 keys, 10 bytes, 4 cycles, 3 flushes, 2 messages");
        api.list(rows -> rows.getBoolean(1), "select " + api.schema() + ".delete_queue(null, ?)",
                partitions.getFirst().queue());
        assertThat(sums()).isEqualTo("0 partitions, 0 keys, 0 bytes, 4 cycles, 3 flushes, 2 messages");
    }

    private String sums() {
        return api.list(rows -> rows.getString(1),
                "select format('%s partitions, %s keys, %s bytes, %s cycles, %s flushes, %s messages',"
                        + " sum(partitions), sum(state_rows), sum(state_bytes), sum(cycles), sum(flushes), sum(messages))"
                        + " from queen.stream_count where query_id = ?",
                query).getFirst();
    }

    /** @param value null deletes the key */
    private record Cycle(int partition, UUID lease, Long offset, String key, String value, boolean isKept) {
        Cycle kept() {
            return new Cycle(partition, lease, offset, key, value, true);
        }
    }

    private Cycle ack(int partition, long offset, String value) {
        return new Cycle(partition, requests.get(partition).lease(), offset, "k", value, false);
    }

    private static Cycle flush(int partition, String key, String value) {
        return new Cycle(partition, null, null, key, value, false);
    }

    /** The result of each cycle: verdict, finished messages, whether the lease has ended. */
    private List<String> cycle(Api session, Cycle... cycles) {
        var args = new Args<>(session.connection(), List.of(cycles));
        var none = new Args<Cycle>(session.connection(), List.of());
        session.selectShardOf(Stream.of(cycles).map(each -> partitions.get(each.partition).id()));
        return Rows.strings(session.connection(), "select verdict || ' ' || finished || ' ' || is_released from "
                + api.schema()
                + ".cycle(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, array_fill(null::double precision, array[?]), ?,"
                + " ?, ?, ?, ?, ?, ?, ?, ?, 0) order by index", args.uuids(_ -> query),
                args.uuids(each -> partitions.get(each.partition).id()), args.texts(_ -> group),
                args.uuids(_ -> UUID.randomUUID()), args.booleans(each -> each.lease != null), args.uuids(Cycle::lease),
                args.longs(Cycle::offset), args.texts(_ -> null), args.booleans(_ -> false),
                args.booleans(Cycle::isKept), args.ints(each -> List.of(cycles).indexOf(each) + 1),
                args.texts(Cycle::key), args.bytes(each -> each.value == null ? null : each.value.getBytes()),
                cycles.length, args.booleans(_ -> false), none.ints(_ -> 0), none.uuids(_ -> null), none.longs(_ -> 0L),
                none.ints(_ -> 0), none.bytes(_ -> null), none.bytes(_ -> null), none.ints(_ -> 0),
                none.uuids(_ -> null));
    }

    private List<String> read(Api session, int partition) {
        return session.listIn(partitions.get(partition), rows -> rows.getString(1),
                "select key || '=' || convert_from(value, 'UTF8') from " + api.schema()
                        + ".read_state(array[?]::uuid[], array[?]::uuid[], array[null]::int[], array[null]::int[],"
                        + " '{}', array[null]::text[], array[null]::double precision[], 1000, 1000000)",
                query, partitions.get(partition).id());
    }

    private List<String> stateOf(int partition) {
        return api.list(rows -> rows.getString(1),
                "select s.key || '=' || convert_from(s.value, 'UTF8')"
                        + " from queen.stream_state s join queen.stream_query q on q.state_id = s.state_id"
                        + " where q.id = ? and s.partition_id = ? order by 1",
                query, partitions.get(partition).id());
    }

    private UUID register(String name) {
        return api.list(rows -> rows.getObject(1, UUID.class),
                "select query_id from " + api.schema() + ".register_query(null, ?, ?, null, 'hash', false)", name,
                partitions.getFirst().queue()).getFirst();
    }
}
