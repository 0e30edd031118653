package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.queenmq.schema.Api.Opening;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code queen.push} and {@code queen.ack} in sessions of programs with settings and transactions that are not common. */
class OwnSessionTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final Api mine = database.newSession();
    private final Partition partition = database.newPartition();

    @Test
    void aSessionWithReplicationRoleReplicaPushesAndAcknowledges() {
        mine.execute("set session_replication_role = replica");
        mine.execute("begin");
        push("t1");
        mine.execute("commit");
        assertThat(number("select count(*) from queen.commitment")).isZero();

        api.openCursors(new Opening(partition.id(), "workers", null));
        var request = LeaseRequest.of(partition, "workers", 1);
        api.lease(request);
        mine.execute("select queen.ack('%s', 'workers', '%s', 't1')".formatted(partition.id(), request.lease()));

        assertThat(CursorRow.of(api, partition, "workers")).returns(1L, CursorRow::committed).returns(true,
                CursorRow::isFree);
    }

    /** PostgreSQL refuses to prepare a transaction that notifies, and rolls it back. */
    @Test
    void aPreparedTransactionIsRefusedAndNothingIsStored() {
        assumeTrue(number("select current_setting('max_prepared_transactions')::int") > 0);
        mine.execute("begin");
        push("t1");

        assertThatThrownBy(() -> mine.execute("prepare transaction 'queen-" + UUID.randomUUID() + "'"))
                .hasMessageContaining("cannot PREPARE a transaction that has executed LISTEN, UNLISTEN, or NOTIFY");
        mine.execute("rollback");

        assertThat(number("select count(*) from queen.segment where partition_id = '" + partition.id() + "'")).isZero();
        assertThat(number("select count(*) from pg_prepared_xacts where database = current_database()")).isZero();
        push("t1");
        assertThat(number("select count(*) from queen.segment where partition_id = '" + partition.id() + "'"))
                .isEqualTo(1);
    }

    private void push(String transactionId) {
        mine.execute("select queen.push((select name from queen.queue where id = '%s'), '%s', '{}', '%s')"
                .formatted(partition.queueId(), partition.name(), transactionId));
    }

    private long number(String sql) {
        return Rows.number(api.connection(), sql);
    }
}
