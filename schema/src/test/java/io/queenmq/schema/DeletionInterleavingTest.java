package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.CatchUp;
import io.queenmq.schema.Api.CaughtUp;
import io.queenmq.schema.Api.Opening;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The effects of a deletion of a queue in progress on other sessions. */
@Timeout(300)
class DeletionInterleavingTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final Api first = database.newSession();
    private final Api second = database.newSession();
    private final Partition partition = database.newPartitionWith(1);

    {
        first.execute("begin");
        first.deleteQueue(partition.queue());
    }

    @Test
    void noPartitionIsAddedToIt() {
        var partition = database.partition(this.partition.queueId(), this.partition.queue(), "one more");
        assertThat(second.catchUp(1, 1, CatchUp.of(partition, -1))).extracting(CaughtUp::head).containsOnlyNulls();
        first.execute("commit");

        assertThat(second.catchUp(1, 1, CatchUp.of(partition, -1))).isEmpty();
        assertThat(Rows.number(api.connection(), "select count(*) from queen.partition where id = ?", partition.id()))
                .isZero();
    }

    @Test
    void partitionIsAddedWhenTheDeletionIsRolledBack() {
        var partition = database.partition(this.partition.queueId(), this.partition.queue(), "one more");
        assertThat(second.catchUp(1, 1, CatchUp.of(partition, -1))).extracting(CaughtUp::head).containsOnlyNulls();
        first.execute("rollback");

        assertThat(second.catchUp(1, 1, CatchUp.of(partition, -1))).extracting(CaughtUp::head).containsExactly(0L);
    }

    @Test
    void noCursorIsLeftBehind() {
        assertThat(second.openCursors(new Opening(partition.id(), "late", null))).isEmpty();
        var third = database.newSession();
        var subscription = Step
                .start(third, session -> session.subscribe("newcomers", partition.queue(), "", "", "new", null))
                .untilItWaits(api);
        first.execute("commit");

        assertThat(subscription.result().mode()).isEqualTo("new");
        assertThat(Rows.number(api.connection(), "select count(*) from queen.cursor where partition_id = ?",
                partition.id())).isZero();
    }

    @Test
    void configureCreatesANewQueueAfterwards() {
        var step = Step.start(second, session -> session.configure(partition.queue(), Map.of())).untilItWaits(api);
        first.execute("commit");

        assertThat(step.result().id()).isNotEqualTo(partition.queueId());
    }

    @Test
    void pushSkipsItsPartitions() {
        assertThat(second.push(new Append(partition, 1, Batch.of("late")))).isEmpty();
    }
}
