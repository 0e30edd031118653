package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.CatchUp;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.PendingCheck;
import io.queenmq.schema.Api.Reader;
import io.queenmq.schema.Api.Renewal;
import io.queenmq.schema.Api.Span;
import io.queenmq.schema.Api.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rows that a call reads depend on its arguments and not on the number of partitions. */
class PlanTest {
    private static final String GROUP = "workers";
    private static final int PARTITIONS = 20_000;
    private static final int ASKED = 100;

    /** Rows read per requested partition, over all tables: a routine reads some of them two or three times. */
    private static final int ROWS_PER_PARTITION_MAX = 16;

    @RegisterExtension
    static final SchemaDatabase database = SchemaDatabase.ofOneShard();

    private final Api api = database.api();

    /** A plan is kept as long as its session, unless the tables are analyzed: it must stay good while they grow. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10})
    void readsGrowWithTheCallAndNotWithTheTables(int partitionsAtFirst) {
        api.execute("truncate queen.queue cascade");
        api.everywhere("truncate partition_key, segment, cursor, cursor_key");
        var queue = api.configure("busy", Map.of("retry_delay_ms", 0));
        fill(queue, 0, partitionsAtFirst);
        if (partitionsAtFirst > 0) {
            api.execute("vacuum analyze");
        }
        var session = database.newSession();
        everyRoutine(session, queue, partitionsAtFirst);
        fill(queue, partitionsAtFirst, PARTITIONS);

        var problems = new ArrayList<String>();
        everyRoutine(session, queue, ASKED).forEach(read -> read.addProblems("planned early", problems));
        everyRoutine(database.newSession(), queue, ASKED)
                .forEach(read -> read.addProblems("planned without statistics", problems));
        api.execute("analyze");
        everyRoutine(session, queue, ASKED).forEach(read -> read.addProblems("planned again", problems));

        assertThat(problems).isEmpty();
    }

    private void fill(Queue queue, int from, int to) {
        api.execute("""
                insert into queen.partition (id, queue_id, name, head, last_push_at)
                select %1$s.partition_id('%2$s', 'partition-' || i), '%2$s', 'partition-' || i, 20, clock_timestamp()
                from generate_series(%3$d, %4$d) i""".formatted(api.schema(), queue.id(), from, to - 1));
        api.execute("""
                insert into queen.segment (partition_id, base, count, created_at, hashes, body)
                select p.id, b, 2, clock_timestamp(), decode(repeat('00', 16), 'hex'), 'x'
                from queen.partition p, generate_series(0, 18, 2) b
                where p.head > 0 and not exists (select from queen.segment s where s.partition_id = p.id)""");
        api.execute("""
                insert into queen.cursor (partition_id, group_name, committed)
                select p.id, g, case when p.name ~ '[13579]$' then 20 else 0 end
                from queen.partition p, unnest(array['workers', 'others']) g
                where p.head > 0
                  and not exists (select from queen.cursor c where c.partition_id = p.id and c.group_name = g)""");
        FilledQueue.writeKeys(api);
    }

    private List<Read> everyRoutine(Api session, Queue queue, int asked) {
        var chosen = session.list(
                rows -> new Partition(queue.id(), queue.name(), rows.getObject(1, UUID.class), rows.getString(2)),
                "select id, name from queen.partition where queue_id = ? and name ~ '[02468]$' and head > 0"
                        + " order by md5(name) limit " + asked,
                queue.id());
        var requests = chosen.stream().map(partition -> LeaseRequest.of(partition, GROUP, 5))
                .toArray(LeaseRequest[]::new);
        var holders = IntStream.range(0, requests.length).mapToObj(i -> Holder.of(requests[i], "{[0,2)}"))
                .toArray(Holder[]::new);
        var readers = List.of(requests).stream().map(Reader::of).toArray(Reader[]::new);
        var reads = new ArrayList<Read>();
        Runnable leased = () -> session.lease(requests);
        Runnable nothing = () -> {};
        reads.add(read(session, "push", nothing, () -> session.push(
                chosen.stream().map(partition -> new Append(partition, 20, Batch.ofSize(1))).toArray(Append[]::new))));
        reads.add(read(session, "push_bounded", () -> session.execute(
                "insert into queen.queue_size (queue_id, size) select id, 0 from queen.queue; update queen.queue set max_size = 100000"),
                () -> session.pushBounded(chosen.stream().map(partition -> new Append(partition, 20, Batch.ofSize(1)))
                        .toArray(Append[]::new))));
        reads.add(read(session, "evict", () -> session.configure(queue.name(), Map.of("max_wait_time_s", 100)),
                () -> session.evict(readers)));
        reads.add(read(session, "catch_up", nothing, () -> session.catchUp(4, 60,
                chosen.stream().map(partition -> CatchUp.of(partition, -1)).toArray(CatchUp[]::new))));
        String ids = chosen.stream().map(partition -> partition.id().toString())
                .collect(Collectors.joining(",", "{", "}"));
        reads.add(
                read(session, "acceptances", nothing,
                        () -> session.list(rows -> rows.getInt(1),
                                "select index from " + session.schema()
                                        + ".acceptances(?::uuid[], array(select 7 from unnest(?::uuid[])))",
                                ids, ids)));
        reads.add(read(session, "find_hashes", nothing, () -> session.list(rows -> rows.getInt(1),
                "select index from " + session.schema()
                        + ".find_hashes(?::uuid[], array(select 13 from unnest(?::uuid[])),"
                        + " array(select '-infinity'::timestamptz from unnest(?::uuid[])),"
                        + " array(select '\\x0000000000000000'::bytea from unnest(?::uuid[])))",
                ids, ids, ids, ids)));
        reads.add(read(session, "fetch", nothing, () -> session
                .fetch(chosen.stream().map(partition -> new Span(partition.id(), 3, 7)).toArray(Span[]::new))));
        reads.add(read(session, "open_cursors", nothing, () -> session.openCursors(chosen.stream()
                .map(partition -> new Opening(partition.id(), "newcomers", null)).toArray(Opening[]::new))));
        reads.add(read(session, "lease", nothing, leased));
        reads.add(read(session, "lease in full", nothing, () -> session.tryingPlain(false).lease(requests)));
        reads.add(read(session, "delayed lease", nothing, () -> session
                .lease(List.of(requests).stream().map(request -> request.delayedBy(1)).toArray(LeaseRequest[]::new))));
        reads.add(read(session, "auto-ack", nothing, () -> session.lease(true, requests)));
        reads.add(read(session, "ack", leased, () -> session.ack(holders)));
        reads.add(read(session, "nack", leased, () -> session.nack(List.of(holders), IntStream.range(0, requests.length)
                .mapToObj(i -> new Failed(i + 1, 3, i % 2 == 0 ? "failed" : "dlq", "x")).toArray(Failed[]::new))));
        reads.add(read(session, "expire",
                () -> session.lease(
                        List.of(requests).stream().map(request -> request.forSeconds(0)).toArray(LeaseRequest[]::new)),
                () -> session.expire(readers)));
        reads.add(read(session, "renew", leased, () -> session.renew(
                List.of(requests).stream().map(request -> new Renewal(request.lease(), 60)).toArray(Renewal[]::new))));
        reads.add(read(session, "release", leased, () -> session.release(holders)));
        reads.add(read(session, "held", leased, () -> session.loadLeases(2, readers)));
        reads.add(read(session, "has_pending", nothing,
                () -> session.hasPending(chosen.stream()
                        .map(partition -> new PendingCheck(partition.queueId(), partition.id(), GROUP, 60))
                        .toArray(PendingCheck[]::new))));
        reads.add(read(session, "has_pending of the queue", nothing,
                () -> session.hasPending(new PendingCheck(queue.id(), null, GROUP, 60),
                        new PendingCheck(queue.id(), null, "idle", -3600))));
        reads.add(read(session, "resolve", nothing,
                () -> session.resolve(queue.id(), GROUP, null, "partition-5", requests.length)));
        reads.add(read(session, "resolve of the last minute", nothing,
                () -> session.resolve(queue.id(), GROUP, 60, "", requests.length)));
        reads.add(read(session, "transact", leased,
                () -> session.transact(new Transaction(
                        chosen.stream().map(partition -> new Append(partition, 20, Batch.ofSize(1))).toList(),
                        List.of(holders), List.of(), List.of(requests).stream().map(LeaseRequest::lease).toList()))));
        return reads;
    }

    /** Makes one call, rolls it back, and returns the rows that it read. */
    private static Read read(Api session, String routine, Runnable before, Runnable call) {
        session.execute("begin");
        before.run();
        var start = Read.load(session, routine);
        call.run();
        var end = Read.load(session, routine);
        session.execute("rollback");
        return new Read(routine, end.sequentialRows - start.sequentialRows, end.rows - start.rows);
    }

    private record Read(String routine, long sequentialRows, long rows) {
        static Read load(Api session, String routine) {
            return session.list(rows -> new Read(routine, rows.getLong(1), rows.getLong(2)), """
                    select sum(seq_tup_read) filter (where relname <> 'queue'),
                           sum(seq_tup_read) filter (where relname <> 'queue') + sum(coalesce(idx_tup_fetch, 0))
                    from pg_stat_xact_user_tables
                    where schemaname like 'queen%'""").getFirst();
        }

        void addProblems(String when, List<String> problems) {
            if (rows > ROWS_PER_PARTITION_MAX * ASKED) {
                problems.add(when + ": " + this);
            }
        }
    }
}
