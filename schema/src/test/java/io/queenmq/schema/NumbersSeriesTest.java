package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Series over a range: the width of buckets, their counts, and no missing bucket. */
class NumbersSeriesTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final Partition partition = database.newPartition();
    private final Partition other = database.newPartition();
    private final UUID here = UUID.randomUUID();
    private final UUID there = UUID.randomUUID();

    @BeforeEach
    void begin() {
        api.execute("truncate queen.queue_bucket, queen.server_bucket, queen.server_gauge, queen.server,"
                + " queen.refusal_minute, queen.refusal_sum");
        api.everywhere("truncate retention_minute");
    }

    @ParameterizedTest
    @CsvSource({"60 minutes, 1", "61 minutes, 5", "6 hours, 5", "7 hours, 15", "24 hours, 15", "25 hours, 60",
        "7 days, 60", "8 days, 360", "90 days, 360"})
    void theLongerTheRangeTheWiderTheBuckets(String range, int minutes) {
        for (String routine : List.of("status(null, null, null, ", "worker_metrics(null, null, ", "queue_ops(null, ",
                "system_metrics(null, null, ", "waiting_pops_by_server(null, ", "retention_series(null, ")) {
            assertThat(text(routine + ago(range) + ", now())", "bucketMinutes")).as(routine)
                    .isEqualTo(Integer.toString(minutes));
        }
    }

    @Test
    void aSeriesHasEveryBucketWithItsOwnCounts() {
        long age = midOfLastMinute();
        NumbersReport.of(here, 1, 3, partition.queueId()).aged(age + 1800).send(api);
        NumbersReport.of(here, 2, 4, partition.queueId()).aged(age).send(api);
        NumbersReport.of(there, 1, 5, partition.queueId()).aged(age).send(api);

        assertThat(list("status(null, null, null, null, null)", "throughput", "ingested")).hasSize(61)
                .filteredOn(each -> !each.equals("0")).containsExactly("9", "3");
        assertThat(list("worker_metrics(null, null, null, null)", "timeSeries", "pushMessages")).hasSize(61)
                .filteredOn(each -> !each.equals("0")).containsExactly("3", "9");
        assertThat(list("status_analytics(null, null, null, 'minute', " + ago("1 hour") + ", null)", "dataPoints",
                "messages")).hasSize(61).filteredOn(each -> !each.equals("0")).containsExactly("3", "9");
        assertThat(list("status_analytics(null, null, null, 'day', " + ago("10 days") + ", null)", "dataPoints",
                "messages")).hasSize(11);
        assertThat(list("status_analytics(null, null, null, null, null, null)", "dataPoints", "messages")).hasSize(25);
    }

    @Test
    void aLongRangeCountsTheSameAsItsMinutes() {
        for (int hours = 0; hours < 72; hours++) {
            NumbersReport.of(here, hours + 1, 1, partition.queueId()).aged(hours * 3600).send(api);
        }

        assertThat(list("status(null, null, null, " + ago("80 hours") + ", null)", "throughput", "ingested").stream()
                .mapToLong(Long::parseLong).sum()).isEqualTo(72);
        assertThat(list("queue_ops(null, " + ago("30 days") + ", null)", "series", "ackSuccess").stream()
                .mapToLong(Long::parseLong).sum()).isEqualTo(72);
    }

    @Test
    void filtersAreExact() {
        NumbersReport.of(here, 1, 2, partition.queueId()).from("worker-1").send(api);
        NumbersReport.of(there, 1, 3, other.queueId()).from("worker-2").send(api);

        assertThat(text("status('" + partition.queue() + "', null, null, null, null)", "messages,requests,push"))
                .isEqualTo("2");
        assertThat(text("status(null, null, null, null, null)", "messages,requests,push")).isEqualTo("5");
        assertThat(text("status('missing', null, null, null, null)", "messages,requests,push")).isEqualTo("0");
        assertThat(text("worker_metrics('host', 'worker-2', null, null)", "summary,totalPushMessages")).isEqualTo("3");
        assertThat(text("system_metrics(null, 'worker-2', null, null)", "replicaCount")).isEqualTo("1");
        assertThat(list("queue_ops('" + other.queue() + "', null, null)", "series", "queueName"))
                .containsExactly(other.queue());
    }

    @Test
    void waitingPopsAreTheSumOfTheMaximaOfServers() {
        long age = midOfLastMinute();
        NumbersReport.of(here, 1, 2, partition.queueId()).from("worker-1").aged(age).send(api);
        NumbersReport.of(here, 2, 1, partition.queueId()).from("worker-1").aged(age).send(api);
        NumbersReport.of(there, 1, 3, partition.queueId()).from("worker-2").aged(age).send(api);

        assertThat(list("queue_ops(null, " + ago("5 hours") + ", null)", "series", "parkedCount")).containsExactly("5");
        assertThat(list("waiting_pops_by_server(null, " + ago("5 hours") + ", null)", "series", "parkedCount"))
                .containsExactly("2", "3");
        assertThat(list("waiting_pops_by_server(null, null, null)", "replicas", "workerId")).containsExactly("worker-1",
                "worker-2");
    }

    @Test
    void upkeepIsShownByReason() {
        api.in(partition, "insert into retention_minute values (date_trunc('minute', now()), '" + partition.queueId()
                + "', 1, 2, 3), (date_trunc('minute', now()), '" + other.queueId() + "', 10, 20, 30)");

        assertThat(text("retention_series(null, null, null)", "totals,totalMsgs")).isEqualTo("66");
        assertThat(text("retention_series('" + partition.queue() + "', null, null)", "totals,evictionMsgs"))
                .isEqualTo("3");
        assertThat(list("retention_series(null, null, null)", "series", "retentionMsgs")).hasSize(61)
                .filteredOn(each -> !each.equals("0")).containsExactly("11");
    }

    @Test
    void anImpossibleRangeIsRefused() {
        assertThatThrownBy(() -> text("status(null, null, null, now(), now() - interval '1 hour')", "timeRange"))
                .hasMessageContaining("from must not be later than to");
        assertThatThrownBy(() -> text("queue_lag(null, '1900-01-01', now())", "timeRange"))
                .hasMessageContaining("longer than ten years");
        assertThatThrownBy(
                () -> text("status_analytics(null, null, null, 'minute', " + ago("8 days") + ", null)", "interval"))
                .hasMessageContaining("more than 10000 points");
    }

    @Test
    void prometheusShowsTheLastFullMinuteWithEscapedLabels() {
        api.execute("update queen.queue set name = e'a \"b\"\\\\\nc' where id = '" + other.queueId() + "'");
        // In one transaction, and so in one minute.
        api.execute("begin");
        NumbersReport.of(here, 1, 7, other.queueId()).aged(midOfLastMinute()).send(api);

        String text = text("prometheus(200)");
        api.execute("commit");

        assertThat(text).contains("queen_queue_push_messages_per_minute{queue=\"a \\\"b\\\"\\\\\\nc\"} 7\n",
                "queen_worker_requests_per_minute{hostname=\"host\",worker_id=\"worker-1\",pid=\"1\",op=\"push\"} 7",
                "queen_cluster_push_messages_total{scope=\"cluster\"} ", "queen_dlq_depth{scope=\"cluster\"} 0");
        assertThat(text.lines()).allMatch(
                line -> line.matches("# HELP \\w+ [1A-Z].*[.]|# TYPE \\w+ (counter|gauge)|\\w+\\{.*\\} -?[0-9.]+"));
    }

    /** Returns the age in seconds: reports sent within half a minute then belong to the same one. */
    private long midOfLastMinute() {
        return 30 + api.list(rows -> rows.getLong(1), "select extract(second from now())::bigint").getFirst();
    }

    private static String ago(String range) {
        return "now() - interval '" + range + "'";
    }

    private String text(String call) {
        return api.list(rows -> rows.getString(1), "select " + api.schema() + "." + call).getFirst();
    }

    private String text(String call, String path) {
        return api
                .list(rows -> rows.getString(1), "select " + api.schema() + "." + call + "::json #>> '{" + path + "}'")
                .getFirst();
    }

    private List<String> list(String call, String series, String field) {
        return api.list(rows -> rows.getString(1), "select e ->> '" + field + "' from json_array_elements("
                + api.schema() + "." + call + "::json -> '" + series + "') e");
    }
}
