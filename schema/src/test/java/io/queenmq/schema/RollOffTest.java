package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Reader;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Old rows of statistics are removed. */
class RollOffTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void oldMinutesAreRemovedAndRecentOnesStay() {
        var partition = database.newPartition();
        api.in(partition,
                "insert into retention_minute (at, queue_id, retention) select clock_timestamp() - d * interval '1 day', '"
                        + partition.queueId() + "', 1 from unnest(array[0, 89, 91, 92, 93]) d");

        assertThat(new Upkeep(api).rollOff(90, 2)).isEqualTo(2);
        assertThat(new Upkeep(api).rollOff(90, 2)).isEqualTo(1);

        assertThat(Rows.number(api.connection(), "select count(*) from queen.retention_minute where queue_id = ?",
                partition.queueId())).isEqualTo(2);
    }

    /** A new table with statistics only has to be listed. */
    @Test
    void everyTableOnTheListRollsOff() {
        api.execute("create table queen.sample (seen timestamptz)");
        api.execute("insert into queen.roll_off values ('queen.sample', 'seen')");
        api.execute("insert into queen.sample values (clock_timestamp()), (clock_timestamp() - interval '2 days')");

        new Upkeep(api).rollOff(1, 100);

        assertThat(Rows.number(api.connection(), "select count(*) from queen.sample")).isEqualTo(1);
        api.execute("delete from queen.roll_off where table_name = 'queen.sample'");
        api.execute("drop table queen.sample");
    }

    @Test
    void leasesOverSeveralPartitionsAreForgottenWhenNoPartitionIsUnderThem() {
        var live = lease(60);
        var over = lease(0);
        var young = UUID.randomUUID();
        api.everywhere("update lease_partitions set created_at = created_at - interval '11 minutes'");
        Rows.execute(api.connection(),
                "insert into lease_partitions (lease_id, partition_ids) values ('" + young + "', '{}')");

        assertThat(new Upkeep(api).forgetLeases(100)).isEqualTo(1);

        assertThat(Rows.strings(api.connection(), "select lease_id from queen.lease_partitions"))
                .contains(live.toString(), young.toString()).doesNotContain(over.toString());
    }

    private UUID lease(int seconds) {
        var partitions = database.newPartitionsTogether(2);
        for (var partition : partitions) {
            api.push(new Api.Append(partition, 0, Batch.ofSize(1)));
            api.openCursors(new Api.Opening(partition.id(), "workers", null));
        }
        var id = partitions.getFirst().newLeaseId();
        api.lease(partitions.stream()
                .map(partition -> LeaseRequest.of(partition, "workers", 2).as(id).forSeconds(seconds))
                .toArray(LeaseRequest[]::new));
        if (seconds == 0) {
            api.expire(
                    partitions.stream().map(partition -> new Reader(partition.id(), "workers")).toArray(Reader[]::new));
        }
        return id;
    }
}
