package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.RedriveSteps.Claimed;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedriveRoutinesTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final OperatorRoutines operators = new OperatorRoutines(api);
    private final Partition partition = database.newPartition();

    @AfterEach
    void endRedrives() {
        api.execute("delete from queen.redrive");
    }

    @Test
    void dryRunReturnsTheMatchesAndChangesNothing() {
        kill("a", "b", "c");
        var call = "start_redrive(null, '" + partition.queue()
                + "', null, null, null, null, null, null, 2, null, null, null, true)";

        assertThat(operators.ask(call, "total")).isEqualTo("2");
        assertThat(operators.each(call, "examples", "transactionId")).containsExactly("a", "b");
        assertThat(operators.each(call, "errors", "error")).containsExactlyInAnyOrder("no a", "no b", "no c");
        assertThat(claim(api)).isEmpty();
    }

    @Test
    void oldestFailuresAreMovedFirst() {
        kill("a", "b", "c");
        var id = start("null, null, null, null, null, null");

        var first = claim(api, 2);
        finish(api, first, null, null);
        var second = claim(api, 2);
        finish(api, second, (String) null);

        assertThat(first).extracting(Claimed::transactionId).containsExactly("a", "b");
        assertThat(second).extracting(Claimed::transactionId).containsExactly("c");
        assertThat(first.getFirst()).returns(partition.queue(), Claimed::toQueue).returns(partition.name(),
                Claimed::toPartition);
        assertThat(claim(api)).isEmpty();
        assertThat(DeadLetter.of(api, partition)).isEmpty();
        assertThat(show(id, "status")).isEqualTo("finished");
        assertThat(show(id, "redriven")).isEqualTo("3");
    }

    @Test
    void rejectedDeadLettersStayAndAreTriedOnce() {
        kill("a", "b");
        var id = start("null, null, null, null, null, null");

        finish(api, claim(api), "queue full", null);

        assertThat(claim(api)).isEmpty();
        assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::error).containsExactly("no a");
        assertThat(show(id, "failed")).isEqualTo("1");
        assertThat(show(id, "lastError")).isEqualTo("queue full");
    }

    @Test
    void claimedDeadLettersAreLockedForOtherSessions() {
        kill("a", "b");
        start("null, null, null, null, null, null");
        var other = database.newSession();
        other.execute("begin");
        var claimed = claim(other);
        var again = claim(api);
        start("null, null, null, null, null, null");
        var byAnother = claim(api);
        other.execute("rollback");

        assertThat(claimed).hasSize(2);
        assertThat(again).isEmpty();
        assertThat(byAnother).isEmpty();
        assertThat(claim(api)).as("after the claimer died").hasSize(2);
    }

    @Test
    void laterDeadLettersAreNotPartOfTheRedrive() {
        kill("a");
        start("null, null, null, null, null, null");
        kill("b");

        assertThat(claim(api)).extracting(Claimed::transactionId).containsExactly("a");
    }

    @Test
    void atMostTheLimitIsMoved() {
        kill("a", "b", "c");
        var id = start("null, null, 2, null, null, null");

        assertThat(show(id, "total")).isEqualTo("2");
        var claimed = claim(api);
        finish(api, claimed, null, null);

        assertThat(claimed).hasSize(2);
        assertThat(show(id, "status")).isEqualTo("finished");
    }

    @Test
    void theRateIsKept() {
        kill("a", "b", "c", "d");
        var id = start("null, null, null, null, null, 4");

        var claimed = claim(api);
        var before = Rows.strings(api.connection(), "select clock_timestamp()::text").getFirst();
        finish(api, claimed, null, null);

        assertThat(claimed).hasSize(2);
        assertThat(Rows.number(api.connection(), "select count(*) from queen.redrive where id = ?"
                + " and next_at between ?::timestamptz + interval '500 ms' and clock_timestamp() + interval '500 ms'",
                UUID.fromString(id), before)).isEqualTo(1);
        api.execute("update queen.redrive set next_at = next_at + interval '1 hour'");
        assertThat(claim(api)).as("too early").isEmpty();
        api.execute("update queen.redrive set next_at = now()");
        assertThat(claim(api)).hasSize(2);
    }

    @Test
    void deadLettersMayBeMovedToAnotherTarget() {
        kill("a");
        start("null, null, null, 'repairs', 'operators', null");

        assertThat(claim(api).getFirst()).returns("repairs", Claimed::toQueue).returns("operators",
                Claimed::toPartition);
    }

    @Test
    void onlyMatchingDeadLettersAreMoved() {
        kill("a", "b", "c");
        start("'NO B', null, null, null, null, null");
        assertThat(claim(api)).extracting(Claimed::transactionId).containsExactly("b");
        start("null, array['c'], null, null, null, null");
        api.execute("delete from queen.redrive where error is not null");

        assertThat(claim(api)).extracting(Claimed::transactionId).containsExactly("c");
    }

    @Test
    void aCanceledRedriveStops() {
        kill("a", "b");
        var id = start("null, null, null, null, null, 2");
        finish(api, claim(api), (String) null);

        assertThat(operators.ask("cancel_redrive('olga', '" + id + "')", "status")).isEqualTo("cancelled");

        api.execute("update queen.redrive set next_at = now()");
        assertThat(claim(api)).isEmpty();
        assertThat(show(id, "redriven")).isEqualTo("1");
        assertThat(operators.audited("cancel")).contains("olga: redrive " + id);
        assertThat(operators.ask("cancel_redrive('olga', '" + UUID.randomUUID() + "')")).isNull();
    }

    @Test
    void failedRedriveIsDelayedWithItsReason() {
        kill("a");
        var id = start("null, null, null, null, null, null");
        var other = start("'no a', null, null, null, null, null");

        assertThat(hold(id, "the target is locked", false)).isEqualTo("running");

        assertThat(show(id, "lastError")).isEqualTo("the target is locked");
        assertThat(claim(api)).extracting(Claimed::redrive).containsExactly(UUID.fromString(other));
    }

    @Test
    void redriveFailsAfterSeveralFaultsInARow() {
        kill("a", "b");
        var id = start("null, null, null, null, null, 2");
        for (int i = 0; i < 4; i++) {
            assertThat(hold(id, "defect", true)).isEqualTo("running");
        }
        assertThat(Rows.number(api.connection(), "select count(*) from queen.redrive"
                + " where next_at between clock_timestamp() + interval '5 s' and clock_timestamp() + interval '8 s'"))
                .isEqualTo(1);
        api.execute("update queen.redrive set next_at = now()");
        finish(api, claim(api), (String) null);
        assertThat(show(id, "lastError")).as("the redrive continued").isNull();
        for (int i = 0; i < 4; i++) {
            assertThat(hold(id, "defect", true)).isEqualTo("running");
        }
        assertThat(hold(id, "outage", false)).isEqualTo("running");

        assertThat(hold(id, "defect", true)).isEqualTo("failed");

        assertThat(show(id, "status")).isEqualTo("failed");
        assertThat(show(id, "finishedAt")).isNotNull();
        assertThat(hold(id, "defect", true)).as("over").isNull();
        api.execute("update queen.redrive set next_at = now()");
        assertThat(claim(api)).isEmpty();
        assertThat(DeadLetter.of(api, partition)).hasSize(1);
    }

    @Test
    void redrivesLeftToOtherServersAreNotClaimed() {
        kill("a");
        var id = UUID.fromString(start("null, null, null, null, null, null"));

        assertThat(claimAllBut(api, 500, id)).isEmpty();
        assertThat(claimAllBut(api, 500, UUID.randomUUID())).hasSize(1);
    }

    @Test
    void redrivesAreListedAndAudited() {
        kill("a");
        var id = start("null, null, null, null, null, null");

        assertThat(operators.each("list_redrives(10, 0)", "redrives", "id")).containsExactly(id);
        assertThat(operators.audited("redrive")).contains("olga: dead letters of queue " + partition.queue());
        assertThat(operators
                .ask("start_redrive(null, 'nothing like it', null, null, null, null, null, null, null, null, null,"
                        + " null, false)"))
                .isNull();
    }

    @Test
    void oneMessageIsRetriedForAllGroups() {
        kill("a", "b");
        api.openCursors(new Opening(partition.id(), "others", null));
        operators.ask("dead_letter_message(null, '" + partition.id() + "', 'a', 'others', null)");

        assertThat(operators.ask("retry_message('olga', '" + partition.id() + "', 'a', null)", "total")).isEqualTo("2");

        assertThat(claim(api)).extracting(Claimed::transactionId).containsExactly("a", "a");
        assertThat(operators.ask("retry_message('olga', '" + partition.id() + "', 'z', null)")).isNull();
    }

    private void kill(String... transactionIds) {
        api.openCursors(new Opening(partition.id(), GROUP, null));
        for (var id : transactionIds) {
            operators.push(partition, id);
            var request = LeaseRequest.of(partition, GROUP, 1);
            long offset = api.lease(request).getFirst().first();
            api.nack(List.of(Holder.of(request, "{}")), new Failed(1, offset, "dlq", "no " + id));
        }
    }

    /** @param rest error, transactionIds, limit, target queue, target partition, rate */
    private String start(String rest) {
        var parts = rest.split(", ");
        return operators.ask("start_redrive('olga', '" + partition.queue() + "', null, null, " + parts[0]
                + ", null, null, " + String.join(", ", List.of(parts).subList(1, 6)) + ", false)", "id");
    }

    private List<Claimed> claim(Api by) {
        return claim(by, 500);
    }

    private List<Claimed> claim(Api by, int batch) {
        return claimAllBut(by, batch);
    }

    private List<Claimed> claimAllBut(Api by, int batch, UUID... leftToOthers) {
        var next = by.list(rows -> rows.getObject(1, UUID.class), "select " + api.schema() + ".next_redrive(?)",
                new Args<>(by.connection(), List.of(leftToOthers)).uuids(id -> id)).getFirst();
        return next == null ? List.of() : new RedriveSteps(by).claim(next, batch);
    }

    private void finish(Api by, List<Claimed> claimed, String... errors) {
        new RedriveSteps(by).finish(claimed, errors);
    }

    private String hold(String id, String reason, boolean isFault) {
        return api.list(rows -> rows.getString(1), "select " + api.schema() + ".delay_redrive(?, ?, ?)",
                UUID.fromString(id), reason, isFault).getFirst();
    }

    private String show(String id, String field) {
        return operators.ask("show_redrive('" + id + "')", field);
    }
}
