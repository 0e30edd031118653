package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** While another transaction keeps old row versions, calls do not read more and more of them. */
class OldVersionsTest {
    private static final int PARTITIONS = 20;
    private static final int ROUNDS = 50;
    private static final int LATER = 6;

    @RegisterExtension
    static final SchemaDatabase database = SchemaDatabase.ofOneShard();

    private final Api api = database.api();

    @Test
    void pagesReadForPushLeaseAndAckStayTheSame() {
        var round = roundOn(api.configure("busy", Map.of()));
        keepOldVersions();
        run(round);

        long early = pagesOf(() -> run(round));
        for (int i = 0; i < LATER; i++) {
            run(round);
        }
        long late = pagesOf(() -> run(round));

        assertThat(late).as("pages of %d rounds; there were %d at first", ROUNDS, early).isLessThan(early + early / 2);
    }

    @Test
    void pagesReadToListPartitionsByNameStayTheSame() {
        var queue = api.configure("listed", Map.of());
        var round = roundOn(queue);
        api.operate("{success}", "refresh_depths", "me", true, 0L);
        var looks = List.of("resolve('" + queue.id() + "', 'workers', null, '', 100)",
                "list_partitions('listed', null, null, 'name', 100, null)", "show_queue('listed', 100, null)",
                "status_queue('listed', 100, null)", "show_group('workers', 'listed', 100, null)");
        keepOldVersions();
        run(round);

        var early = fewestPages(round, looks);
        var late = fewestPages(round, looks);

        assertThat(looks).allSatisfy(
                look -> assertThat(late.get(look)).as("pages of %s; there were %d at first", look, early.get(look))
                        .isLessThan(early.get(look) + early.get(look) / 2));
    }

    private Traffic.Round roundOn(Queue queue) {
        var filling = new FilledQueue(PARTITIONS, 1, 1, 1);
        var orders = new SampleMessages();
        filling.store(api, queue, orders);
        var traffic = new Traffic(Traffic.partitions(queue, IntStream.range(0, PARTITIONS)), filling.head());
        return traffic.new Round(0, orders.batches(PARTITIONS, 1));
    }

    private static void keepOldVersions() {
        var other = database.newSession();
        other.execute("begin isolation level repeatable read");
        other.execute("select from queen.queue");
    }

    /** For each query the minimum of several, because one late in a generation reads more. */
    private Map<String, Long> fewestPages(Traffic.Round round, List<String> looks) {
        var fewest = new HashMap<String, Long>();
        for (int i = 0; i < LATER; i++) {
            run(round);
            for (var look : looks) {
                fewest.merge(look, pagesOf(() -> assertThat(answer(look)).contains("partition-9")), Math::min);
            }
        }
        return fewest;
    }

    private String answer(String look) {
        return String.join("",
                api.list(rows -> rows.getString(1), "select x::text from " + api.schema() + "." + look + " x"));
    }

    private long pagesOf(Runnable calls) {
        long before = pages();
        calls.run();
        return pages() - before;
    }

    private void run(Traffic.Round round) {
        for (int i = 0; i < ROUNDS; i++) {
            round.push(api);
            round.lease(api);
            round.ack(api);
        }
    }

    /** Pages of partitions, cursors and their keys read by any operation: a search, an update, a unique check. */
    private long pages() {
        api.execute("select pg_stat_force_next_flush()");
        return Rows.number(api.connection(),
                """
                select sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)
                from pg_statio_user_tables
                where schemaname like 'queen%' and relname in ('partition', 'partition_key', 'cursor', 'cursor_key')""");
    }
}
