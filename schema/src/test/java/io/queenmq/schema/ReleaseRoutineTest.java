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
    private final Wish wish = Wish.of(partition, GROUP, 3);

    @Test
    void nothingReleasedGivesNoRow() {
        assertThat(api.release()).isEmpty();
    }

    @Test
    void releasedLeaseIsAsIfItHadNeverBeenGiven() {
        api.lease(wish);

        assertThat(api.release(Holder.of(wish, "{}"))).containsExactly(1);

        assertThat(CursorRow.of(api, partition, GROUP).isFree()).isTrue();
        assertThat(api.lease(Wish.of(partition, GROUP, 3)).getFirst()).returns(0, Given::attempts)
                .returns(0L, Given::first).returns(3L, Given::end);
    }

    @Test
    void messagesFinishedUnderTheLeaseStayFinished() {
        api.lease(wish);
        api.ack(Holder.of(wish, "{[0,1)}"));

        api.release(Holder.of(wish, "{}"));

        assertThat(api.lease(Wish.of(partition, GROUP, 3)).getFirst().first()).isEqualTo(1);
    }

    @Test
    void expiredLeaseIsReleasedAndCostsNoAttempt() {
        api.lease(wish);
        CursorRow.runOut(api, partition, GROUP);

        assertThat(api.release(Holder.of(wish, "{}"))).containsExactly(1);
        assertThat(api.lease(Wish.of(partition, GROUP, 3)).getFirst()).returns(0, Given::attempts)
                .returns(0L, Given::first).returns(3L, Given::end);
    }

    @Test
    void someoneElsesLeaseIsNotReleased() {
        api.lease(wish);

        assertThat(api.release(Holder.of(Wish.of(partition, GROUP, 3), "{}"))).isEmpty();
        assertThat(CursorRow.of(api, partition, GROUP).lease()).isEqualTo(wish.lease());
    }
}
