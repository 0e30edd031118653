package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Traces are found by message and by name, and disappear with their message. */
class TraceRoutinesTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final OperatorRoutines operators = new OperatorRoutines(api);
    private final Partition partition = operators.fill(database.newPartition(), "a", "b", "c");
    private final String name = "order-" + partition.id();

    @Test
    void theTracesOfAMessageAreListedOldestFirst() {
        trace("a", "{\"text\":\"one\"}", "null");
        trace("a", "123456789012345678901234567890", "array['" + name + "']");
        trace("b", "{\"text\":\"\\u0000\"}", "null");

        assertThat(operators.each(ofMessage("a"), "traces", "data")).hasSize(2).last()
                .isEqualTo("123456789012345678901234567890");
        assertThat(operators.ask(ofMessage("b"))).contains("{\"text\":\"\\u0000\"}");
        assertThat(operators.ask(ofMessage("a"), "traces,1,trace_names,0")).isEqualTo(name);
        assertThat(operators.ask(ofMessage("a"), "traces,0,trace_names")).isEqualTo("[]");
        assertThat(operators.ask(ofMessage("a"), "traces,0,event_type")).isEqualTo("info");
        assertThat(operators.ask(ofMessage("a"), "traces,0,consumer_group")).isEqualTo("workers");
    }

    @Test
    void unknownMessagesCannotBeTraced() {
        assertThat(trace("z", "1", "null")).isNull();
    }

    @Test
    void theTracesOfANameAreListedByPage() {
        for (var id : new String[]{"a", "b", "c"}) {
            trace(id, "1", "array['" + name + "', '" + name + "']");
        }

        assertThat(operators.each(ofName(2, 0), "traces", "transaction_id")).containsExactly("a", "b");
        assertThat(operators.each(ofName(2, 2), "traces", "transaction_id")).containsExactly("c");
        assertThat(operators.ask(ofName(2, 2), "total")).isEqualTo("3");
        assertThat(operators.ask(ofName(2, 0), "traces,0,queue_name")).isEqualTo(partition.queue());
        assertThat(operators.ask(ofName(2, 0), "traces,0,message_payload")).isEqualTo("a");
    }

    @Test
    void namesAreCounted() {
        trace("a", "1", "array['" + name + "']");
        trace("a", "2", "array['" + name + "']");
        trace("b", "3", "array['" + name + "']");

        assertThat(counts()).isEqualTo("3 of 2");
        assertThat(operators.ask("list_trace_names(1, 0)", "trace_names,0,trace_name")).isEqualTo(name);
    }

    @Test
    void tracesAreDeletedWithTheirMessage() {
        trace("a", "1", "array['" + name + "']");
        trace("b", "2", "array['" + name + "']");

        operators.ask("remove_message(null, '" + partition.id() + "', 'a')");

        assertThat(counts()).isEqualTo("1 of 1");
        assertThat(operators.each(ofName(9, 0), "traces", "transaction_id")).containsExactly("b");
        assertThat(operators.each(ofMessage("a"), "traces", "data")).isEmpty();
    }

    @Test
    void tracesAreDeletedWithEveryMessage() {
        trace("a", "1", "array['" + name + "']");

        operators.ask("clear_queue(null, '" + partition.queue() + "', null)");

        assertThat(counts()).isNull();
    }

    @Test
    void theyDisappearWithTheirQueue() {
        trace("a", "1", "array['" + name + "']");

        api.deleteQueue(partition.queue());

        assertThat(counts()).isNull();
        assertThat(Rows.number(api.connection(), "select count(*) from queen.trace where partition_id = ?",
                partition.id())).isZero();
        assertThat(Rows.number(api.connection(), "select count(*) from queen.trace_mark where partition_id = ?",
                partition.id())).isZero();
    }

    private String trace(String transactionId, String data, String names) {
        return operators.ask("record_trace('" + partition.id() + "', '" + transactionId + "', 'workers', 'info', '"
                + data + "', " + names + ", null)");
    }

    private String counts() {
        return Rows.strings(api.connection(),
                "select (select trace_count || ' of ' || message_count" + " from queen.trace_name where name = ?)",
                name).getFirst();
    }

    private String ofMessage(String transactionId) {
        return "list_message_traces('" + partition.id() + "', '" + transactionId + "')";
    }

    private String ofName(int limit, int offset) {
        return "list_named_traces('" + name + "', " + limit + ", " + offset + ")";
    }
}
