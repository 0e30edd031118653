package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Lists, pages and numbers show all shards together. */
class ReadingOverShardsTest {
    private static final int SHARDS = FilledShards.COUNT;

    @RegisterExtension
    static final SchemaDatabase database = SchemaDatabase.of(FilledShards.COUNT);

    private final Api api = database.api();
    private final FilledShards filled = new FilledShards(database);

    @Test
    void shardsAreCountedByThemselvesAndShownTogether() {
        var partitions = filled.partitions();
        var other = database.newSession();
        other.selectShard(Shards.name(0));
        Rows.execute(other.connection(), "begin");
        Rows.execute(other.connection(), "select " + api.schema() + ".count_touched(0)");

        assertThat(countTouched(0)).as("another session is counting").isEqualTo("busy");
        assertThat(countTouched(1)).isEqualTo("done");
        Rows.execute(other.connection(), "commit");
        new Counting(api).count();

        api.execute("select " + api.schema() + ".touch_queues(array['" + partitions.getFirst().queue() + "'])");
        new Counting(api).count();
        assertThat(new OperatorRoutines(api).ask("show_queue('" + partitions.getFirst().queue() + "', 5, null)",
                "totals,pending")).isEqualTo("9");
        assertThat(filled.strings(
                "select partitions || ' ' || total || ' ' || pending from queen.queue_depth where queue_id = ?",
                partitions.getFirst().queueId())).containsExactly(12 * SHARDS + 1 + " 9 9");
        assertThatThrownBy(() -> api.list(rows -> rows.getString(1), "select " + api.schema() + ".count_touched(0)"))
                .hasMessageContaining("shard by shard");
    }

    @Test
    void partitionsOfAllShardsAreListedByName() {
        var queue = database.newPartitions(20).getFirst().queue();
        var names = new ArrayList<String>();
        String next = null;
        do {
            var after = next == null ? "null" : "'" + next + "'";
            var page = "list_partitions('%s', null, null, 'name', 7, %s)".formatted(queue, after);
            names.addAll(new OperatorRoutines(api).each(page, "partitions", "name"));
            next = new OperatorRoutines(api).ask(page, "next");
        } while (next != null);

        assertThat(names).hasSize(21).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void messagesOfAllShardsAreListedNewestFirst() {
        var partitions = filled.partitions();
        for (int i = 0; i < 9; i++) {
            api.push(new Append(partitions.get(i % SHARDS), 3 + i / SHARDS, Batch.ofSize(1)));
        }

        assertThat(new OperatorRoutines(api).each(
                "list_messages('" + partitions.getFirst().queue() + "', null, null, null, null, null, null, 5, 0)",
                "messages", "partition")).containsExactly(partitions.get(2).name(), partitions.get(1).name(),
                        partitions.get(0).name(), partitions.get(2).name(), partitions.get(1).name());
    }

    @Test
    void deadLettersOfAllShardsAreReported() {
        var partitions = filled.partitions();
        filled.leased(partitions)
                .forEach(request -> api.nack(List.of(Holder.of(request, "{}")), new Failed(1, 0, "dlq", "boom")));

        NumbersReport.of(UUID.randomUUID(), 1, 1, partitions.getFirst().queueId()).send(api);

        assertThat(filled.strings("select sum(kept) from queen.dead_letter_sum where queue_id = ?",
                partitions.getFirst().queueId())).containsExactly("3");
        assertThat(filled.strings("select dead_letters from queen.queue_lifetime where queue_id = ?",
                partitions.getFirst().queueId())).containsExactly("3");
    }

    private String countTouched(int shard) {
        api.selectShard(Shards.name(shard));
        return filled.strings("select " + api.schema() + ".count_touched(0)").getFirst();
    }
}
