package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.CatchUp;
import io.queenmq.schema.Api.Opening;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No routine creates an object named . or .., even if a server does not check it; existing objects stay usable. */
class DotNamesRoutineTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final OperatorRoutines operators = new OperatorRoutines(api);
    private final Partition partition = database.newPartition();

    @ParameterizedTest
    @ValueSource(strings = {".", ".."})
    void nothingGetsSuchAName(String name) {
        isRejected(() -> api.configure(name, Map.of()));
        isRejected(() -> api.createQueues("fine", name));
        var dots = database.partition(partition.queueId(), partition.queue(), name);
        isRejected(() -> api.catchUp(1, 1, CatchUp.of(dots, -1)));
        isRejected(() -> api.subscribe(name, partition.queue(), "", "", "all", null));
        isRejected(() -> operators
                .ask("seek_queue('olga', '" + name + "', '" + partition.queue() + "', null, true, null, false)"));
        isRejected(() -> operators.ask("seek_partition('olga', '" + name + "', '" + partition.queue() + "', '"
                + partition.name() + "', null, true, null, null)"));
        isRejected(() -> api.openCursors(new Opening(partition.id(), name, null)));
        isRejected(() -> operators.ask("pause_group('olga', '" + name + "', '" + partition.queue() + "', true)"));
        isRejected(() -> operators.ask("start_redrive('olga', '" + partition.queue()
                + "', null, null, null, null, null, null, null, null, '" + name + "', null, false)"));
        isRejected(() -> operators.ask("start_redrive('olga', '" + partition.queue()
                + "', null, null, null, null, null, null, null, '" + name + "', null, null, false)"));
        isRejected(() -> api.list(rows -> rows.getString(1),
                "select query_id::text from " + api.schema() + ".register_query('olga', ?, 'q', null, 'h', false)",
                name));
        operators.fill(partition, "m" + name.length());
        isRejected(() -> operators.ask("record_trace('" + partition.id() + "', 'm" + name.length()
                + "', 'g', 'info', '{}', array['fine', '" + name + "'], 'w')"));
        assertThat(Rows.number(api.connection(),
                "select (select count(*) from queen.queue where name in ('.', '..'))"
                        + " + (select count(*) from queen.partition_key where name in ('.', '..'))"
                        + " + (select count(*) from queen.subscription where group_name in ('.', '..'))"
                        + " + (select count(*) from queen.trace_name where name in ('.', '..'))"))
                .isZero();
    }

    @Test
    void existingObjectsWithSuchNamesStayUsable() {
        api.execute("update queen.queue set name = '..' where id = '" + partition.queueId() + "'");

        assertThat(api.configure("..", Map.of("priority", 3)).id()).isEqualTo(partition.queueId());
        assertThat(api.createQueues("..")).hasSize(1);
        assertThat(api.push(new Append(partition, 0, Batch.of("a")))).hasSize(1);
        assertThat(api.deleteQueue("..")).isTrue();
    }

    private static void isRejected(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(Rows.SqlFailure.class,
                        failure -> assertThat(failure.state()).isEqualTo("QN400"))
                .hasMessageContaining("must not be \".\" or \"..\"");
    }
}
