package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** While a transaction elsewhere keeps old versions of the rows alive, calls do not read more and more of them. */
class OldVersionsTest {
    private static final int LANES = 20;
    private static final int ROUNDS = 50;
    private static final int LATER = 6;

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void pagesReadForPushLeaseAndAckStayTheSame() {
        var wave = waveOn(api.configure("busy", Map.of()));
        keepOldVersions();
        run(wave);

        long early = pagesOf(() -> run(wave));
        for (int i = 0; i < LATER; i++) {
            run(wave);
        }
        long late = pagesOf(() -> run(wave));

        assertThat(late).as("pages of %d rounds; there were %d at first", ROUNDS, early)
                .isLessThan(early + early / 2);
    }

    @Test
    void pagesReadToGoThroughLanesByNameStayTheSame() {
        var queue = api.configure("listed", Map.of());
        var wave = waveOn(queue);
        Runnable look = () -> assertThat(api.resolve(queue.id(), Traffic.GROUP, null, "", 2 * LANES)).hasSize(1);
        keepOldVersions();
        run(wave);

        long early = fewestPages(wave, look);
        long late = fewestPages(wave, look);

        assertThat(late).as("pages of a look at %d lanes; there were %d at first", LANES, early)
                .isLessThan(early + early / 2);
    }

    private Traffic.Wave waveOn(Api.Queue queue) {
        var filling = new Filling(LANES, 1, 1, 1);
        var orders = new Orders();
        filling.store(api, queue, orders);
        var traffic = new Traffic(Traffic.lanes(queue, IntStream.range(0, LANES)), filling.head());
        return traffic.new Wave(0, orders.batches(LANES, 1));
    }

    private static void keepOldVersions() {
        var elsewhere = database.newSession();
        elsewhere.execute("begin isolation level repeatable read");
        elsewhere.execute("select from queen.queue");
    }

    /** Of several looks in between, because one that comes late in a generation reads more. */
    private long fewestPages(Traffic.Wave wave, Runnable look) {
        return IntStream.range(0, LATER).mapToLong(_ -> {
            run(wave);
            return pagesOf(look);
        }).min().orElseThrow();
    }

    private long pagesOf(Runnable calls) {
        long before = pages();
        calls.run();
        return pages() - before;
    }

    private void run(Traffic.Wave wave) {
        for (int i = 0; i < ROUNDS; i++) {
            wave.push(api);
            wave.lease(api);
            wave.ack(api);
        }
    }

    /** Of lanes and cursors and their keys, whatever looks at them: a search, an update, the check that a key is unique. */
    private long pages() {
        api.execute("select pg_stat_force_next_flush()");
        return Rows.number(api.connection(), """
                select sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)
                from pg_statio_user_tables
                where schemaname = 'queen' and relname in ('partition', 'partition_key', 'cursor', 'cursor_key')""");
    }
}
