package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Appended;
import io.queenmq.schema.Api.Opening;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OpenCursorsRoutineTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void emptyOpenReturnsNoRow() {
        assertThat(api.openCursors()).isEmpty();
    }

    @Test
    void newCursorStartsAtTheFirstStoredMessage() {
        var partition = database.newPartition();
        api.push(new Append(partition, 0, Batch.ofSize(5)));
        api.everywhere("update partition set tail = 2 where id = '" + partition.id() + "'");

        assertThat(api.openCursors(new Opening(partition.id(), "g", null))).containsExactly(1);

        assertThat(CursorRow.of(api, partition, "g").committed()).isEqualTo(2);
    }

    @Test
    void cursorFromATimeStartsAtTheFirstMessageNotOlder() {
        var partition = database.newPartition();
        api.push(new Append(partition, 0, Batch.ofSize(2)));
        Appended second = api.push(new Append(partition, 2, Batch.ofSize(2))).getFirst();

        api.openCursors(new Opening(partition.id(), "exact", second.createdAt()),
                new Opening(partition.id(), "ancient", second.createdAt().minusDays(1)),
                new Opening(partition.id(), "future", OffsetDateTime.now().plusDays(1)));

        assertThat(CursorRow.of(api, partition, "exact").committed()).isEqualTo(2);
        assertThat(CursorRow.of(api, partition, "ancient").committed()).isZero();
        assertThat(CursorRow.of(api, partition, "future").committed()).isEqualTo(4);
    }

    @Test
    void cursorThatExistsStaysWhereItIs() {
        var partition = database.newPartitionWith(3);
        var request = LeaseRequest.of(partition, "workers", 10);
        api.lease(request);
        api.ack(Api.Holder.of(request, "{[0,2)}"));

        assertThat(api.openCursors(new Opening(partition.id(), "workers", null))).containsExactly(1);

        assertThat(CursorRow.of(api, partition, "workers").committed()).isEqualTo(2);
    }

    @Test
    void duplicatePairIsOpenedOnce() {
        var partition = database.newPartition();

        assertThat(api.openCursors(new Opening(partition.id(), "g", null), new Opening(partition.id(), "g", null)))
                .containsExactly(1, 2);
    }

    @Test
    void missingPartitionGetsNoCursor() {
        var nowhere = UUID.randomUUID();

        assertThat(api.openCursors(new Opening(nowhere, "g", null))).isEmpty();
        assertThat(Rows.number(api.connection(), "select count(*) from queen.cursor where partition_id = ?", nowhere))
                .isZero();
    }
}
