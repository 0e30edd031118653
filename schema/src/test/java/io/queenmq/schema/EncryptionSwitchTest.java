package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.schema.Api.Append;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** W20: after configure has switched encryption on, no server with an older catalog stores clear text. */
class EncryptionSwitchTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final Partition partition = database.newPartition();

    @Test
    void theEpochGrowsWhenEncryptionIsSwitchedOnAndOnlyThen() {
        long before = epoch();

        api.configure(partition.queue(), Map.of("priority", 1));
        api.configure(partition.queue(), Map.of("encryption_enabled", false));
        assertThat(epoch()).isEqualTo(before);
        api.configure(partition.queue(), Map.of("encryption_enabled", true));
        assertThat(epoch()).isEqualTo(before + 1);
        api.configure(partition.queue(), Map.of("encryption_enabled", true, "priority", 2));
        api.configure(partition.queue(), Map.of("encryption_enabled", false));
        assertThat(epoch()).isEqualTo(before + 1);
        api.configure("encrypted from the start", Map.of("encryption_enabled", true));
        assertThat(epoch()).isEqualTo(before + 2);
    }

    @Test
    void aPushOfAnOlderEpochIsRejected() {
        long before = epoch();
        api.configure(partition.queue(), Map.of("encryption_enabled", true));

        assertThatThrownBy(() -> pushAt(api, before)).isInstanceOfSatisfying(Rows.SqlFailure.class,
                failure -> assertThat(failure.state()).isEqualTo("QN003"));
        assertThat(head()).isZero();
        pushAt(api, before + 1);
        assertThat(head()).isEqualTo(1);
    }

    @Test
    void aPushToAQueueWithALimitIsRefusedAlike() {
        api.configure(partition.queue(), Map.of("max_size", 5));
        long before = epoch();
        api.configure(partition.queue(), Map.of("encryption_enabled", true));

        assertThatThrownBy(() -> pushBoundedAt(before)).isInstanceOfSatisfying(Rows.SqlFailure.class,
                failure -> assertThat(failure.state()).isEqualTo("QN003"));
        assertThat(head()).isZero();
        pushBoundedAt(before + 1);
        assertThat(head()).isEqualTo(1);
    }

    @Test
    void aPushThatBeganBeforeIsWaitedFor() {
        var pushing = database.newSession();
        pushing.execute("begin");
        pushAt(pushing, epoch());
        api.configure(partition.queue(), Map.of("encryption_enabled", true));

        assertThatThrownBy(() -> awaitPushes(api, 20)).isInstanceOfSatisfying(Rows.SqlFailure.class,
                failure -> assertThat(failure.state()).isEqualTo("55P03"));
        var waiting = Step.start(database.newSession(), session -> awaitPushes(session, 120_000));
        pushing.execute("commit");
        waiting.result();

        assertThat(head()).isEqualTo(1);
    }

    @Test
    void theSwitchDoesNotWaitForLaterPushes() {
        var earlier = database.newSession();
        earlier.execute("begin");
        earlier.push(new Append(partition, 0, Batch.of("a")));
        var waiting = Step.start(database.newSession(), session -> awaitPushes(session, 120_000));
        var later = database.newSession();
        later.execute("begin");
        later.push(new Append(database.newPartition(), 0, Batch.of("b")));
        earlier.execute("commit");
        earlier.execute("begin");
        earlier.push(new Append(database.newPartition(), 0, Batch.of("c")));

        // No matter if it read the locks before or after the later push began, it must end when both have.
        later.execute("commit");
        earlier.execute("commit");
        waiting.result();
        awaitPushes(api, 0);
    }

    private static boolean awaitPushes(Api session, int waitMs) {
        return session.list(_ -> true, "select " + session.schema() + ".await_pushes(?)", waitMs).getFirst();
    }

    private void pushAt(Api session, long epoch) {
        session.listIn(partition, rows -> rows.getInt(1), "select index from " + session.schema() + """
                .push(array[?]::uuid[], array[?]::bigint[], array[1], array['\\x0000000000000000']::bytea[],
                      array['x']::bytea[], array[1], ?)""", partition.id(), head(), epoch);
    }

    private void pushBoundedAt(long epoch) {
        api.listIn(partition, rows -> rows.getInt(1), "select index from " + api.schema() + """
                .push_bounded(array[?]::uuid[], array[?]::bigint[], array[1], array['\\x0000000000000000']::bytea[],
                              array['x']::bytea[], array[1], array[?]::uuid[], ?)""", partition.id(), head(),
                partition.queueId(), epoch);
    }

    private long head() {
        return Rows.number(api.connection(), "select head from queen.partition where id = ?", partition.id());
    }

    private long epoch() {
        return Rows.number(api.connection(), "select encryption_epoch from queen.system_state");
    }
}
