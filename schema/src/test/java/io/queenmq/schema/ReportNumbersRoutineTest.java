package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Reports of servers are added up, each once, in the buckets of their time. */
class ReportNumbersRoutineTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final UUID queue = database.newPartition().queueId();
    private final UUID here = UUID.randomUUID();
    private final UUID there = UUID.randomUUID();

    @Test
    void reportsOfOneMinuteAddUp() {
        assertThat(NumbersReport.of(here, 1, 3, queue).send(api)).isTrue();
        assertThat(NumbersReport.of(here, 2, 4, queue).send(api)).isTrue();

        for (int minutes : new int[]{1, 60}) {
            assertThat(sum("push_requests + push_messages + pop_requests + pop_messages + pop_empty + ack_requests"
                    + " + ack_success + ack_failed + transactions + partitions_created + lag_sum_ms", minutes))
                    .isEqualTo(11 * 7);
            assertThat(sum("lag_max_ms", minutes)).as("the greater one counts").isBetween(4L, 7L);
            assertThat(number("select sum(push_messages + db_errors) from queen.server_bucket where server_id = '"
                    + here + "' and minutes = " + minutes)).isEqualTo(14);
            assertThat(number("select sum(samples * 100 + sum) from queen.server_gauge where server_id = '" + here
                    + "' and minutes = " + minutes)).isEqualTo(207);
        }
    }

    @Test
    void aRepeatedReportCountsOnce() {
        long before = number("select push_messages from queen.lifetime");
        NumbersReport report = NumbersReport.of(here, 1, 5, queue);
        report.send(api);

        assertThat(report.send(api)).isFalse();
        assertThat(NumbersReport.of(here, 2, 5, queue).send(api)).isTrue();
        assertThat(report.send(api)).as("late and again").isFalse();

        assertThat(sum("push_messages", 1)).isEqualTo(10);
        assertThat(number("select ack_success from queen.queue_lifetime where queue_id = '" + queue + "'"))
                .isEqualTo(10);
        assertThat(number("select push_messages from queen.lifetime") - before).isEqualTo(10);
        assertThat(number("select count from queen.refusal_sum where reason = 'full' and queue_id = '" + queue + "'"))
                .isEqualTo(10);
    }

    @Test
    void serversHaveBucketsOfTheirOwnAndTotalsInCommon() {
        NumbersReport.of(here, 1, 2, queue).send(api);
        NumbersReport.of(there, 1, 3, queue).from("worker-2").send(api);

        assertThat(number("select count(distinct server_id) from queen.queue_bucket where queue_id = '" + queue + "'"))
                .isEqualTo(2);
        assertThat(number("select push_messages from queen.queue_lifetime where queue_id = '" + queue + "'"))
                .isEqualTo(5);
    }

    @Test
    void aLateReportIsAddedToTheTimeOfItsCounts() {
        NumbersReport.of(here, 1, 2, queue).aged(7200).send(api);
        NumbersReport.of(here, 2, 3, queue).send(api);

        assertThat(number("select sum(push_messages) from queen.queue_bucket where queue_id = '" + queue
                + "' and minutes = 1 and at < now() - interval '1 hour 50 minutes'")).isEqualTo(2);
        assertThat(number("select count(*) from queen.queue_bucket where queue_id = '" + queue + "' and minutes = 60"))
                .isEqualTo(2);
    }

    @Test
    void refusedPushesAreAddedToTheirMinuteAndTheTotal() {
        NumbersReport.of(here, 1, 2, queue).aged(7200).send(api);
        NumbersReport.of(there, 1, 3, queue).send(api);

        assertThat(api.list(rows -> rows.getLong(1), "select count from queen.refusal_minute where queue_id = '" + queue
                + "' and reason = 'full' order by at")).containsExactly(2L, 3L);
        assertThat(number("select count from queen.refusal_sum where queue_id = '" + queue + "'")).isEqualTo(5);
    }

    private long sum(String columns, int minutes) {
        return number("select sum(" + columns + ") from queen.queue_bucket where queue_id = '" + queue
                + "' and minutes = " + minutes);
    }

    private long number(String sql) {
        return api.list(rows -> rows.getLong(1), sql).getFirst();
    }
}
