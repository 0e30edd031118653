package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Dead letters are copies that can be listed, counted and purged (W17). */
class DeadLetterRoutinesTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final OperatorRoutines operators = new OperatorRoutines(api);
    private final List<Partition> partitions = database.newPartitions(2);
    private final Partition partition = partitions.getFirst();

    @Test
    void deadLettersAreListedByPageNewestFirstWithTheTotal() {
        kill(partition, GROUP, "a", "b", "c", "d", "e");

        assertThat(list("null, null, null, null, null, 2, 0")).containsExactly("e", "d");
        assertThat(list("null, null, null, null, null, 2, 3")).containsExactly("b", "a");
        assertThat(total("null, null, null, null, null, 2, 3")).isEqualTo("5");
    }

    @Test
    void aListShowsAllFields() {
        kill(partition, GROUP, "a");
        var call = "list_dead_letters('" + partition.queue() + "', null, null, null, null, null, 10, 0)";

        assertThat(operators.ask(call, "messages,0,partitionId")).isEqualTo(partition.id().toString());
        assertThat(operators.ask(call, "messages,0,queue")).isEqualTo(partition.queue());
        assertThat(operators.ask(call, "messages,0,partition")).isEqualTo(partition.name());
        assertThat(operators.ask(call, "messages,0,consumerGroup")).isEqualTo(GROUP);
        assertThat(operators.ask(call, "messages,0,errorMessage")).isEqualTo("no a");
        assertThat(operators.ask(call, "messages,0,retryCount")).isEqualTo("1");
        assertThat(operators.ask(call, "messages,0,data")).isEqualTo("a");
        assertThat(operators.ask(call, "messages,0,failedAt"))
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
    }

    @Test
    void aPageShowsPayloadsUpToFourMegabytes() {
        kill(partition, GROUP, "a", "b", "c", "d");
        enlarge("a", 10);
        enlarge("b", 2_000_000);
        enlarge("c", 3_000_000);
        enlarge("d", 5_000_000);
        var call = "list_dead_letters('" + partition.queue() + "', null, null, null, null, null, 10, 0)";

        // Newest first: d is too large for any page, c fits, b does not fit together with c, and a fits again.
        assertThat(operators.each(call, "messages", "transactionId")).containsExactly("d", "c", "b", "a");
        assertThat(operators.ask(call, "messages,0,data")).isNull();
        assertThat(operators.ask(call, "messages,0,dataBytes")).isGreaterThan("5000000");
        assertThat(operators.ask(call, "messages,1,data")).hasSize(3_000_000);
        assertThat(operators.ask(call, "messages,1,dataBytes")).isNull();
        assertThat(operators.ask(call, "messages,2,data")).isNull();
        assertThat(operators.ask(call, "messages,3,data")).isNotNull();
        assertThat(operators.ask("list_dead_letters('" + partition.queue() + "', null, null, null, null, null, 10, 2)",
                "messages,0,data")).hasSize(2_000_000);
    }

    /** The dead letter has a payload of that size. */
    private void enlarge(String transactionId, int bytes) {
        api.everywhere(
                "update dead_letter set line = convert_to('"
                        + Batch.line('"' + transactionId + '"', "null", "null",
                                "\"' || repeat('x', " + bytes + ") || '\"")
                        + "', 'UTF8') where transaction_id = '" + transactionId + "' and partition_id = '"
                        + partition.id() + "'");
    }

    @Test
    void everyFilterCounts() {
        kill(partition, GROUP, "a", "b");
        kill(partitions.get(1), GROUP, "c");
        kill(partition, "others", "d");

        assertThat(list("'" + partition.name() + "', null, null, null, null, 9, 0")).contains("a", "b", "d")
                .doesNotContain("c");
        assertThat(list("null, 'others', null, null, null, 9, 0")).contains("d").doesNotContain("c");
        assertThat(list("null, null, 'NO B', null, null, 9, 0")).containsOnly("b");
        assertThat(list("null, null, null, clock_timestamp() + '1 min', null, 9, 0")).isEmpty();
        assertThat(list("null, null, null, null, clock_timestamp() - '1 min'::interval, 9, 0")).isEmpty();
        assertThat(operators.ask("list_dead_letters('nothing like it', null, null, null, null, null, 9, 0)", "total"))
                .isEqualTo("0");
    }

    @Test
    void deadLettersAreCountedByError() {
        kill(partition, GROUP, "a", "b");
        api.everywhere("update dead_letter set error = 'same' where partition_id = '" + partition.id() + "'");
        kill(partition, GROUP, "c");
        var call = "list_dead_letter_errors('" + partition.queue() + "', null, null, null, null, null, 10, 0)";

        assertThat(operators.each(call, "errors", "error")).containsExactly("same", "no c");
        assertThat(operators.each(call, "errors", "count")).containsExactly("2", "1");
        assertThat(operators.each(call, "errors", "queue")).containsOnly(partition.queue());
    }

    @Test
    void deadLettersSurviveTheirMessageAndPartition() {
        kill(partition, GROUP, "a");
        operators.ask("remove_message(null, '" + partition.id() + "', 'a')");
        api.everywhere("delete from partition where id = '" + partition.id() + "'");

        assertThat(list("null, null, null, null, null, 9, 0")).containsExactly("a");
        assertThat(operators.ask("show_dead_letter('" + partition.id() + "', 'a', null)", "partition"))
                .isEqualTo(partition.name());
        assertThat(operators.ask("show_message('" + partition.id() + "', 'a')", "status")).isEqualTo("dead_letter");
    }

    @Test
    void theyDisappearWithTheirQueue() {
        kill(partition, GROUP, "a");

        api.deleteQueue(partition.queue());

        assertThat(DeadLetter.of(api, partition)).isEmpty();
    }

    @Test
    void aDeadLetterIsShownWithItsPayload() {
        kill(partition, GROUP, "a");

        assertThat(operators.ask("show_dead_letter('" + partition.id() + "', 'a', '" + GROUP + "')", "data"))
                .isEqualTo("a");
        assertThat(operators.ask("show_dead_letter('" + partition.id() + "', 'a', 'others')")).isNull();
    }

    @Test
    void matchingDeadLettersArePurged() {
        kill(partition, GROUP, "a", "b");
        kill(partition, "others", "c");

        assertThat(purge("null, null, 'no a', null, null, null")).isEqualTo("1");
        assertThat(purge("null, null, null, null, null, array['b']")).isEqualTo("1");
        assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::error).doesNotContain("no a", "no b")
                .contains("no c");
        assertThat(operators.audited("purge")).contains("olga: dead letters of queue " + partition.queue());
    }

    @Test
    void notAllDeadLettersThereAreCanBePurgedAtOnce() {
        assertThatThrownBy(() -> operators.ask("purge_dead_letters(null, null, null, null, null, null, null, null)"))
                .isInstanceOfSatisfying(Rows.SqlFailure.class, e -> assertThat(e.state()).isEqualTo("QN400"));
    }

    @Test
    void aPendingMessageCanBecomeADeadLetterOfOneGroup() {
        operators.push(partition, "a", "b");
        api.openCursors(new Opening(partition.id(), GROUP, null), new Opening(partition.id(), "others", null));

        operators.ask("dead_letter_message('olga', '" + partition.id() + "', 'a', '" + GROUP + "', 'bad')");

        assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::error).containsExactly("bad");
        assertThat(CursorRow.of(api, partition, GROUP)).returns(1L, CursorRow::committed).returns(1L, CursorRow::dead)
                .returns(0L, CursorRow::completed);
        assertThat(CursorRow.of(api, partition, "others").committed()).isZero();
        assertThat(operators.audited("dead_letter"))
                .contains("olga: message a of partition " + partition.id() + " for group " + GROUP);
    }

    @Test
    void finishedMessageCannotBecomeADeadLetter() {
        operators.push(partition, "a");
        api.openCursors(new Opening(partition.id(), GROUP, null));
        api.lease(true, LeaseRequest.of(partition, GROUP, 1));

        assertThatThrownBy(
                () -> operators.ask("dead_letter_message(null, '" + partition.id() + "', 'a', '" + GROUP + "', null)"))
                .hasMessageContaining("has finished this message already");
        assertThatThrownBy(
                () -> operators.ask("dead_letter_message(null, '" + partition.id() + "', 'a', 'strangers', null)"))
                .hasMessageContaining("has not read from this partition yet");
        assertThat(operators.ask("dead_letter_message(null, '" + partition.id() + "', 'z', '" + GROUP + "', null)"))
                .isNull();
    }

    /** Inserted and deleted dead letters are counted at once, with the same result after they are added to the sums. */
    @Test
    void deadLettersAreCountedByReasonForEveryCause() {
        NumbersReport.of(UUID.randomUUID(), 1, 1).send(api);
        long before = lifetime();
        kill(partition, GROUP, "a", "b", "c");
        operators.ask("dead_letter_message('olga', '" + partitions.getLast().id() + "', '" + pushed("d")
                + "', '__QUEUE_MODE__', null)");
        // As written by an older release without reasons.
        api.in(partition,
                "insert into dead_letter (partition_id, group_name, message_offset, queue_id, line, attempts,"
                        + " created_at, failed_at) values ('" + partition.id() + "', 'old', 0, '" + partition.queueId()
                        + "', 'x', 1, now(), now())");
        api.in(partition,
                "insert into dead_letter_change (queue_id, ever, kept) values ('" + partition.queueId() + "', 1, 1)");
        assertThat(sums()).containsExactly("consumer 3 3", "operator 1 1", "unknown 1 1");

        assertThat(purge("null, null, 'no a', null, null, null")).isEqualTo("1");
        NumbersReport.of(UUID.randomUUID(), 1, 1).send(api);

        assertThat(sums()).containsExactly("consumer 3 2", "operator 1 1", "unknown 1 1");
        assertThat(api.list(rows -> rows.getLong(1), "select count(*) from queen.dead_letter_change").getFirst())
                .isZero();
        assertThat(lifetime() - before).as("the older release counts its own").isEqualTo(4);
        assertThat(operators.ask("show_queue('" + partition.queue() + "', 10, null)", "totals,deadLetter"))
                .isEqualTo("4");
    }

    @Test
    void aSecondDeadLetterOfAMessageReplacesTheFirst() {
        kill(partition, GROUP, "a");
        api.everywhere("update cursor set committed = 0 where partition_id = '" + partition.id() + "'");

        operators.ask("dead_letter_message('olga', '" + partition.id() + "', 'a', '" + GROUP + "', null)");

        assertThat(sums()).containsExactly("consumer 1 0", "operator 1 1");
    }

    @Test
    void deadLettersOfADeletedQueueAreNotCounted() {
        kill(partition, GROUP, "a");
        api.list(rows -> rows.getBoolean(1),
                "select " + api.schema() + ".delete_queue(null, '" + partition.queue() + "')");

        NumbersReport.of(UUID.randomUUID(), 1, 1).send(api);

        assertThat(sums()).isEmpty();
        assertThat(api.list(rows -> rows.getLong(1),
                "select kept from queen.dead_letter_sum where queue_id = '" + partition.queueId() + "'"))
                .containsExactly(0L);
    }

    /** Pushes to the other partition; returns the transactionId. */
    private String pushed(String transactionId) {
        operators.push(partitions.getLast(), transactionId);
        return transactionId;
    }

    private List<String> sums() {
        return api.list(rows -> rows.getString(1), "select reason || ' ' || ever || ' ' || kept from " + api.schema()
                + ".dead_letter_sums('{" + partition.queueId() + "}') order by reason");
    }

    private long lifetime() {
        return api.list(rows -> rows.getLong(1), "select dead_letters from queen.lifetime").getFirst();
    }

    /** Each alone, so that they fail in this order. */
    private void kill(Partition in, String group, String... transactionIds) {
        api.openCursors(new Opening(in.id(), group, null));
        for (var id : transactionIds) {
            operators.push(in, id);
            var request = LeaseRequest.of(in, group, 100);
            var given = api.lease(request).getFirst();
            long offset = given.end() - 1;
            api.nack(List.of(Holder.of(request, "{[0," + offset + ")}")), new Failed(1, offset, "dlq", "no " + id));
        }
    }

    private List<String> list(String filter) {
        return operators.each("list_dead_letters('" + partition.queue() + "', " + filter + ")", "messages",
                "transactionId");
    }

    private String total(String filter) {
        return operators.ask("list_dead_letters('" + partition.queue() + "', " + filter + ")", "total");
    }

    private String purge(String filter) {
        return operators.ask("purge_dead_letters('olga', '" + partition.queue() + "', " + filter + ")", "purged");
    }
}
