package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.CursorState;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Verdict;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NackRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void emptyNackReturnsNoRow() {
        var nacked = api.nack(List.of());

        assertThat(nacked.holders()).isEmpty();
        assertThat(nacked.items()).isEmpty();
    }

    @Test
    void failedMessageEndsTheLeaseAndStays() {
        var request = leased(database.newPartitionWith(3));

        var nacked = api.nack(List.of(Holder.of(request, "{[0,1)}")), Failed.of(1));

        assertThat(nacked.holders()).containsExactly(new CursorState(1, true, true, 1, null));
        assertThat(nacked.items()).containsExactly(new Verdict(1, false));
    }

    @Test
    void messageIsDeadLetteredAfterItsLastRetry() {
        var partition = database.newPartitionWith(2, Map.of("retry_limit", 1, "retry_delay_ms", 0));

        assertThat(fail(partition, Failed.of(0)).items()).containsExactly(new Verdict(1, false));
        var last = fail(partition, new Failed(1, 0, "failed", "worse"));

        assertThat(last.items()).containsExactly(new Verdict(1, true));
        assertThat(last.holders()).containsExactly(new CursorState(1, true, true, 1, null));
        assertThat(DeadLetter.of(api, partition))
                .containsExactly(new DeadLetter(GROUP, 0, Batch.line("m0"), "worse", 2));
        assertThat(CursorRow.of(api, partition, GROUP)).returns(0L, CursorRow::completed).returns(1L, CursorRow::dead)
                .returns(false, CursorRow::isFailing);
    }

    @Test
    void dlqDeadLettersAtOnceAndKeepsTheLease() {
        var partition = database.newPartitionWith(3);
        var request = leased(partition);

        var nacked = api.nack(List.of(Holder.of(request, "{}")), new Failed(1, 1, "dlq", null));

        assertThat(nacked.holders()).containsExactly(new CursorState(1, true, false, 0, "{[1,2)}"));
        assertThat(nacked.items()).containsExactly(new Verdict(1, true));
        assertThat(DeadLetter.of(api, partition)).containsExactly(new DeadLetter(GROUP, 1, Batch.line("m1"), null, 1));
        assertThat(api.ack(Holder.of(request, "{[0,1),[2,3)}")))
                .containsExactly(new CursorState(1, true, true, 3, null));
        assertThat(CursorRow.of(api, partition, GROUP)).returns(2L, CursorRow::completed).returns(1L, CursorRow::dead);
    }

    @Test
    void retryCountsNothing() {
        var partition = database.newPartitionWith(2, Map.of("retry_limit", 0));

        for (int round = 0; round < 3; round++) {
            assertThat(fail(partition, new Failed(1, 0, "retry", null)).items()).containsExactly(new Verdict(1, false));
        }

        assertThat(api.lease(LeaseRequest.of(partition, GROUP, 2)).getFirst()).returns(0, LeaseResult::attempts)
                .returns(2L, LeaseResult::end);
    }

    @ParameterizedTest
    @CsvSource({"1000, 1, 1, 1000", "1000, 1, 2, 1000", "1000, 1, 99, 1000", "7200000, 1, 40, 7200000",
        "1000, 2, 1, 1000", "1000, 2, 2, 2000", "1000, 2, 4, 8000", "1000, 2, 40, 900000", "1, 2, 40, 900000",
        "1000, 1.5, 3, 2250", "7200000, 2, 3, 7200000", "2147483647, 10, 40, 2147483647",
        "2147483647, 10, 9999, 2147483647"})
    void retryDelayGrowsWithTheBackoffUpToAQuarterOfAnHourOrItself(int delayMs, double backoff, int attempts,
            int expectedMs) {
        var partition = database.newPartitionWith(1,
                Map.of("retry_limit", 10_000, "retry_delay_ms", delayMs, "retry_backoff", backoff));
        fail(partition, Failed.of(0));
        api.everywhere(
                "update failure set attempts = " + (attempts - 1) + " where partition_id = '" + partition.id() + "'");
        if (attempts == 1) {
            api.everywhere("delete from failure where partition_id = '" + partition.id() + "'");
        }
        api.everywhere("update cursor set retry_at = null where partition_id = '" + partition.id() + "'");

        var before = now();
        fail(partition, Failed.of(0));

        assertThat(CursorRow.of(api, partition, GROUP).retryAt()).isBetween(before.plus(Duration.ofMillis(expectedMs)),
                now().plus(Duration.ofMillis(expectedMs)));
    }

    private OffsetDateTime now() {
        return api.list(rows -> rows.getObject(1, OffsetDateTime.class), "select clock_timestamp()").getFirst();
    }

    @Test
    void aDelaySetToZeroDelaysNothing() {
        var partition = database.newPartitionWith(1, Map.of("retry_delay_ms", 60_000));
        fail(partition, Failed.of(0));
        api.configure(partition.queue(), Map.of("retry_delay_ms", 0));
        api.everywhere("update cursor set retry_at = null where partition_id = '" + partition.id() + "'");

        fail(partition, Failed.of(0));

        assertThat(CursorRow.of(api, partition, GROUP).retryAt()).isNull();
    }

    @Test
    void partitionWaitsForTheFailedMessageOnlyWhenItIsNext() {
        var partition = database.newPartitionWith(3, Map.of("retry_delay_ms", 60_000));
        fail(partition, Failed.of(1));
        assertThat(CursorRow.of(api, partition, GROUP).retryAt()).isNull();

        var request = leased(partition);
        api.ack(Holder.of(request, "{[0,1)}"));

        assertThat(api.lease(LeaseRequest.of(partition, GROUP, 3)).getFirst().status()).isEqualTo("waiting");
    }

    @Test
    void anExpiredLeaseHasNoEffect() {
        var partition = database.newPartitionWith(1);
        var request = leased(partition);
        CursorRow.runOut(api, partition, GROUP);
        var before = CursorRow.of(api, partition, GROUP);

        var nacked = api.nack(List.of(Holder.of(request, "{[0,1)}")), new Failed(1, 0, "dlq", null));

        assertThat(nacked.holders()).extracting(CursorState::isLive).containsExactly(false);
        assertThat(nacked.items()).isEmpty();
        assertThat(CursorRow.of(api, partition, GROUP)).isEqualTo(before);
        assertThat(DeadLetter.of(api, partition)).isEmpty();
    }

    @Test
    void messagesThatAreFinishedOrNotLeasedCannotFail() {
        var partition = database.newPartitionWith(5);
        var request = leased(partition, 3);
        api.ack(Holder.of(request, "{[0,1),[2,3)}"));

        var nacked = api.nack(List.of(Holder.of(request, "{}")), Failed.of(0), Failed.of(2), Failed.of(3));

        assertThat(nacked.items()).isEmpty();
        assertThat(nacked.holders()).containsExactly(new CursorState(1, true, false, 1, "{[2,3)}"));
    }

    @Test
    void holdersAreJudgedApart() {
        var dead = leased(database.newPartitionWith(1));
        var good = leased(database.newPartitionWith(2));
        api.everywhere("update cursor set lease_until = now() where partition_id = '" + dead.partition() + "'");

        var nacked = api.nack(List.of(Holder.of(dead, "{}"), Holder.of(good, "{[0,1)}")), new Failed(1, 0, "dlq", null),
                new Failed(2, 1, "dlq", null));

        assertThat(nacked.items()).containsExactly(new Verdict(2, true));
        assertThat(nacked.holders()).extracting(CursorState::isLive).containsExactly(false, true);
    }

    @Test
    void deadLetterOutlivesItsSegment() {
        var partition = database.newPartitionWith(1);
        fail(partition, new Failed(1, 0, "dlq", "gone for good"));

        api.everywhere("delete from segment where partition_id = '" + partition.id() + "'");

        assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::line).containsExactly(Batch.line("m0"));
    }

    private Api.Nacked fail(Partition partition, Failed item) {
        return api.nack(List.of(Holder.of(leased(partition), "{}")), item);
    }

    private LeaseRequest leased(Partition partition) {
        return leased(partition, 10);
    }

    private LeaseRequest leased(Partition partition, int batch) {
        var request = LeaseRequest.of(partition, GROUP, batch);
        assertThat(api.lease(request)).extracting(LeaseResult::status).containsExactly("leased");
        return request;
    }
}
