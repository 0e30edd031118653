package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages are listed and shown without reading more than the page needs. */
class MessageRoutinesTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final OperatorRoutines operators = new OperatorRoutines(api);
    private final List<Partition> partitions = database.newPartitions(2);
    private final Partition partition = partitions.getFirst();

    @Test
    void newestAreFirstOverAllPartitions() {
        operators.push(partition, "a", "b");
        operators.push(partitions.get(1), "c");
        operators.push(partition, "d");

        assertThat(list("null, null, null, null", 10, 0)).containsExactly("d", "c", "b", "a");
        assertThat(list("null, null, null, null", 2, 1)).containsExactly("c", "b");
        assertThat(operators.each("list_queue_messages('" + partition.queue() + "', 2, 0)", "", "transactionId"))
                .containsExactly("d", "c");
        assertThat(operators.ask("list_queue_messages('nothing like it', 2, 0)")).isNull();
    }

    @Test
    void aPageIsFullAlthoughMessagesWereRemoved() {
        operators.push(partition, "a", "b", "c");
        operators.push(partitions.get(1), "d");
        operators.push(partition, "e", "f");
        operators.push(partition, "g");
        for (var id : List.of("a", "c", "f", "g")) {
            operators.ask("remove_message(null, '" + partition.id() + "', '" + id + "')");
        }

        assertThat(list("null, null, null, null", 1, 0)).containsExactly("e");
        assertThat(list("null, null, null, null", 2, 0)).containsExactly("e", "d");
        assertThat(list("null, null, null, null", 1, 1)).containsExactly("d");
        assertThat(list("null, null, null, null", 3, 0)).containsExactly("e", "d", "b");
        assertThat(list("null, null, null, null", 10, 0)).containsExactly("e", "d", "b");
    }

    @Test
    void filtersCount() {
        operators.push(partition, "a");
        operators.push(partitions.get(1), "b");
        api.execute("update queen.queue set namespace = 'n', task = 't' where id = '" + partition.queueId() + "'");

        assertThat(list("'" + partition.name() + "', null, null, null", 10, 0)).containsExactly("a");
        assertThat(list("null, 'n', 't', null", 10, 0)).hasSize(2);
        assertThat(list("null, 'm', null, null", 10, 0)).isEmpty();
        assertThat(list("null, null, 'm', null", 10, 0)).isEmpty();
    }

    @Test
    void timesCount() {
        for (var id : List.of("a", "b", "c", "d")) {
            operators.push(partition, id);
        }
        api.everywhere("update segment set created_at = now() - (4 - base) * interval '10 min'"
                + " where partition_id = '" + partition.id() + "'");
        var call = "list_messages('%s', null, null, null, null, clock_timestamp() - interval '35 min',"
                + " clock_timestamp() - interval '15 min', 10, 0)";

        assertThat(operators.each(call.formatted(partition.queue()), "messages", "transactionId")).containsExactly("c",
                "b");
        assertThat(offsetAt("interval '35 min'")).isEqualTo(1);
        assertThat(offsetAt("interval '50 min'")).isZero();
        assertThat(offsetAt("interval '0'")).isEqualTo(4);
    }

    @Test
    void theStatusIsThatOfConsumersWithoutAGroup() {
        operators.push(partition, "done", "dead", "held", "next");
        read(partition, "__QUEUE_MODE__");

        assertThat(statuses()).containsExactly("pending", "processing", "dead_letter", "completed");
        assertThat(list("null, null, null, 'processing'", 10, 0)).containsExactly("held");
        assertThat(list("null, null, null, 'dead_letter'", 10, 0)).containsExactly("dead");
    }

    @Test
    void withGroupsOnlyTheStatusDependsOnAllGroups() {
        operators.push(partition, "done", "dead", "held", "next");
        read(partition, GROUP);
        api.openCursors(new Opening(partition.id(), "others", null));

        assertThat(statuses()).containsExactly("pending", "processing", "dead_letter", "pending");
        var call = "list_messages('" + partition.queue() + "', null, null, null, null, null, null, 10, 3)";
        assertThat(operators.ask(call, "messages,0,busStatus,consumedBy")).isEqualTo("1");
        assertThat(operators.ask(call, "messages,0,busStatus,totalGroups")).isEqualTo("2");
        assertThat(operators.ask(call, "mode,type")).isEqualTo("bus");
        assertThat(operators.ask(call, "mode,busGroupsCount")).isEqualTo("2");
    }

    @Test
    void theDetailShowsThePayloadAndTheStateInEachGroup() {
        operators.push(partition, "done", "dead", "held", "next");
        read(partition, GROUP);

        assertThat(show("done", "payload")).isEqualTo("done");
        assertThat(show("done", "consumerGroups,0,consumed")).isEqualTo("true");
        assertThat(show("dead", "errorMessage")).isEqualTo("boom");
        assertThat(show("dead", "retryCount")).isEqualTo("1");
        assertThat(show("held", "consumerGroups,0,leaseExpiresAt")).isNotNull();
        assertThat(show("next", "queueConfig,retryLimit")).isEqualTo("3");
        assertThat(show("next", "mode,consumedByGroups")).isEqualTo("0");
        assertThat(operators.ask("show_message('" + partition.id() + "', 'nothing like it')")).isNull();
    }

    @Test
    void newerOfTwoMessagesWithTheSameTransactionIdIsShown() {
        operators.push(partition, "twin");
        operators.push(partition, "other", "twin");

        assertThat(show("twin", "offset")).isEqualTo("2");
        operators.ask("remove_message(null, '" + partition.id() + "', 'twin')");
        assertThat(show("twin", "offset")).isEqualTo("0");
    }

    @Test
    void theCostOfAPageDoesNotDependOnTheLengthOfThePartition() {
        database.assumeOneShard();
        api.in(partition, """
                insert into segment (partition_id, base, count, created_at, hashes, body)
                select '%1$s', b, 1, clock_timestamp() - (30000 - b) * interval '1 s', decode(repeat('00', 8), 'hex'), convert_to('%2$s', 'UTF8')
                from generate_series(0, 29999) b""".formatted(partition.id(), Batch.line("x") + "\\n"));
        api.everywhere("update partition set head = 30000 where id = '" + partition.id() + "'");

        assertThat(segmentsRead("clock_timestamp() - interval '10 h'", "null")).isBetween(20L, 120L);
        assertThat(segmentsRead("clock_timestamp() - interval '20 s'", "null")).isBetween(10L, 120L);
        assertThat(segmentsRead("clock_timestamp() - interval '8 h'", "clock_timestamp() - interval '7 h'"))
                .isBetween(20L, 120L);
    }

    private long segmentsRead(String from, String to) {
        // PostgreSQL counts reads of earlier transactions, too, until it flushes them, at most once per second.
        api.execute("select pg_stat_force_next_flush()");
        api.execute("begin");
        operators.ask(
                "list_messages('%s', null, null, null, null, %s, %s, 10, 10)".formatted(partition.queue(), from, to));
        long read = Rows.number(api.connection(), "select seq_tup_read + idx_tup_fetch from pg_stat_xact_user_tables"
                + " where schemaname like 'queen%' and relname = 'segment'");
        api.execute("rollback");
        return read;
    }

    /** One completed, one dead letter, one leased; the following ones are untouched. */
    private void read(Partition of, String group) {
        api.openCursors(new Opening(of.id(), group, null));
        var request = LeaseRequest.of(of, group, 2);
        api.lease(request);
        api.nack(List.of(Holder.of(request, "{[0,1)}")), new Failed(1, 1, "dlq", "boom"));
        api.lease(LeaseRequest.of(of, group, 1));
    }

    private List<String> statuses() {
        return operators.each("list_messages('" + partition.queue() + "', null, null, null, null, null, null, 10, 0)",
                "messages", "status");
    }

    /** @param filter partition, namespace, task, status */
    private List<String> list(String filter, int limit, int offset) {
        return operators.each(
                "list_messages('" + partition.queue() + "', " + filter + ", null, null, " + limit + ", " + offset + ")",
                "messages", "transactionId");
    }

    private long offsetAt(String ago) {
        var inlines = Script.all().stream().filter(script -> script.isIn("inline")).map(Inline::from).toList();
        var query = "select :offset_at(p.id, p.tail, p.head, clock_timestamp() - %s) from partition p where p.id = ?";
        return Rows.number(api.connection(), Inline.expandAll(inlines, query.formatted(ago)), partition.id());
    }

    private String show(String transactionId, String field) {
        return operators.ask("show_message('" + partition.id() + "', '" + transactionId + "')", field);
    }
}
