package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Redriving.Claimed;
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
    private final Desk desk = new Desk(api);
    private final Partition partition = database.newPartition();

    @AfterEach
    void endRedrives() {
        api.execute("delete from queen.redrive");
    }

    @Test
    void dryRunTellsWhatWouldHappenAndChangesNothing() {
        kill("a", "b", "c");
        var call = "start_redrive(null, '" + partition.queue()
                + "', null, null, null, null, null, null, 2, null, null, null, true)";

        assertThat(desk.ask(call, "total")).isEqualTo("2");
        assertThat(desk.each(call, "examples", "transactionId")).containsExactly("a", "b");
        assertThat(desk.each(call, "errors", "error")).containsExactlyInAnyOrder("no a", "no b", "no c");
        assertThat(claim(api)).isEmpty();
    }

    @Test
    void oldestFailuresGoFirstAndAreGoneWhenTheyAreStored() {
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
    void whatIsRefusedStaysADeadLetterAndIsTriedOnce() {
        kill("a", "b");
        var id = start("null, null, null, null, null, null");

        finish(api, claim(api), "queue full", null);

        assertThat(claim(api)).isEmpty();
        assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::error).containsExactly("no a");
        assertThat(show(id, "failed")).isEqualTo("1");
        assertThat(show(id, "lastError")).isEqualTo("queue full");
    }

    @Test
    void whatIsClaimedIsNobodyElsesUntilThen() {
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
    void whatDiesLaterIsNotPartOfIt() {
        kill("a");
        start("null, null, null, null, null, null");
        kill("b");

        assertThat(claim(api)).extracting(Claimed::transactionId).containsExactly("a");
    }

    @Test
    void noMoreThanTheLimitGo() {
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
                UUID.fromString(id), before))
                .isEqualTo(1);
        api.execute("update queen.redrive set next_at = next_at + interval '1 hour'");
        assertThat(claim(api)).as("too early").isEmpty();
        api.execute("update queen.redrive set next_at = now()");
        assertThat(claim(api)).hasSize(2);
    }

    @Test
    void theyMayGoElsewhere() {
        kill("a");
        start("null, null, null, 'repairs', 'desk', null");

        assertThat(claim(api).getFirst()).returns("repairs", Claimed::toQueue).returns("desk", Claimed::toPartition);
    }

    @Test
    void onlyThoseThatMatchGo() {
        kill("a", "b", "c");
        start("'NO B', null, null, null, null, null");
        assertThat(claim(api)).extracting(Claimed::transactionId).containsExactly("b");
        start("null, array['c'], null, null, null, null");
        api.execute("delete from queen.redrive where error is not null");

        assertThat(claim(api)).extracting(Claimed::transactionId).containsExactly("c");
    }

    @Test
    void aCancelledOneGoesNoFurther() {
        kill("a", "b");
        var id = start("null, null, null, null, null, 2");
        finish(api, claim(api), (String) null);

        assertThat(desk.ask("cancel_redrive('olga', '" + id + "')", "status")).isEqualTo("cancelled");

        api.execute("update queen.redrive set next_at = now()");
        assertThat(claim(api)).isEmpty();
        assertThat(show(id, "redriven")).isEqualTo("1");
        assertThat(desk.audited("cancel")).contains("olga: redrive " + id);
        assertThat(desk.ask("cancel_redrive('olga', '" + UUID.randomUUID() + "')")).isNull();
    }

    @Test
    void oneThatCannotGoOnLetsTheOthersGoFirstAndSaysWhy() {
        kill("a");
        var id = start("null, null, null, null, null, null");
        var other = start("'no a', null, null, null, null, null");

        assertThat(hold(id, "somebody is in the way", false)).isEqualTo("running");

        assertThat(show(id, "lastError")).isEqualTo("somebody is in the way");
        assertThat(claim(api)).extracting(Claimed::redrive).containsExactly(UUID.fromString(other));
    }

    @Test
    void oneThatIsToBlameFailsAfterSomeTimesInARow() {
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
        assertThat(show(id, "lastError")).as("it went on").isNull();
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
    void thoseLeftToOthersAreNotClaimed() {
        kill("a");
        var id = UUID.fromString(start("null, null, null, null, null, null"));

        assertThat(claimAllBut(api, 500, id)).isEmpty();
        assertThat(claimAllBut(api, 500, UUID.randomUUID())).hasSize(1);
    }

    @Test
    void theyAreListedAndAudited() {
        kill("a");
        var id = start("null, null, null, null, null, null");

        assertThat(desk.each("list_redrives(10, 0)", "redrives", "id")).containsExactly(id);
        assertThat(desk.audited("redrive")).contains("olga: dead letters of queue " + partition.queue());
        assertThat(
                desk.ask("start_redrive(null, 'nothing like it', null, null, null, null, null, null, null, null, null,"
                        + " null, false)"))
                .isNull();
    }

    @Test
    void oneMessageIsRetriedForAllWhoGaveUpOnIt() {
        kill("a", "b");
        api.openCursors(new Opening(partition.id(), "others", null));
        desk.ask("bury_message(null, '" + partition.id() + "', 'a', 'others', null)");

        assertThat(desk.ask("retry_message('olga', '" + partition.id() + "', 'a', null)", "total")).isEqualTo("2");

        assertThat(claim(api)).extracting(Claimed::transactionId).containsExactly("a", "a");
        assertThat(desk.ask("retry_message('olga', '" + partition.id() + "', 'z', null)")).isNull();
    }

    private void kill(String... transactionIds) {
        api.openCursors(new Opening(partition.id(), GROUP, null));
        for (var id : transactionIds) {
            desk.push(partition, id);
            var wish = Wish.of(partition, GROUP, 1);
            long offset = api.lease(wish).getFirst().first();
            api.nack(List.of(Holder.of(wish, "{}")), new Failed(1, offset, "dlq", "no " + id));
        }
    }

    /** @param rest error, transactionIds, limit, target queue, target partition, rate */
    private String start(String rest) {
        var parts = rest.split(", ");
        return desk.ask("start_redrive('olga', '" + partition.queue() + "', null, null, " + parts[0] + ", null, null, "
                + String.join(", ", List.of(parts).subList(1, 6)) + ", false)", "id");
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
        return next == null ? List.of() : new Redriving(by).claim(next, batch);
    }

    private void finish(Api by, List<Claimed> claimed, String... errors) {
        new Redriving(by).finish(claimed, errors);
    }

    private String hold(String id, String reason, boolean isFault) {
        return api.list(rows -> rows.getString(1), "select " + api.schema() + ".hold_redrive(?, ?, ?)",
                UUID.fromString(id), reason, isFault).getFirst();
    }

    private String show(String id, String field) {
        return desk.ask("show_redrive('" + id + "')", field);
    }
}
