package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.Subscription;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SubscribeRoutineTest {
    private static final OffsetDateTime NOON = OffsetDateTime.of(2025, 1, 1, 12, 0, 0, 0, ZoneOffset.UTC);

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void firstSubscriptionStaysInForce() {
        assertThat(subscribe("g", "later", "timestamp", NOON)).isEqualTo(new Subscription("timestamp", NOON));

        assertThat(subscribe("g", "later", "new", null)).isEqualTo(new Subscription("timestamp", NOON));
        assertThat(subscribe("other", "later", "all", null)).isEqualTo(new Subscription("all", null));
    }

    @Test
    void newStartsAtTheHeadOfEveryPartitionThereIs() {
        var partition = database.newPartitionWith(3);
        subscribe("newcomers", partition.queue(), "new", null);

        api.push(new Append(partition, 3, Batch.of("after")));
        api.openCursors(new Opening(partition.id(), "newcomers", null));

        assertThat(api.lease(LeaseRequest.of(partition, "newcomers", 10)).getFirst()).returns(3L, LeaseResult::first)
                .returns(4L, LeaseResult::end);
    }

    @Test
    void newReadsLaterPartitionsFromTheirBeginning() {
        var partition = database.newPartition();
        subscribe("newcomers", partition.queue(), "new", null);

        api.push(new Append(partition, 0, Batch.of("after")));
        api.openCursors(new Opening(partition.id(), "newcomers", null));

        assertThat(api.lease(LeaseRequest.of(partition, "newcomers", 10)).getFirst().first()).isZero();
    }

    @Test
    void repeatedSubscriptionMovesNoCursor() {
        var partition = database.newPartitionWith(1);
        subscribe("newcomers", partition.queue(), "new", null);
        api.push(new Append(partition, 1, Batch.of("after")));

        subscribe("newcomers", partition.queue(), "new", null);

        assertThat(CursorRow.of(api, partition, "newcomers").committed()).isEqualTo(1);
    }

    @Test
    void existingCursorTakesPrecedenceOverTheSubscription() {
        var partition = database.newPartitionWith(2);

        subscribe("workers", partition.queue(), "new", null);

        assertThat(CursorRow.of(api, partition, "workers").committed()).isZero();
    }

    @Test
    void namespaceAndTaskReachTheirQueuesOnly() {
        var wanted = database.newPartitionWith(1, Map.of("namespace", "shop", "task", "mail"));
        var otherTask = database.newPartitionWith(1, Map.of("namespace", "shop", "task", "bill"));
        var otherNamespace = database.newPartitionWith(1, Map.of("namespace", "bank", "task", "mail"));

        api.subscribe("by-both", "", "shop", "mail", "new", null);
        api.subscribe("by-namespace", "", "shop", "", "new", null);

        assertThat(hasCursor(wanted, "by-both")).isTrue();
        assertThat(hasCursor(otherTask, "by-both")).isFalse();
        assertThat(hasCursor(otherNamespace, "by-both")).isFalse();
        assertThat(hasCursor(otherTask, "by-namespace")).isTrue();
        assertThat(hasCursor(otherNamespace, "by-namespace")).isFalse();
    }

    private Subscription subscribe(String group, String queue, String mode, OffsetDateTime fromAt) {
        return api.subscribe(group, queue, "", "", mode, fromAt);
    }

    private boolean hasCursor(Partition partition, String group) {
        return Rows.number(api.connection(),
                "select count(*) from queen.cursor where partition_id = ? and group_name = ?", partition.id(),
                group) == 1;
    }
}
