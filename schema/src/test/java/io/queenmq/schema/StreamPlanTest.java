package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The rows that a cycle or a read of state reads grow with its keys, and not with the keys that the query has. */
class StreamPlanTest {
    private static final int STORED = 20_000;
    private static final int ASKED = 100;
    private static final int ROWS_PER_KEY_MAX = 16;

    @RegisterExtension
    static final SchemaDatabase database = SchemaDatabase.ofOneShard();

    private final Api api = database.api();
    private final Partition partition = database.newPartition(Map.of());
    private final UUID query = api.list(rows -> rows.getObject(1, UUID.class),
            "select query_id from " + api.schema() + ".register_query(null, ?, ?, null, 'hash', false)", "query",
            partition.queue()).getFirst();

    /** A plan is kept as long as its session: one that was made for empty tables must stay good while they grow. */
    @Test
    void readsGrowWithTheKeysOfTheCall() {
        var session = database.newSession();
        everyRoutine(session, 3);
        api.execute("""
                insert into queen.stream_state (state_id, partition_id, key, value, is_sealed, window_end, updated_at)
                select q.state_id, '%s', 'k' || n, '1', false, n, now() from queen.stream_query q, generate_series(1, %d) n
                where q.id = '%s'""".formatted(partition.id(), STORED, query));

        var problems = new ArrayList<String>();
        addProblems("planned on empty tables", everyRoutine(session, ASKED), problems);
        addProblems("planned without statistics", everyRoutine(database.newSession(), ASKED), problems);
        api.execute("analyze");
        addProblems("planned again", everyRoutine(session, ASKED), problems);

        assertThat(problems).isEmpty();
    }

    private static void addProblems(String when, Map<String, Long> rowsRead, List<String> problems) {
        rowsRead.forEach((call, rows) -> {
            if (rows > ASKED * ROWS_PER_KEY_MAX) {
                problems.add(call + ", " + when + ": " + rows + " rows");
            }
        });
    }

    private Map<String, Long> everyRoutine(Api session, int asked) {
        var keys = IntStream.range(0, asked).mapToObj(i -> "k" + (1 + i * (STORED / asked))).toList();
        return Map.of("cycle that writes", rowsRead(session, () -> cycle(session, keys, _ -> "2".getBytes())),
                "cycle that deletes", rowsRead(session, () -> cycle(session, keys, _ -> null)), "read_state of keys",
                rowsRead(session, () -> read(session, keys)), "read_state of ripe windows",
                rowsRead(session, () -> readRipe(session, asked)));
    }

    private void cycle(Api session, List<String> keys, IntFunction<byte[]> value) {
        var args = new Args<>(session.connection(), IntStream.range(0, keys.size()).boxed().toList());
        Rows.strings(session.connection(), "select verdict from " + api.schema()
                + ".cycle(array[?]::uuid[], array[?]::uuid[], array['g'], array[?]::uuid[], array[false], array[null]::uuid[],"
                + " array[null]::bigint[], array[null]::text[], array[false], array[false], ?, ?, ?,"
                + " array_fill(null::double precision, array[?]), array_fill(false, array[?]), '{}', '{}', '{}', '{}',"
                + " '{}', '{}', '{}', '{}', 0)", query, partition.id(), UUID.randomUUID(), args.ints(_ -> 1),
                args.texts(keys::get), args.bytes(value::apply), keys.size(), keys.size());
    }

    private void read(Api session, List<String> keys) {
        var args = new Args<>(session.connection(), keys);
        Rows.strings(session.connection(), "select key from " + api.schema()
                + ".read_state(array[?]::uuid[], array[?]::uuid[], array[1], array[?]::int[], ?, array[null]::text[],"
                + " array[null]::double precision[], 1000, 1000000)", query, partition.id(), keys.size(),
                args.texts(key -> key));
    }

    private void readRipe(Api session, int most) {
        Rows.strings(session.connection(), "select key from " + api.schema()
                + ".read_state(array[?]::uuid[], array[?]::uuid[], array[null]::int[], array[null]::int[], '{}',"
                + " array[null]::text[], array[" + STORED + "]::double precision[], ?, 1000000)", query, partition.id(),
                most);
    }

    /** Makes one call and rolls it back. */
    private static long rowsRead(Api session, Runnable call) {
        session.execute("begin");
        long before = rows(session);
        call.run();
        long after = rows(session);
        session.execute("rollback");
        return after - before;
    }

    private static long rows(Api session) {
        return Rows.number(session.connection(), "select sum(seq_tup_read) + sum(coalesce(idx_tup_fetch, 0))"
                + " from pg_stat_xact_user_tables where schemaname like 'queen%'");
    }
}
