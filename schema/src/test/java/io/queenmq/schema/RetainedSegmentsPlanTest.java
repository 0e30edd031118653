package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Opening;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The rows that a call reads do not depend on the number of segments that its partition retains. */
class RetainedSegmentsPlanTest {
    private static final int RETAINED = 50_000;
    private static final int LEASED = 10;
    private static final int SECONDS_BETWEEN = 2;

    /** A search by time reads a segment for each halving of the partition: 16 of them, and the rows around it. */
    private static final int ROWS_MAX = 80;

    /** Upkeep searches by time for each subscribed group, and inspects 100 segments at once. */
    private static final int ROWS_OF_UPKEEP_MAX = 400;

    @RegisterExtension
    static final SchemaDatabase database = SchemaDatabase.ofOneShard();

    private final Api api = database.api();
    private final Partition partition = database.newPartition(
            Map.of("retry_delay_ms", 0, "retention_enabled", true, "dedup_window_s", LEASED * SECONDS_BETWEEN,
                    "completed_retention_s", 3600, "max_wait_time_s", RETAINED * SECONDS_BETWEEN / 2));

    /** A plan is kept as long as its session: one that was made for a small partition must stay good while it grows. */
    @Test
    void readsDoNotGrowWithTheSegmentsOfThePartition() {
        fill(0, LEASED);
        var session = database.newSession();
        everyCall(session, LEASED);
        fill(LEASED, RETAINED);

        var problems = new ArrayList<String>();
        addProblems("planned for a small partition", everyCall(session, RETAINED), problems);
        addProblems("planned without statistics", everyCall(database.newSession(), RETAINED), problems);
        api.execute("analyze");
        addProblems("planned again", everyCall(session, RETAINED), problems);

        assertThat(problems).isEmpty();
    }

    /** Each segment has one message, and its transactionId is its offset. The last message is pushed now. */
    private void fill(int from, int to) {
        api.execute("""
                insert into queen.segment (partition_id, base, count, created_at, hashes, body)
                select '%1$s', b, 1, now() - make_interval(secs => %2$d * (%3$d - 1 - b)),
                       int8send(hashtextextended(b::text, 0)), convert_to('{"transactionId":"' || b || '"}', 'UTF8')
                from generate_series(%4$d, %5$d) b""".formatted(partition.id(), SECONDS_BETWEEN, RETAINED, from,
                to - 1));
        api.execute("update queen.partition set head = %d, last_push_at = now() where id = '%s'".formatted(to,
                partition.id()));
    }

    private Map<String, Long> everyCall(Api session, int head) {
        var reads = new LinkedHashMap<String, Long>();
        var request = LeaseRequest.of(partition, "workers", LEASED);
        reads.put("ack", rowsRead(session, () -> {
            session.execute(
                    "insert into queen.cursor (partition_id, group_name, committed) values ('%s', 'workers', %d)"
                            .formatted(partition.id(), head - LEASED));
            FilledQueue.writeKeys(session);
            assertThat(session.lease(request)).hasSize(1);
        }, () -> session.execute(
                "select queen.ack('%s', 'workers', '%s', '%d')".formatted(partition.id(), request.lease(), head - 1))));

        for (var transactionId : List.of("'new'", "'" + (head - 1) + "'")) {
            reads.put("push of " + transactionId,
                    rowsRead(session, () -> {}, () -> session.execute("select queen.push('%s', '%s', '1', %s)"
                            .formatted(partition.queue(), partition.name(), transactionId))));
        }
        var late = OffsetDateTime.now().minusSeconds(SECONDS_BETWEEN * (RETAINED - head + LEASED));
        reads.put("open_cursors at a timestamp", rowsRead(session, () -> {},
                () -> assertThat(session.openCursors(new Opening(partition.id(), "late", late))).hasSize(1)));
        Runnable subscribed = () -> session.subscribe("late", partition.queue(), "", "", "timestamp", late);
        var upkeep = new Upkeep(session);
        reads.put("upkeep: retention", rowsRead(session, () -> {
            subscribed.run();
            upkeep.schedule("retention");
        }, () -> upkeep.applyRetention(1, 100)));
        reads.put("upkeep: eviction", rowsRead(session, () -> {
            subscribed.run();
            upkeep.schedule("eviction");
        }, () -> upkeep.applyEviction(1, 100)));
        return reads;
    }

    private static void addProblems(String when, Map<String, Long> rowsRead, List<String> problems) {
        rowsRead.forEach((call, rows) -> {
            if (rows > (call.startsWith("upkeep") ? ROWS_OF_UPKEEP_MAX : ROWS_MAX)) {
                problems.add(call + ", " + when + ": " + rows + " rows");
            }
        });
    }

    /** The rows that a call reads. The call and its preparation are rolled back. */
    private static long rowsRead(Api session, Runnable before, Runnable call) {
        session.execute("begin");
        before.run();
        long start = rows(session);
        call.run();
        long end = rows(session);
        session.execute("rollback");
        return end - start;
    }

    private static long rows(Api session) {
        return Rows.number(session.connection(), "select sum(seq_tup_read) + sum(coalesce(idx_tup_fetch, 0))"
                + " from pg_stat_xact_user_tables where schemaname like 'queen%' and relname <> 'queue'");
    }
}
