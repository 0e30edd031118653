package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Busy partitions are updated in their pages, without touching an index. */
class HotUpdateTest {
    private static final String GROUP = "workers";
    private static final int PARTITIONS = 200;
    private static final int ROUNDS = 50;

    @RegisterExtension
    static final SchemaDatabase database = SchemaDatabase.ofOneShard();

    private final Api api = database.api();

    @Test
    void pushesLeasesAndAcksOfTheSamePartitionsAreHeapOnlyUpdates() {
        var partitions = database.newPartitions(PARTITIONS);
        api.openCursors(
                partitions.stream().map(partition -> new Opening(partition.id(), GROUP, null)).toArray(Opening[]::new));

        for (int round = 0; round < ROUNDS; round++) {
            int base = round;
            api.push(partitions.stream().map(partition -> new Append(partition, base, Batch.ofSize(1)))
                    .toArray(Append[]::new));
            var requests = partitions.stream().map(partition -> LeaseRequest.of(partition, GROUP, 1))
                    .toArray(LeaseRequest[]::new);
            api.lease(requests);
            api.ack(Arrays.stream(requests).map(request -> Holder.of(request, "{[%d,%d)}".formatted(base, base + 1)))
                    .toArray(Holder[]::new));
        }

        assertThat(hotShare("partition", PARTITIONS * ROUNDS)).isGreaterThan(0.95);
        assertThat(hotShare("cursor", PARTITIONS * ROUNDS * 2)).isGreaterThan(0.95);
    }

    private double hotShare(String table, long updates) {
        api.execute("select pg_stat_force_next_flush()");
        var row = api.list(rows -> new double[]{rows.getLong(1), rows.getLong(2)},
                "select n_tup_upd, n_tup_hot_upd from pg_stat_user_tables where schemaname like 'queen%' and relname = ?",
                table).getFirst();
        assertThat(row[0]).isEqualTo(updates);
        return row[1] / row[0];
    }
}
