package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.RedriveSteps.Claimed;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A redriven message is in exactly one place: a dead letter until the transaction commits, then a stored message. */
class MoveDeadLettersRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = SchemaDatabase.of(3);

    private final Api api = database.api();
    private final OperatorRoutines operators = new OperatorRoutines(api);

    @AfterEach
    void endRedrives() {
        api.execute("delete from queen.redrive");
    }

    @Test
    void aLetterIsStoredAtTheEndOfItsPartitionThoughItsMessageIsStoredThere() {
        var partition = database.newPartition();
        kill(partition, "a", "b");
        operators.push(partition, "c");

        assertThat(move(claim(partition, "null, null"))).containsOnlyNulls();

        assertThat(stored(partition)).containsExactly("a", "b", "c", "a", "b");
        assertThat(DeadLetter.of(api, partition)).isEmpty();
        assertThat(Rows.number(api.connection(), "select sum(kept) from queen.dead_letter_change where queue_id = ?",
                partition.queueId())).isZero();
    }

    @Test
    void deadLettersAreMovedToPartitionsOfOtherShards() {
        var partitions = database.newPartitionInEachShard();
        partitions.forEach(partition -> kill(partition, "a"));
        var target = partitions.getLast();

        for (var partition : partitions) {
            move(claim(partition, "'" + target.queue() + "', '" + target.name() + "'"));
        }

        assertThat(stored(target)).containsExactly("a", "a", "a", "a");
        assertThat(partitions).allSatisfy(partition -> assertThat(DeadLetter.of(api, partition)).isEmpty());
    }

    @Test
    void aPartitionThatDoesNotExistIsCreated() {
        var partition = database.newPartition();
        kill(partition, "a");

        move(claim(partition, "'repairs.operators', 'new'"));

        assertThat(Rows.strings(api.connection(),
                "select q.namespace || ' ' || q.task || ' ' || p.name || ' ' || p.head"
                        + " from queen.partition p join queen.queue q on q.id = p.queue_id where q.name = 'repairs.operators'"))
                .containsExactly("repairs operators new 1");
    }

    @Test
    void lettersOfTwoGroupsForOneMessageBecomeOneMessage() {
        var partition = database.newPartition();
        kill(partition, "a");
        api.openCursors(new Opening(partition.id(), "others", null));
        operators.ask("dead_letter_message(null, '" + partition.id() + "', 'a', 'others', null)");

        assertThat(move(claim(partition, "null, null"))).hasSize(2).containsOnlyNulls();

        assertThat(stored(partition)).containsExactly("a", "a");
        assertThat(DeadLetter.of(api, partition)).isEmpty();
    }

    @Test
    void deadLettersThatExceedTheLimitStay() {
        var partition = database.newPartition();
        kill(partition, "a", "b", "c");
        var full = database.newPartition(Map.of("max_size", 2L));

        assertThat(move(claim(partition, "'" + full.queue() + "', 'p'"))).containsExactly(null, null,
                "the queue is full: maxSize 2");

        assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::error).containsExactly("no c");
        assertThat(Rows.number(api.connection(), "select sum(head) from queen.partition where queue_id = ?",
                full.queueId())).isEqualTo(2);
    }

    @Test
    void aLetterThatPostgresRejectsStaysAloneADeadLetter() {
        var partition = database.newPartition();
        kill(partition, "a", "b", "c", "d", "e");
        var claimed = claim(partition, "null, null");
        api.execute("create function public.refuse() returns trigger language plpgsql as"
                + " $$ begin if position('\"d\"' in convert_from(new.body, 'UTF8')) > 0 then raise 'no space for it'; end if;"
                + " return new; end $$");
        api.everywhere("create trigger refuse before insert on segment for each row execute function public.refuse()");
        try {
            assertThat(move(claimed)).containsExactly(null, null, null, "no space for it", null);
        } finally {
            api.everywhere("drop trigger refuse on segment");
            api.execute("drop function public.refuse");
        }

        assertThat(stored(partition)).containsExactly("a", "b", "c", "d", "e", "a", "b", "c", "e");
        assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::error).containsExactly("no d");
    }

    @Test
    void nothingIsStoredByAnOlderEpochOfEncryption() {
        var partition = database.newPartition();
        kill(partition, "a");
        var claimed = claim(partition, "null, null");

        assertThatThrownBy(() -> new RedriveSteps(api).move(claimed, claimed.getFirst().epoch() - 1))
                .isInstanceOfSatisfying(Rows.SqlFailure.class, e -> assertThat(e.state()).isEqualTo("QN003"));

        assertThat(stored(partition)).containsExactly("a");
        assertThat(DeadLetter.of(api, partition)).hasSize(1);
    }

    @Test
    void aSessionThatEndsAtAnyStepLeavesEveryLetterInOnePlace() {
        var partitions = database.newPartitionInEachShard();
        var target = database.newPartition();
        partitions.forEach(partition -> kill(partition, "a", "b"));
        var redrives = partitions.stream().map(partition -> start(partition, "'" + target.queue() + "', 'all'"))
                .toList();

        int steps = new KilledSteps(database).play(session -> {
            session.execute("begin");
            for (var redrive : redrives) {
                var claimed = new RedriveSteps(session).claim(redrive, 500);
                new RedriveSteps(session).finish(claimed, new String[claimed.size()]);
            }
            session.execute("commit");
        });

        assertThat(steps).isGreaterThan(10);
        assertThat(Rows.number(api.connection(), "select head from queen.partition where queue_id = ? and name = 'all'",
                target.queueId())).isEqualTo(6);
        assertThat(partitions).allSatisfy(partition -> assertThat(DeadLetter.of(api, partition)).isEmpty());
    }

    private void kill(Partition partition, String... transactionIds) {
        api.openCursors(new Opening(partition.id(), GROUP, null));
        for (var id : transactionIds) {
            operators.push(partition, id);
            var request = LeaseRequest.of(partition, GROUP, 1);
            long offset = api.lease(request).getFirst().first();
            api.nack(List.of(Holder.of(request, "{}")), new Failed(1, offset, "dlq", "no " + id));
        }
    }

    private UUID start(Partition partition, String target) {
        return UUID.fromString(operators.ask("start_redrive('olga', '" + partition.queue()
                + "', null, null, null, null, null, null, null, " + target + ", null, false)", "id"));
    }

    private List<Claimed> claim(Partition partition, String target) {
        return new RedriveSteps(api).claim(start(partition, target), 500);
    }

    private List<String> move(List<Claimed> claimed) {
        return new RedriveSteps(api).move(claimed);
    }

    private List<String> stored(Partition partition) {
        return Rows.strings(api.connection(), """
                select l.line::json ->> 'transactionId'
                from queen.segment s
                cross join lateral string_to_table(rtrim(convert_from(s.body, 'UTF8'), e'\\n'), e'\\n') with ordinality as l (line, place)
                where s.partition_id = ?
                order by s.base, l.place""", partition.id());
    }
}
