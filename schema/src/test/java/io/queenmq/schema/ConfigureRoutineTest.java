package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ConfigureRoutineTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void newQueueHasTheDefaultsAndItsPartition() {
        var queue = api.configure("fresh", Map.of());

        assertThat(queue).returns(300, Queue::leaseTimeS).returns(3, Queue::retryLimit)
                .returns(1000, Queue::retryDelayMs).returns("", Queue::namespace).returns("", Queue::task);
        assertThat(
                api.list(rows -> rows.getString(1), "select name from queen.partition where queue_id = ?", queue.id()))
                .containsExactly("Default");
        assertThat(api.list(rows -> rows.getString(1), "select id::text from queen.partition where queue_id = ?",
                queue.id())).containsExactly(database.partition(queue.id(), "fresh", "Default").id().toString());
    }

    @Test
    void omittedOptionsDoNotChange() {
        api.configure("kept", Map.of("retry_limit", 7, "namespace", "shop"));

        assertThat(api.configure("kept", Map.of("lease_time_s", 10))).returns(10, Queue::leaseTimeS)
                .returns(7, Queue::retryLimit).returns("shop", Queue::namespace);
    }

    @Test
    void everyOptionIsStored() {
        var options = Map.<String, Object>ofEntries(Map.entry("namespace", "n"), Map.entry("task", "t"),
                Map.entry("lease_time_s", "1"), Map.entry("retry_limit", "2"), Map.entry("retry_delay_ms", "3"),
                Map.entry("delayed_processing_s", "4"), Map.entry("window_buffer_s", "5"), Map.entry("priority", "6"),
                Map.entry("max_size", "7"), Map.entry("ttl_s", "8"), Map.entry("max_wait_time_s", "9"),
                Map.entry("retention_enabled", "t"), Map.entry("retention_s", "10"),
                Map.entry("completed_retention_s", "11"), Map.entry("encryption_enabled", "t"),
                Map.entry("dead_letter_queue", "t"), Map.entry("dlq_after_max_retries", "t"),
                Map.entry("dedup_window_s", "12"), Map.entry("retry_backoff", "1.5"));

        api.configure("all", options);

        options.forEach((column,
                value) -> assertThat(api.list(rows -> rows.getString(1),
                        "select " + column + "::text from queen.queue where name = 'all'")).as(column)
                        .containsExactly(value.equals("t") && !column.equals("task") ? "true" : value.toString()));
    }

    @Test
    void dedupWindowIsResetToTheSettingOfTheServer() {
        api.configure("window", Map.of("dedup_window_s", 0));
        assertThat(dedupWindow()).containsExactly("0");
        api.configure("window", Map.of("priority", 1));
        assertThat(dedupWindow()).containsExactly("0");

        api.configure("window", Map.of("dedup_window_s", -1));

        assertThat(dedupWindow()).containsExactly((String) null);
    }

    private List<String> dedupWindow() {
        return Rows.strings(api.connection(), "select dedup_window_s from queen.queue where name = 'window'");
    }

    @Test
    void queueKeepsItsId() {
        var first = api.configure("same", Map.of());

        assertThat(api.configure("same", Map.of("priority", 1)).id()).isEqualTo(first.id());
    }

    @Test
    void everyChangeMovesTheCatalogVersion() {
        long before = version();

        api.configure("counted", Map.of());
        api.configure("counted", Map.of("priority", 1));

        assertThat(version()).isEqualTo(before + 2);
    }

    private long version() {
        return Rows.number(api.connection(), "select version from queen.catalog");
    }
}
