package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attempts belong to messages: charges, and dead letters after all attempts. */
class RetryAccountingTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @ParameterizedTest
    @ValueSource(strings = {"ffff", "cccc", "fcfc", "cffc", "ccff"})
    void messageIsDeadLetteredOnceAfterAllRetries(String endings) {
        var partition = database.newPartitionWith(3, Map.of("retry_limit", 3, "retry_delay_ms", 0));

        for (int attempt = 0; attempt < endings.length(); attempt++) {
            assertThat(DeadLetter.of(api, partition)).isEmpty();
            var request = LeaseRequest.of(partition, GROUP, 1);
            assertThat(api.lease(request).getFirst()).returns(0L, LeaseResult::first).returns(attempt,
                    LeaseResult::attempts);
            if (endings.charAt(attempt) == 'f') {
                api.nack(List.of(Holder.of(request, "{}")), Failed.of(0));
            } else {
                crash(partition);
            }
        }

        assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::offset, DeadLetter::attempts)
                .containsExactly(tuple(0L, 4));
        assertThat(api.lease(LeaseRequest.of(partition, GROUP, 10)).getFirst()).returns(1L, LeaseResult::first)
                .returns(3L, LeaseResult::end).returns(0, LeaseResult::attempts);
    }

    @Test
    void messageAfterADeadLetterHasAllRetries() {
        var partition = database.newPartitionWith(2, Map.of("retry_limit", 2, "retry_delay_ms", 0));

        for (int delivery = 0; delivery < 6; delivery++) {
            var request = LeaseRequest.of(partition, GROUP, 1);
            assertThat(api.lease(request).getFirst().first()).isEqualTo(delivery / 3);
            api.nack(List.of(Holder.of(request, "{}")), Failed.of(delivery / 3));
        }

        assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::attempts).containsExactly(3, 3);
    }

    @Test
    void noMessageOfABatchThatFailsAsAWholeIsLost() {
        var partition = database.newPartitionWith(5, Map.of("retry_limit", 3, "retry_delay_ms", 0));
        var deliveries = new TreeMap<Long, Integer>();

        for (var request = LeaseRequest.of(partition, GROUP, 5); isLeased(
                request); request = LeaseRequest.of(partition, GROUP, 5)) {
            var row = CursorRow.of(api, partition, GROUP);
            var offsets = LongStream.range(row.committed(), row.leaseEnd()).boxed().toList();
            offsets.forEach(offset -> deliveries.merge(offset, 1, Integer::sum));
            api.nack(List.of(Holder.of(request, "{}")), offsets.stream().map(Failed::of).toArray(Failed[]::new));
        }

        assertThat(deliveries).hasSize(5).values().containsOnly(4);
        assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::offset).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(CursorRow.of(api, partition, GROUP)).returns(5L, CursorRow::committed)
                .returns(0L, CursorRow::completed).returns(5L, CursorRow::dead);
    }

    @Test
    void onlyTheFailedMessageOfAMixedBatchIsRedelivered() {
        var partition = database.newPartitionWith(3);
        var request = LeaseRequest.of(partition, GROUP, 3);
        api.lease(request);

        api.nack(List.of(Holder.of(request, "{[0,1),[2,3)}")), Failed.of(1));

        var again = LeaseRequest.of(partition, GROUP, 3);
        assertThat(api.lease(again).getFirst()).returns(1L, LeaseResult::first).returns("{[2,3)}", LeaseResult::acked)
                .returns(1, LeaseResult::attempts);
        assertThat(api.ack(Holder.of(again, "{[1,2)}")).getFirst().committed()).isEqualTo(3);
        assertThat(CursorRow.of(api, partition, GROUP).completed()).isEqualTo(3);
    }

    @Test
    void messagesBeforeAnOutOfOrderAckAreRedeliveredAfterACrash() {
        var partition = database.newPartitionWith(3);
        var request = LeaseRequest.of(partition, GROUP, 3);
        api.lease(request);
        api.ack(Holder.of(request, "{[2,3)}"));
        crash(partition);

        var delivered = new ArrayList<Long>();
        for (var next = LeaseRequest.of(partition, GROUP, 3); isLeased(
                next); next = LeaseRequest.of(partition, GROUP, 3)) {
            delivered.addAll(unfinished(partition));
            api.ack(Holder.of(next, "{[0,3)}"));
        }

        assertThat(delivered).containsExactly(0L, 1L);
        assertThat(CursorRow.of(api, partition, GROUP)).returns(3L, CursorRow::committed).returns(3L,
                CursorRow::completed);
    }

    @Test
    void groupsAreChargedApart() {
        var partition = database.newPartitionWith(1, Map.of("retry_limit", 0, "retry_delay_ms", 0));
        api.openCursors(new Opening(partition.id(), "others", null));
        var request = LeaseRequest.of(partition, GROUP, 1);
        api.lease(request);

        api.nack(List.of(Holder.of(request, "{}")), Failed.of(0));

        assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::group).containsExactly(GROUP);
        assertThat(api.lease(LeaseRequest.of(partition, "others", 1)).getFirst()).returns("leased", LeaseResult::status)
                .returns(0, LeaseResult::attempts);
    }

    @RepeatedTest(5)
    void onlyFailingMessagesAreDeadLetteredIfConsumersCrashBeforeAnyAck() {
        long seed = Long.getLong("seed", System.nanoTime());
        var random = new Random(seed);
        int retryLimit = random.nextInt(3);
        var partition = database.newPartitionWith(20, Map.of("retry_limit", retryLimit, "retry_delay_ms", 0));
        var poison = poison(random);

        for (var request = LeaseRequest.of(partition, GROUP, 1 + random.nextInt(8)); isLeased(
                request); request = LeaseRequest.of(partition, GROUP, 1 + random.nextInt(8))) {
            var batch = unfinished(partition);
            if (batch.stream().anyMatch(poison::contains)) {
                crash(partition);
            } else {
                api.ack(Holder.of(request, "{[" + batch.getFirst() + "," + (batch.getLast() + 1) + ")}"));
            }
        }

        assertEndsAre(partition, poison, "seed " + seed);
    }

    @RepeatedTest(5)
    void failingMessagesUseAllAttemptsAndOthersAreProcessedOnce() {
        long seed = Long.getLong("seed", System.nanoTime());
        var random = new Random(seed);
        int retryLimit = 1 + random.nextInt(3);
        var partition = database.newPartitionWith(20, Map.of("retry_limit", retryLimit, "retry_delay_ms", 0));
        var poison = poison(random);
        var processed = new TreeMap<Long, Integer>();

        for (var request = LeaseRequest.of(partition, GROUP, 1 + random.nextInt(8)); isLeased(
                request); request = LeaseRequest.of(partition, GROUP, 1 + random.nextInt(8))) {
            for (var offset : unfinished(partition)) {
                processed.merge(offset, 1, Integer::sum);
                if (!poison.contains(offset)) {
                    api.ack(Holder.of(request, "{[" + offset + "," + (offset + 1) + ")}"));
                } else if (random.nextBoolean()) {
                    api.nack(List.of(Holder.of(request, "{}")), Failed.of(offset));
                } else {
                    crash(partition);
                }
                if (CursorRow.of(api, partition, GROUP).isFree()) {
                    break;
                }
            }
        }

        assertEndsAre(partition, poison, "seed " + seed);
        assertThat(DeadLetter.of(api, partition)).as("seed %d", seed).extracting(DeadLetter::attempts)
                .containsOnly(1 + retryLimit);
        processed.keySet().removeAll(poison);
        assertThat(processed.values()).as("how often the others were processed, seed %d", seed).containsOnly(1);
    }

    private void assertEndsAre(Partition partition, Set<Long> poison, String seed) {
        assertThat(DeadLetter.of(api, partition)).as(seed).extracting(DeadLetter::offset)
                .containsExactlyElementsOf(poison);
        assertThat(CursorRow.of(api, partition, GROUP)).as(seed).returns(20L, CursorRow::committed)
                .returns((long) poison.size(), CursorRow::dead).returns(20L - poison.size(), CursorRow::completed)
                .returns(false, CursorRow::isFailing);
    }

    private static Set<Long> poison(Random random) {
        return random.longs(4, 0, 20).boxed().collect(Collectors.toCollection(TreeSet::new));
    }

    private boolean isLeased(LeaseRequest request) {
        return api.lease(request).getFirst().isLeased();
    }

    /** The unfinished messages of the present lease. */
    private List<Long> unfinished(Partition partition) {
        return api.list(rows -> rows.getLong(1), """
                select o
                from queen.cursor c
                cross join lateral generate_series(c.committed, c.lease_end - 1) o
                where c.partition_id = ? and c.group_name = ? and not coalesce(c.acked @> o, false)
                order by o""", partition.id(), GROUP);
    }

    private void crash(Partition partition) {
        CursorRow.runOut(api, partition, GROUP);
        api.expire(new Reader(partition.id(), GROUP));
    }
}
