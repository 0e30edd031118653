package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Renewal;
import io.queenmq.schema.Api.Renewed;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RenewRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void emptyRenewalReturnsNoRow() {
        assertThat(api.renew()).isEmpty();
    }

    @Test
    void liveLeaseLastsLonger() {
        var partition = database.newPartitionWith(1);
        var request = LeaseRequest.of(partition, GROUP, 1);
        api.lease(request);

        var renewed = api.renew(new Renewal(request.lease(), 600)).getFirst();

        assertThat(renewed.untilAt()).isCloseTo(OffsetDateTime.now().plusMinutes(10), within(1, ChronoUnit.MINUTES));
        assertThat(CursorRow.of(api, partition, GROUP).leaseUntil()).isEqualTo(renewed.untilAt());
    }

    @Test
    void leaseIsNeverShortened() {
        var partition = database.newPartitionWith(1);
        var request = LeaseRequest.of(partition, GROUP, 1).forSeconds(600);
        api.lease(request);
        var until = CursorRow.of(api, partition, GROUP).leaseUntil();

        assertThat(api.renew(new Renewal(request.lease(), 1))).containsExactly(new Renewed(1, until, false));
    }

    @Test
    void expiredLeaseIsNotRenewed() {
        var partition = database.newPartitionWith(1);
        var request = LeaseRequest.of(partition, GROUP, 1);
        api.lease(request);
        CursorRow.runOut(api, partition, GROUP);
        var before = CursorRow.of(api, partition, GROUP);

        assertThat(api.renew(new Renewal(request.lease(), 60))).isEmpty();
        assertThat(CursorRow.of(api, partition, GROUP)).isEqualTo(before);
    }

    @Test
    void unknownLeaseReturnsNoRow() {
        assertThat(api.renew(new Renewal(UUID.randomUUID(), 60))).isEmpty();
    }

    @Test
    void everyPartitionOfTheLeaseLastsLonger() {
        var partitions = database.newPartitionsTogether(3);
        var lease = partitions.getFirst().newLeaseId();
        for (var partition : partitions) {
            api.push(new Append(partition, 0, Batch.ofSize(1)));
            api.openCursors(new Api.Opening(partition.id(), GROUP, null));
            api.lease(LeaseRequest.of(partition, GROUP, 9).as(lease));
        }

        var renewed = api.renew(new Renewal(lease, 600));

        assertThat(renewed).hasSize(1);
        assertThat(partitions).allSatisfy(partition -> assertThat(CursorRow.of(api, partition, GROUP).leaseUntil())
                .isAfterOrEqualTo(renewed.getFirst().untilAt()));
    }

    @Test
    void resultsHaveThePositionsOfTheLeases() {
        var dead = LeaseRequest.of(database.newPartitionWith(1), GROUP, 1).forSeconds(0);
        var live = LeaseRequest.of(database.newPartitionWith(1), GROUP, 1);
        api.lease(dead, live);

        assertThat(api.renew(new Renewal(dead.lease(), 60), new Renewal(live.lease(), 60))).extracting(Renewed::index)
                .containsExactly(2);
    }
}
