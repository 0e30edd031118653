package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.CatchUp;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All operations concurrently on a few partitions. Rerun one storm with {@code -Dseed=…}, a longer one with {@code
 * -Dstorm.seconds=…}.
 */
class StormTest {
    private static final int WORKERS = 10;
    private static final List<String> HAPPENS = List.of("segments", "leased", "auto-acked", "acked", "nacked",
            "expired", "renewed", "released", "transacted", "QN002", "deleted", "trimmed");
    /** A storm is extended until then if, on a slow machine, not every operation has happened yet. */
    private static final long SECONDS_MAX = 120;

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final long seed = Long.getLong("seed", System.nanoTime());
    private final LeaseLog log = new LeaseLog();
    private final Map<String, java.util.concurrent.atomic.AtomicInteger> counts = StormWorker.newCounts();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void invariantsHoldAfterAStorm(boolean removes) throws Exception {
        var queue = api.configure("stable-" + removes,
                Map.of("retry_limit", 2, "retry_delay_ms", 0, "retention_enabled", true, "completed_retention_s", 1));
        var partitions = StormWorker.partitionsOf(api, queue);
        open(partitions);

        storm(partitions, removes);

        assertThat(counts).as("operations, seed " + seed).containsKeys(HAPPENS.toArray(String[]::new));
        assertThat(counts.containsKey("removed")).isEqualTo(removes);
        assertThat(log.overlaps()).as("leases that overlapped, seed " + seed).isEmpty();
        assertInvariants();
        partitions.forEach(this::drain);
        assertInvariants();
        assertThat(violations("""
                select c.partition_id, c.group_name from queen.cursor c join queen.partition p on p.id = c.partition_id
                where p.queue_id = '%s' and (c.committed < p.head or c.expired_count > 0
                    or p.head - c.completed_count - c.dead_count not between 0 and case when %s then coalesce(
                        (select sum(upper(r) - lower(r)) from unnest(coalesce(p.removed, '{}')
                            + int8multirange(int8range(0, p.tail))) r), 0) else 0 end)""".formatted(queue.id(),
                removes))).as("messages without an end, seed " + seed).isEmpty();
    }

    private void open(List<Partition> partitions) {
        api.catchUp(0, 0, partitions.stream().map(partition -> CatchUp.of(partition, -1)).toArray(CatchUp[]::new));
        partitions.forEach(partition -> StormWorker.GROUPS
                .forEach(group -> api.openCursors(new Opening(partition.id(), group, null))));
    }

    /** Fails with the first error of any worker; a deadlock is an error. */
    private void storm(List<Partition> partitions, boolean removes) throws Exception {
        long beganNs = System.nanoTime();
        long lengthNs = TimeUnit.SECONDS.toNanos(Integer.getInteger("storm.seconds", 4));
        var hasFailed = new AtomicBoolean();
        BooleanSupplier isOver = () -> hasFailed.get() || System.nanoTime() - beganNs > lengthNs
                && (hasAllHappened(removes) || System.nanoTime() - beganNs > TimeUnit.SECONDS.toNanos(SECONDS_MAX));
        try (var threads = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            var futures = new ArrayList<Future<?>>();
            for (int i = 0; i < WORKERS; i++) {
                var worker = new StormWorker(database.newSession().tryingPlain(i % 2 == 0), new Random(seed + i), log,
                        counts, partitions, removes, i == 0);
                futures.add(threads.submit(() -> {
                    try {
                        worker.run(isOver);
                    } catch (RuntimeException | Error e) {
                        hasFailed.set(true);
                        throw e;
                    }
                }));
            }
            for (var future : futures) {
                future.get();
            }
        }
    }

    private boolean hasAllHappened(boolean removes) {
        return counts.keySet().containsAll(HAPPENS) && (!removes || counts.containsKey("removed"));
    }

    private void assertInvariants() {
        INVARIANTS.forEach((rule, sql) -> assertThat(violations(sql)).as(rule + ", seed " + seed).isEmpty());
    }

    private List<String> violations(String sql) {
        return api.list(rows -> rows.getString(1), "select v::text from (" + sql + ") v limit 3");
    }

    private void drain(Partition partition) {
        for (var group : StormWorker.GROUPS) {
            CursorRow.runOut(api, partition, group);
            api.expire(new Reader(partition.id(), group));
            for (var request = LeaseRequest.of(partition, group, 1000); api.lease(request).getFirst()
                    .isLeased(); request = LeaseRequest.of(partition, group, 1000)) {
                api.ack(Holder.of(request, "{[0,1000000000)}"));
            }
        }
    }

    /** Each query finds what breaks the rule. */
    private static final Map<String, String> INVARIANTS = Map.ofEntries(
            Map.entry("segments of a partition follow each other without a gap from what is stored up to its head",
                    """
                    select p.id, p.tail, p.removed, p.head, s.bases, s.ends
                    from (select p.*, least(p.tail, lower(p.removed)) as first from queen.partition p) p
                    left join lateral (
                        select array_agg(base order by base) as bases, array_agg(base + count order by base) as ends
                        from queen.segment s where s.partition_id = p.id) s on true
                    where coalesce(s.bases, '{}') || p.head is distinct from coalesce(s.bases[1], p.tail) || coalesce(s.ends, '{}')
                       or s.bases[1] > p.first or s.ends[1] <= p.first
                       or s.bases is not null and not int8multirange(int8range(s.bases[1], p.tail)) <@ coalesce(p.removed, '{}')"""),
            Map.entry("time does not go back within a partition", """
                    select * from (
                        select partition_id, base, created_at, lag(created_at) over (partition by partition_id order by base) as before
                        from queen.segment) s
                    where created_at < before"""),
            Map.entry("a segment has as many lines and hashes as messages",
                    """
                    select partition_id, base from queen.segment
                    where count <> octet_length(hashes) / 8
                       or count <> length(convert_from(body, 'UTF8')) - length(replace(convert_from(body, 'UTF8'), e'\\n', ''))"""),
            Map.entry("no cursor is past the head of its partition", """
                    select c.partition_id, c.group_name from queen.cursor c join queen.partition p on p.id = c.partition_id
                    where c.committed > p.head or c.lease_end > p.head or upper(range_merge(c.acked)) > p.head"""),
            Map.entry("every finished message is counted once, but for those that were removed", """
                    select c.partition_id, c.group_name, c.committed, c.acked, c.completed_count, c.dead_count
                    from queen.cursor c
                    join queen.partition p on p.id = c.partition_id
                    where not starts_with(c.group_name, 'newcomers')
                      and greatest(c.committed, p.tail) + coalesce((select sum(upper(r) - lower(r)) from unnest(
                            c.acked - int8multirange(int8range(null, p.tail))) r), 0) - c.completed_count - c.dead_count
                        not between 0 and coalesce((select sum(upper(r) - lower(r)) from unnest(
                            coalesce(p.removed, '{}') + int8multirange(int8range(0, p.tail))) r), 0)"""),
            Map.entry("what is removed is kept neither at the tail nor for any group",
                    """
                    select p.id, p.tail, p.removed, c.group_name, c.committed, c.acked
                    from queen.partition p
                    join queen.queue q on q.id = p.queue_id
                    left join queen.cursor c on c.partition_id = p.id
                    where p.removed @> p.tail or starts_with(q.name, 'stable') and not p.removed <@ (coalesce(c.acked, '{}') + int8multirange(int8range(null, c.committed)))"""),
            Map.entry("what is finished ahead does not touch what is finished", """
                    select partition_id, group_name, committed, acked from queen.cursor
                    where lower(range_merge(acked)) <= committed or acked = '{}'"""),
            Map.entry("a lease has an id, an end in time and an end in the partition, or none of them", """
                    select partition_id, group_name from queen.cursor
                    where num_nulls(lease_id, lease_until, lease_end) not in (0, 3) or lease_end <= committed"""),
            Map.entry("every dead-lettered message has a dead letter", """
                    select c.partition_id, c.group_name, c.dead_count, d.count
                    from queen.cursor c
                    cross join lateral (select count(*) from queen.dead_letter d
                        where d.partition_id = c.partition_id and d.group_name = c.group_name) d
                    where c.dead_count <> d.count"""),
            Map.entry("failures are recorded for unfinished messages only, and marked in the cursor", """
                    select c.partition_id, c.group_name, c.is_failing, f.*
                    from queen.cursor c
                    cross join lateral (
                        select count(*) as count, count(*) filter (
                                   where x.message_offset + x.message_count <= c.committed
                                      or c.acked @> int8range(x.message_offset, x.message_offset + x.message_count)) as finished,
                               sum(x.message_count) - coalesce((
                                   select sum(upper(r) - lower(r))
                                   from unnest(range_agg(int8range(x.message_offset, x.message_offset + x.message_count))) r), 0)
                                   as overlapping
                        from queen.failure x
                        where x.partition_id = c.partition_id and x.group_name = c.group_name) f
                    where f.finished > 0 or f.overlapping > 0 or c.is_failing <> (f.count > 0)"""),
            Map.entry("nothing is left of a deleted queue", """
                    select partition_id from (
                        select partition_id from queen.segment union select partition_id from queen.cursor
                        union select partition_id from queen.failure union select partition_id from queen.dead_letter) s
                    where not exists (select from queen.partition p where p.id = s.partition_id)"""));
}
