package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A redrive processes all shards, and every dead letter once. */
class RedriveOverShardsTest {
    @RegisterExtension
    static final DatabasePerTest three = DatabasePerTest.ofShards(3);

    private final String api = Release.load().routines().name();
    private Connection session;
    private UUID redrive;

    @BeforeEach
    void fillThreeShards() {
        session = operator();
        Rows.execute(session,
                "insert into queen.queue (id, name, namespace, task) values ('" + new UUID(0, 7) + "', 'q', '', '')");
        // Later shards have older failures; in a shard, a higher number failed later.
        for (int shard = 0; shard < 3; shard++) {
            Rows.execute(session, """
                    insert into queen_0%1$d.dead_letter (partition_id, group_name, message_offset, queue_id, partition_name,
                                                         transaction_id, line, attempts, created_at, failed_at)
                    select '0%1$d000000-0000-0000-0000-000000000000', 'g', 10 - n, '%2$s', 'partition %1$d', '%1$d/' || n, '{}', 1,
                           now(), now() - interval '%1$d hours' - interval '1 hour' + n * interval '1 second'
                    from generate_series(1, 5) n""".formatted(shard, new UUID(0, 7)));
        }
    }

    @AfterEach
    void close() throws SQLException {
        session.close();
    }

    @Test
    void everyDeadLetterIsMovedOnceOldestOfAShardFirst() throws SQLException {
        start(null);

        assertThat(redriveAll(2)).containsExactly("0/1", "0/2", "0/3", "0/4", "0/5", "1/1", "1/2", "1/3", "1/4", "1/5",
                "2/1", "2/2", "2/3", "2/4", "2/5");

        assertThat(Rows.number(session, "select count(*) from queen.dead_letter")).isZero();
        assertThat(status()).isEqualTo("finished 15");
        assertThat(Rows.strings(session,
                "select queue_id || ' ' || sum(kept) from queen.dead_letter_change group by queue_id"))
                .containsExactly(new UUID(0, 7) + " -15");
    }

    @Test
    void anEmptyShardIsPassedBy() throws SQLException {
        Rows.execute(session, "delete from queen_00.dead_letter");
        Rows.execute(session, "delete from queen_02.dead_letter");
        start(null);

        assertThat(redriveAll(500)).containsExactly("1/1", "1/2", "1/3", "1/4", "1/5");
        assertThat(status()).isEqualTo("finished 5");
    }

    @Test
    void theLimitHoldsOverAllShards() throws SQLException {
        start(7);

        assertThat(redriveAll(3)).hasSize(7);
        assertThat(status()).isEqualTo("finished 7");
        assertThat(Rows.number(session, "select count(*) from queen.dead_letter")).isEqualTo(8);
    }

    @Test
    void aCrashAtAnyStepSkipsNothingAndRollsBack() throws SQLException {
        start(null);
        List<String> done = new ArrayList<>();
        for (boolean isDying = true; status().startsWith("running"); isDying = !isDying) {
            try (var server = operator()) {
                server.setAutoCommit(false);
                var claimed = claim(server, 4);
                if (isDying) {
                    server.rollback();
                } else {
                    finish(server, claimed);
                    server.commit();
                    done.addAll(claimed);
                }
            }
        }
        assertThat(done).hasSize(15).doesNotHaveDuplicates();
        assertThat(Rows.number(session, "select count(*) from queen.dead_letter")).isZero();
    }

    @Test
    void lockedDeadLetterIsWaitedForAndNotSkipped() throws SQLException {
        start(null);
        try (var holder = operator()) {
            holder.setAutoCommit(false);
            Rows.strings(holder,
                    "select transaction_id from queen_01.dead_letter where transaction_id = '1/2' for update");

            assertThat(redriveAll(500)).containsExactly("0/1", "0/2", "0/3", "0/4", "0/5", "1/1");
            assertThat(status()).isEqualTo("running 6");
            assertThat(Rows.strings(session, "select waiting_for from queen.redrive").getFirst())
                    .contains("another transaction");
            holder.rollback();
        }
        assertThat(redriveAll(500)).hasSize(9).startsWith("1/2", "1/3");
        assertThat(status()).isEqualTo("finished 15");
    }

    private Connection operator() {
        var connection = three.database().connect();
        Rows.execute(connection, "set search_path = queen");
        return connection;
    }

    private void start(Integer most) {
        redrive = UUID.fromString(Rows
                .strings(session, "select " + api + ".start_redrive('olga', 'q', null, null, null, null, null, null, "
                        + most + ", null, null, null, false)::json ->> 'id'")
                .getFirst());
    }

    private String status() {
        return Rows.strings(session, "select status || ' ' || redriven from queen.redrive").getFirst();
    }

    /** Continues until it ends or must wait. */
    private List<String> redriveAll(int batch) throws SQLException {
        List<String> all = new ArrayList<>();
        for (List<String> claimed = null; claimed == null || !claimed.isEmpty();) {
            session.setAutoCommit(false);
            claimed = status().startsWith("running") ? claim(session, batch) : List.of();
            finish(session, claimed);
            session.commit();
            session.setAutoCommit(true);
            all.addAll(claimed);
        }
        return all;
    }

    private List<String> claim(Connection connection, int batch) {
        return Rows.strings(connection, "select transaction_id from " + api + ".claim_redrive(?, ?)", redrive, batch);
    }

    private void finish(Connection connection, List<String> claimed) {
        if (!claimed.isEmpty()) {
            String chosen = """
                    from unnest(string_to_array(?, ',')) with ordinality as i (id, place)
                    join queen.dead_letter d on d.transaction_id = i.id""";
            String position = """
                    array_agg(d.partition_id order by i.place) as ids, array_agg(d.group_name order by i.place) as groups,
                    array_agg(d.message_offset order by i.place) as offsets, array_agg(d.failed_at order by i.place) as ats""";
            Rows.execute(connection, "create temporary table if not exists letter (ids uuid[], groups text[],"
                    + " offsets bigint[], ats timestamptz[], queues uuid[], names text[], transaction_ids text[])");
            Rows.execute(connection, "truncate letter");
            Rows.strings(connection, "with kept as (insert into letter select " + position
                    + ", array_agg(d.queue_id), array_agg(d.partition_name order by i.place),"
                    + " array_agg(d.transaction_id order by i.place) " + chosen + " returning 1) select * from kept",
                    String.join(",", claimed));
            assertThat(Rows.strings(connection,
                    "select m.error from letter l, " + api
                            + ".move_dead_letters(l.ids, l.groups, l.offsets, l.queues, l.names, l.transaction_ids,"
                            + " array_fill(convert_to(e'{}\\n', 'UTF8'), array[cardinality(l.ids)]), 0) m"))
                    .containsOnlyNulls();
            Rows.strings(connection, "select " + api + ".finish_redrive(?, l.ids, l.groups, l.offsets, l.ats,"
                    + " array_fill(null::text, array[cardinality(l.ids)]))::text from letter l", redrive);
        }
    }
}
