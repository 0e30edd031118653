package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Opening;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Removed messages are stored for deduplication until retention deletes them. */
class RemovedMessageRetentionTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final Upkeep upkeep = new Upkeep(api);
    private final Partition partition = database.newPartition(Map.of("retention_enabled", true, "retention_s", 100));

    @Test
    void removedMessageIsDeletedWithoutACount() {
        api.openCursors(new Opening(partition.id(), GROUP, null));
        push(3);
        push(2);
        remove(1);
        remove(3);
        upkeep.age(partition, 101);

        assertThat(upkeep.removed(partition)).isEqualTo("3/0");
        assertThat(upkeep.kept(partition)).isEmpty();
        assertThat(CursorRow.of(api, partition, GROUP)).returns(5L, CursorRow::committed).returns(3L,
                CursorRow::expired);
    }

    @Test
    void removedMessageStaysUntilRetentionOfAnEmptyPartition() {
        push(2);
        upkeep.age(partition, 101);
        push(1);
        remove(2);

        assertThat(upkeep.removed(partition)).isEqualTo("2/0");
        assertThat(upkeep.tail(partition)).isEqualTo(3);
        assertThat(upkeep.kept(partition)).containsExactly(2L);
        assertThat(upkeep.dueIn(partition, "retention")).isBetween(50L, 100L);

        upkeep.age(partition, 101);
        assertThat(upkeep.removed(partition)).isEqualTo("0/0");
        assertThat(upkeep.kept(partition)).isEmpty();
        assertThat(Rows.strings(api.connection(), "select removed::text from queen.partition where id = ?",
                partition.id())).containsExactly((String) null);
    }

    @Test
    void partitionWithOnlyRemovedMessagesIsEmptied() {
        push(1);
        remove(0);
        upkeep.retain();
        upkeep.age(partition, 101);

        assertThat(upkeep.removed(partition)).isEqualTo("0/0");
        assertThat(upkeep.kept(partition)).isEmpty();
    }

    private void push(int messages) {
        long head = Rows.number(api.connection(), "select head from queen.partition where id = ?", partition.id());
        assertThat(api.push(new Append(partition, head, Batch.ofSize(messages)))).hasSize(1);
    }

    private void remove(long offset) {
        api.in(partition, "select " + api.schema() + ".remove_offset('" + partition.id() + "', " + offset + ")");
    }
}
