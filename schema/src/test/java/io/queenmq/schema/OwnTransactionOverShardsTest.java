package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pushes and acks in transactions of users are applied in all shards or in none. */
class OwnTransactionOverShardsTest {
    private static final String GROUP = FilledShards.GROUP;
    private static final int SHARDS = FilledShards.COUNT;

    @RegisterExtension
    static final SchemaDatabase database = SchemaDatabase.of(FilledShards.COUNT);

    private final Api api = database.api();
    private final FilledShards filled = new FilledShards(database);
    private final KilledSteps steps = new KilledSteps(database);

    @Test
    void pushesAndAcksOfSeveralShardsTakeEffectTogetherDespiteKills() {
        var partitions = filled.partitions();
        var requests = filled.leased(partitions);
        var queue = partitions.getFirst().queue();
        var transactionIds = partitions.stream()
                .map(partition -> filled.strings(
                        "select transaction_id from queen.message" + " where partition_id = ? and \"offset\" = 0",
                        partition.id()).getFirst())
                .toList();
        partitions.forEach(partition -> new OperatorRoutines(api).rehash(partition, 0));

        int killed = steps.play(session -> {
            session.execute("begin");
            for (int i = SHARDS - 1; i >= 0; i--) {
                session.list(rows -> rows.getString(1), "select queen.push(?, ?, '1'::text)", queue,
                        partitions.get(i).name());
                session.list(rows -> rows.getString(1), "select queen.ack(?, ?, ?, ?)", partitions.get(i).id(), GROUP,
                        requests.get(i).lease(), transactionIds.get(i));
            }
            session.execute("commit");
        });

        assertThat(killed).isGreaterThanOrEqualTo(15);
        assertThat(filled.standing(partitions)).containsExactly("4 1 0", "4 1 0", "4 1 0");
        assertThat(filled.strings("select count(*) from queen.commitment")).containsExactly("0");
    }

    @Test
    void temporaryTablesOfTheSessionAreNotUsed() {
        var partition = database.newPartition();
        var mine = database.newSession();
        for (var table : List.of("partition", "partition_key", "segment", "cursor", "touched_partitions", "shard")) {
            mine.execute("create temp table " + table + " (id int)");
        }

        mine.execute("select queen.push('" + partition.queue() + "', '" + partition.name() + "', '1'::text)");

        assertThat(filled.head(partition)).isEqualTo(1);
    }

    @Test
    void theSearchPathOfTheSessionStays() {
        var partition = database.newPartition();
        var mine = database.newSession();
        Rows.execute(mine.connection(), "set search_path = public");
        Rows.execute(mine.connection(), "begin");
        Rows.execute(mine.connection(), "set constraints all immediate");

        Rows.execute(mine.connection(),
                "select queen.push('" + partition.queue() + "', '" + partition.name() + "', '1'::text)");

        assertThat(Rows.strings(mine.connection(), "show search_path")).containsExactly("public");
        Rows.execute(mine.connection(), "commit");
    }
}
