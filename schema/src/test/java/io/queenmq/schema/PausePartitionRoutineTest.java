package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.PendingCheck;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PausePartitionRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nothingIsLeasedWhileThePartitionIsPaused(boolean triesPlain) {
        var partition = database.newPartitionWith(2);
        pause(partition, true);

        var session = api.tryingPlain(triesPlain);
        assertThat(session.lease(LeaseRequest.of(partition, GROUP, 1)).getFirst().status()).isEqualTo("waiting");
        assertThat(session.lease(true, LeaseRequest.of(partition, GROUP, 1)).getFirst().status()).isEqualTo("waiting");
        pause(partition, false);
        assertThat(session.lease(LeaseRequest.of(partition, GROUP, 1)).getFirst().isLeased()).isTrue();
    }

    @Test
    void aPausedPartitionIsNotReady() {
        var partition = database.newPartitionWith(1);
        pause(partition, true);

        assertThat(api.hasPending(new PendingCheck(partition.queueId(), partition.id(), GROUP, 60),
                new PendingCheck(partition.queueId(), null, GROUP, 60))).isEmpty();
        assertThat(api.resolve(partition.queueId(), GROUP, null, "", 10)).noneMatch(Api.Resolved::isPending);
        assertThat(api.resolve(partition.queueId(), GROUP, 60, "", 10)).isEmpty();
    }

    @Test
    void leasesAndPushesContinueDuringAPause() {
        var partition = database.newPartitionWith(2);
        var held = LeaseRequest.of(partition, GROUP, 1);
        api.lease(held);
        pause(partition, true);

        assertThat(api.ack(Holder.of(held, "{[0,1)}")).getFirst().isLive()).isTrue();
        assertThat(api.push(new Append(partition, 2, Batch.ofSize(1)))).hasSize(1);
    }

    @Test
    void anUnknownPartitionCannotBePaused() {
        assertThat(api.operate("{paused}", "pause_partition", "me", UUID.randomUUID(), true)).isNull();
    }

    @Test
    void pauseIsAuditedWithThePreviousState() {
        var partition = database.newPartitionWith(1);
        pause(partition, true);
        pause(partition, false);

        assertThat(Rows.strings(api.connection(),
                "select action || (before ->> 'paused') || (after ->> 'paused') from queen.audit where target = ? order by id",
                "partition " + partition.name() + " of queue " + partition.queue()))
                .containsExactly("pausefalsetrue", "resumetruefalse");
    }

    private void pause(Partition partition, boolean isPaused) {
        assertThat(api.operate("{paused}", "pause_partition", "me", partition.id(), isPaused)).isEqualTo("" + isPaused);
    }
}
