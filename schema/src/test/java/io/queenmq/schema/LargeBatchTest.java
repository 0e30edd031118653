package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.Reader;
import io.queenmq.schema.Api.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The time to fail, expire or dead-letter many messages in one call is linear in their number, with any plan of the
 * session. A quadratic step exceeds the statement timeout.
 */
class LargeBatchTest {
    private static final String GROUP = "workers";
    private static final int MESSAGES = 10_000;
    private static final int TIMEOUT_MS = 5_000;

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @AfterEach
    void resetSession() {
        api.execute("rollback");
        api.execute("reset statement_timeout");
        api.execute("reset plan_cache_mode");
    }

    @ParameterizedTest
    @CsvSource({"10000,force_generic_plan", "10000,force_custom_plan", "1,force_generic_plan", "1,auto"})
    void wholeBatchFailsAgainAndAgain(int perSegment, String planMode) {
        var partition = filled(MESSAGES, perSegment, 20, Map.of("retry_delay_ms", 0, "retry_limit", 5));
        limit(planMode);

        for (int failures = 1; failures <= 4; failures++) {
            assertThat(fail(partition, MESSAGES, _ -> true, _ -> "boom")).as("dead letters").isZero();
            assertThat(runs(partition)).containsExactly("0 " + MESSAGES + " " + failures + " boom");
        }
    }

    /** No two adjacent messages failed alike, so that each is a separate run. */
    @ParameterizedTest
    @CsvSource({"force_generic_plan", "force_custom_plan"})
    void everyMessageFailsForAReasonOfItsOwn(String planMode) {
        var partition = filled(MESSAGES, 100, 20, Map.of("retry_delay_ms", 0, "retry_limit", 5));
        limit(planMode);

        for (int failures = 1; failures <= 3; failures++) {
            fail(partition, MESSAGES, _ -> true, offset -> "error " + offset);
            assertThat(runs(partition)).hasSize(MESSAGES).startsWith("0 1 " + failures + " error 0");
        }
    }

    @ParameterizedTest
    @CsvSource({"10000,force_generic_plan", "1,force_generic_plan", "10000,auto"})
    void everySecondMessageFailsAgainAndAgain(int perSegment, String planMode) {
        var partition = filled(MESSAGES, perSegment, 20, Map.of("retry_delay_ms", 0, "retry_limit", 5));
        limit(planMode);

        for (int failures = 1; failures <= 3; failures++) {
            fail(partition, MESSAGES, offset -> offset % 2 == 1, _ -> "boom");
            assertThat(runs(partition)).hasSize(MESSAGES / 2).startsWith("1 1 " + failures + " boom");
        }
    }

    @ParameterizedTest
    @CsvSource({"10000,force_generic_plan", "1,force_generic_plan", "10000,force_custom_plan"})
    void wholeBatchIsDeadLettered(int perSegment, String planMode) {
        var partition = filled(MESSAGES, perSegment, 300, Map.of("retry_delay_ms", 0, "retry_limit", 0));
        limit(planMode);

        assertThat(fail(partition, MESSAGES, _ -> true, _ -> "boom")).isEqualTo(MESSAGES);

        assertThat(api.list(rows -> rows.getString(1),
                "select transaction_id || convert_from(line, 'UTF8') from queen.dead_letter where partition_id = ?"
                        + " order by message_offset",
                partition.id()))
                .isEqualTo(LongStream.range(0, MESSAGES).mapToObj(offset -> "m" + offset + line(offset, 300)).toList());
        assertThat(CursorRow.of(api, partition, GROUP)).returns((long) MESSAGES, CursorRow::committed)
                .returns((long) MESSAGES, CursorRow::dead).returns(false, CursorRow::isFailing);
        assertThat(runs(partition)).isEmpty();
    }

    @Test
    void everySecondMessageIsDeadLettered() {
        var partition = filled(MESSAGES, 2_500, 300, Map.of("retry_delay_ms", 0, "retry_limit", 0));
        limit("force_generic_plan");

        assertThat(fail(partition, MESSAGES, offset -> offset % 2 == 1, offset -> "error " + offset))
                .isEqualTo(MESSAGES / 2);

        assertThat(DeadLetter.of(api, partition)).hasSize(MESSAGES / 2).first()
                .isEqualTo(new DeadLetter(GROUP, 1, line(1, 300), "error 1", 1));
        assertThat(CursorRow.of(api, partition, GROUP)).returns((long) MESSAGES, CursorRow::committed);
    }

    @ParameterizedTest
    @CsvSource({"force_generic_plan", "auto"})
    void leaseOfTheWholeBatchExpiresAgainAndAgain(String planMode) {
        var partition = filled(MESSAGES, 100, 20, Map.of("retry_limit", 5));
        limit(planMode);

        for (int failures = 1; failures <= 4; failures++) {
            var request = LeaseRequest.of(partition, GROUP, MESSAGES).forSeconds(0);
            assertThat(api.lease(request).getFirst().end()).isEqualTo(MESSAGES);
            assertThat(api.expire(Reader.of(request))).hasSize(1);
            assertThat(api.list(rows -> rows.getInt(1), "select attempts from queen.failure where partition_id = ?",
                    partition.id())).containsExactly(failures);
        }
    }

    @Test
    void transactionFailsTheWholeBatch() {
        var partition = filled(MESSAGES, 100, 20, Map.of("retry_delay_ms", 0, "retry_limit", 5));
        limit("force_generic_plan");

        for (int failures = 1; failures <= 3; failures++) {
            var request = LeaseRequest.of(partition, GROUP, MESSAGES);
            api.lease(request);
            api.transact(new Transaction(List.of(), List.of(Holder.of(request, "{}")),
                    LongStream.range(0, MESSAGES).mapToObj(Failed::of).toList(), List.of(request.lease())));
            assertThat(runs(partition)).containsExactly("0 " + MESSAGES + " " + failures + " boom");
        }
    }

    /** A hundred consumers fail a hundred messages each in one call. */
    @Test
    void manyLeasesFailInOneCall() {
        var partitions = database.newPartitionsTogether(100, Map.of("retry_delay_ms", 0, "retry_limit", 5));
        partitions.forEach(partition -> fill(partition, 100, 10, 20));
        limit("force_generic_plan");

        for (int failures = 1; failures <= 3; failures++) {
            var requests = partitions.stream().map(partition -> LeaseRequest.of(partition, GROUP, 100))
                    .toArray(LeaseRequest[]::new);
            assertThat(api.lease(requests)).allMatch(LeaseResult::isLeased);
            var failed = new ArrayList<Failed>();
            for (int i = 0; i < requests.length; i++) {
                for (long offset = 0; offset < 100; offset++) {
                    failed.add(new Failed(i + 1, offset, "failed", "error " + offset));
                }
            }
            api.nack(List.of(requests).stream().map(request -> Holder.of(request, "{}")).toList(),
                    failed.toArray(Failed[]::new));
        }

        assertThat(runs(partitions.getLast())).hasSize(100).startsWith("0 1 3 error 0");
    }

    /** Each of the failed messages is delivered alone, so a lease that read all their runs would make that quadratic. */
    @ParameterizedTest
    @CsvSource({"force_generic_plan", "force_custom_plan"})
    void lastAttemptIsLeasedWithoutReadingTheOtherFailures(String planMode) {
        var partition = filled(MESSAGES, 1_000, 20, Map.of("retry_delay_ms", 0, "retry_limit", 1));
        fail(partition, MESSAGES, offset -> offset % 2 == 1, _ -> "boom");
        limit(planMode);

        api.execute("begin");
        long before = failuresRead();
        assertThat(api.lease(LeaseRequest.of(partition, GROUP, MESSAGES)).getFirst()).returns(1L, LeaseResult::first)
                .returns(2L, LeaseResult::end).returns(true, LeaseResult::isAlone);
        assertThat(failuresRead() - before).as("rows of failures").isLessThan(20);
    }

    private long failuresRead() {
        return Rows.number(api.connection(), "select sum(seq_tup_read) + sum(coalesce(idx_tup_fetch, 0))"
                + " from pg_stat_xact_user_tables where relname = 'failure'");
    }

    /** As large as a pop with the largest batch and a raised POP_MAX_BYTES. */
    @Tag("nightly")
    @ParameterizedTest
    @CsvSource({"1000,100000,10", "1000,100000,1000", "100000,300,1000", "100000,300,1"})
    void largerBatchesAreDeadLettered(int messages, int bytes, int perSegment) {
        var partition = filled(messages, perSegment, bytes, Map.of("retry_delay_ms", 0, "retry_limit", 1));
        limit("force_generic_plan");
        api.execute("set statement_timeout = '30s'");

        assertThat(fail(partition, messages, _ -> true, _ -> "boom")).isZero();
        assertThat(failUnderOneLease(partition, messages)).isEqualTo(messages);

        assertThat(CursorRow.of(api, partition, GROUP)).returns((long) messages, CursorRow::dead);
    }

    /** The last attempt is leased alone; a lease that began before the limit was lowered covers all of them. */
    private long failUnderOneLease(Partition partition, int messages) {
        api.execute("update queen.queue set retry_limit = 9 where id = '" + partition.queueId() + "'");
        var request = LeaseRequest.of(partition, GROUP, messages);
        api.lease(request);
        api.execute("update queen.queue set retry_limit = 1 where id = '" + partition.queueId() + "'");
        return api
                .nack(List.of(Holder.of(request, "{}")),
                        LongStream.range(0, messages).mapToObj(Failed::of).toArray(Failed[]::new))
                .items().stream().filter(Api.Verdict::isDead).count();
    }

    /** Leases everything, fails the chosen messages and completes the others; returns the number of new dead letters. */
    private long fail(Partition partition, int messages, LongPredicate isFailed, LongFunction<String> error) {
        var request = LeaseRequest.of(partition, GROUP, messages);
        assertThat(api.lease(request).getFirst()).returns((long) messages, LeaseResult::end);
        var completed = new StringBuilder();
        LongStream.range(0, messages).filter(isFailed.negate()).forEach(offset -> completed
                .append(completed.isEmpty() ? "[" : ",[").append(offset).append(',').append(offset + 1).append(')'));
        var nacked = api.nack(List.of(Holder.of(request, "{" + completed + "}")),
                LongStream.range(0, messages).filter(isFailed)
                        .mapToObj(offset -> new Failed(1, offset, "failed", error.apply(offset)))
                        .toArray(Failed[]::new));
        assertThat(nacked.holders()).allMatch(Api.CursorState::isLive);
        return nacked.items().stream().filter(Api.Verdict::isDead).count();
    }

    private void limit(String planMode) {
        api.execute("set plan_cache_mode = " + planMode);
        api.execute("set statement_timeout = " + TIMEOUT_MS);
    }

    private Partition filled(int messages, int perSegment, int bytes, Map<String, Object> options) {
        var partition = database.newPartition(options);
        fill(partition, messages, perSegment, bytes);
        return partition;
    }

    private void fill(Partition partition, int messages, int perSegment, int bytes) {
        api.execute("begin");
        for (int base = 0; base < messages; base += perSegment) {
            api.push(new Append(partition, base, Batch.ofLines(
                    LongStream.range(base, base + perSegment).mapToObj(offset -> line(offset, bytes)).toList())));
        }
        api.execute("commit");
        api.openCursors(new Opening(partition.id(), GROUP, null));
    }

    private static String line(long offset, int bytes) {
        return Batch.line("\"m" + offset + '"', "null", "null", '"' + "x".repeat(bytes) + '"');
    }

    private List<String> runs(Partition partition) {
        return api.list(rows -> rows.getString(1),
                "select message_offset || ' ' || message_count || ' ' || attempts || ' ' || error from queen.failure"
                        + " where partition_id = ? order by message_offset",
                partition.id());
    }
}
