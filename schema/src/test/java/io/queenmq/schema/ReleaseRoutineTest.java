package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Holder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ReleaseRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final Partition partition = database.newPartitionWith(3);
    private final LeaseRequest request = LeaseRequest.of(partition, GROUP, 3);

    @Test
    void emptyReleaseReturnsNoRow() {
        assertThat(api.release()).isEmpty();
    }

    @Test
    void releasedLeaseHasNoEffect() {
        api.lease(request);

        assertThat(api.release(Holder.of(request, "{}"))).containsExactly(1);

        assertThat(CursorRow.of(api, partition, GROUP).isFree()).isTrue();
        assertThat(api.lease(LeaseRequest.of(partition, GROUP, 3)).getFirst()).returns(0, LeaseResult::attempts)
                .returns(0L, LeaseResult::first).returns(3L, LeaseResult::end);
    }

    @Test
    void messagesFinishedUnderTheLeaseStayFinished() {
        api.lease(request);
        api.ack(Holder.of(request, "{[0,1)}"));

        api.release(Holder.of(request, "{}"));

        assertThat(api.lease(LeaseRequest.of(partition, GROUP, 3)).getFirst().first()).isEqualTo(1);
    }

    @Test
    void expiredLeaseIsReleasedAndCostsNoAttempt() {
        api.lease(request);
        CursorRow.runOut(api, partition, GROUP);

        assertThat(api.release(Holder.of(request, "{}"))).containsExactly(1);
        assertThat(api.lease(LeaseRequest.of(partition, GROUP, 3)).getFirst()).returns(0, LeaseResult::attempts)
                .returns(0L, LeaseResult::first).returns(3L, LeaseResult::end);
    }

    @Test
    void theLeaseOfAnotherConsumerIsNotReleased() {
        api.lease(request);

        assertThat(api.release(Holder.of(LeaseRequest.of(partition, GROUP, 3), "{}"))).isEmpty();
        assertThat(CursorRow.of(api, partition, GROUP).lease()).isEqualTo(request.lease());
    }
}
