package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.schema.Api.Append;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options of an existing queue that remove messages or protection change only for callers with the right. */
class RemovingOptionsTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    /** One row per rule of the table in docs/guide/security.md: columns before, columns after, the options named. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            retention_enabled=false                            | retention_enabled=true retention_s=1          | retentionEnabled retentionSeconds
            retention_enabled=false retention_s=60             | retention_enabled=true                        | retentionEnabled
            retention_enabled=true retention_s=60              | retention_s=59                                | retentionSeconds
            retention_enabled=true retention_s=0               | retention_s=60                                | retentionSeconds
            retention_enabled=true completed_retention_s=60    | completed_retention_s=59                      | completedRetentionSeconds
            retention_enabled=true completed_retention_s=0     | completed_retention_s=1                       | completedRetentionSeconds
            retention_enabled=true retention_s=60              | retention_s=90 completed_retention_s=5        | completedRetentionSeconds
            max_wait_time_s=0                                  | max_wait_time_s=60                            | maxWaitTimeSeconds
            max_wait_time_s=60                                 | max_wait_time_s=59                            | maxWaitTimeSeconds
            ttl_s=3600                                         | ttl_s=3599                                    | ttl
            ttl_s=0                                            | ttl_s=7200                                    | ttl
            ttl_s=100 max_wait_time_s=200                      | ttl_s=99                                      | ttl
            encryption_enabled=true                            | encryption_enabled=false                      | encryptionEnabled
            dead_letter_queue=true                             | dead_letter_queue=false                       | deadLetterQueue
            dedup_window_s=60                                  | dedup_window_s=59                             | dedupWindowSeconds
            dedup_window_s=-1                                  | dedup_window_s=3599                           | dedupWindowSeconds
            dedup_window_s=3601                                | dedup_window_s=-1                             | dedupWindowSeconds
            encryption_enabled=true dead_letter_queue=true     | encryption_enabled=false dead_letter_queue=false | encryptionEnabled deadLetterQueue
            """)
    void aChangeThatRemovesIsRejectedWithTheNamesOfItsOptions(String before, String after, String named) {
        var queue = database.newPartition(options(before)).queue();
        var stored = stored(queue);

        assertThatThrownBy(() -> configure(queue, options(after))).isInstanceOfSatisfying(Rows.SqlFailure.class,
                failure -> {
                    assertThat(failure.state()).isEqualTo("QN403");
                    assertThat(failure).hasMessageContaining("queue \"" + queue + "\"").hasMessageContaining("admin");
                    for (var option : List.of("retentionEnabled", "retentionSeconds", "completedRetentionSeconds",
                            "maxWaitTimeSeconds", "ttl", "encryptionEnabled", "deadLetterQueue", "dedupWindowSeconds",
                            "maxSize")) {
                        assertThat(failure.getMessage().contains("\"" + option + "\" from ")).as(option)
                                .isEqualTo(List.of(named.split(" ")).contains(option));
                    }
                });

        assertThat(stored(queue)).as("nothing was changed").isEqualTo(stored);
        api.configure(queue, options(after));
        assertThat(stored(queue)).as("a caller with the right").isNotEqualTo(stored);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            retention_enabled=true retention_s=60              | retention_s=61
            retention_enabled=true retention_s=60              | retention_s=0
            retention_enabled=true retention_s=60              | retention_enabled=false
            retention_enabled=true retention_s=60              | retention_enabled=true retention_s=60
            retention_enabled=true completed_retention_s=60    | completed_retention_s=0
            retention_enabled=false retention_s=60             | retention_enabled=false retention_s=5
            max_wait_time_s=60                                 | max_wait_time_s=0
            max_wait_time_s=60                                 | max_wait_time_s=61
            max_wait_time_s=60                                 | ttl_s=61
            ttl_s=3600                                         | ttl_s=0
            ttl_s=0                                            | ttl_s=3600
            ttl_s=60                                           | ttl_s=3600
            encryption_enabled=false                           | encryption_enabled=true
            encryption_enabled=true                            | encryption_enabled=true
            dead_letter_queue=false                            | dead_letter_queue=true
            dlq_after_max_retries=true                         | dlq_after_max_retries=false
            dedup_window_s=60                                  | dedup_window_s=61
            dedup_window_s=60                                  | dedup_window_s=-1
            dedup_window_s=-1                                  | dedup_window_s=3600
            max_size=10                                        | max_size=0
            max_size=10                                        | max_size=10
            lease_time_s=300                                   | lease_time_s=1
            retry_limit=3                                      | retry_limit=0 retry_delay_ms=0 retry_backoff=2
            priority=0                                         | priority=5 delayed_processing_s=9 window_buffer_s=9
            namespace=shop                                     | namespace=store task=cash
            """)
    void anyOtherChangeIsAllowed(String before, String after) {
        var queue = database.newPartition(options(before)).queue();

        assertThatCode(() -> configure(queue, options(after))).doesNotThrowAnyException();
    }

    @Test
    void aNewQueueAcceptsAnyOptionsRepeatedly() {
        var everything = options(
                "retention_enabled=true retention_s=1 completed_retention_s=1 max_wait_time_s=1 ttl_s=1 "
                        + "max_size=1 dedup_window_s=0 encryption_enabled=false dead_letter_queue=false");

        configure("created by a producer", everything);
        api.push(new Append(database.partition(configure("created by a producer", everything).id(),
                "created by a producer", "Default"), 0, Batch.of("a")));

        assertThat(configure("created by a producer", everything).name()).isEqualTo("created by a producer");
    }

    @Test
    void maxSizeMustNotFallBelowTheUnfinishedMessages() {
        var partition = database.newPartitionWith(3);

        assertThatThrownBy(() -> configure(partition.queue(), Map.of("max_size", 2)))
                .hasMessageContaining("\"maxSize\" from 0 to 2, which is less than the 3 unfinished messages");
        configure(partition.queue(), Map.of("max_size", 3));
        assertThatThrownBy(() -> configure(partition.queue(), Map.of("max_size", 1)))
                .hasMessageContaining("\"maxSize\"");
        api.configure(partition.queue(), Map.of("max_size", 1));
        configure(partition.queue(), Map.of("max_size", 2));
    }

    /** A decision by values read before the other change was committed would switch encryption off. */
    @Test
    void theCheckSeesTheCommitOfAConcurrentConfigure() {
        var queue = database.newPartition().queue();
        var first = database.newSession();
        first.execute("begin");
        first.configure(queue, Map.of("encryption_enabled", true));

        var second = Step
                .start(database.newSession(),
                        session -> session.configure(queue, Map.of("encryption_enabled", false, "may_remove", false)))
                .untilItWaits(api);
        first.execute("commit");

        assertThatThrownBy(second::result).hasMessageContaining("\"encryptionEnabled\" from true to false");
        assertThat(api.list(rows -> rows.getBoolean(1), "select encryption_enabled from queen.queue where name = ?",
                queue)).containsExactly(true);
    }

    /** Both see no queue; the second one meets the queue that the first one created. */
    @Test
    void onlyOneOfTwoConfiguresCreatesAQueue() {
        var first = database.newSession();
        first.execute("begin");
        first.configure("created twice", Map.of("retention_enabled", true, "retention_s", 60, "may_remove", false));

        var second = Step
                .start(database.newSession(),
                        session -> session.configure("created twice", Map.of("retention_s", 1, "may_remove", false)))
                .untilItWaits(api);
        first.execute("commit");

        assertThatThrownBy(second::result).hasMessageContaining("\"retentionSeconds\" from 60 to 1");
    }

    @Test
    void aRightThatIsNotStatedIsNone() {
        var queue = database.newPartition(Map.of("encryption_enabled", true)).queue();

        assertThatThrownBy(() -> configure(queue, new HashMap<>(Map.of("encryption_enabled", false)), "null"))
                .hasMessageContaining("encryptionEnabled");
    }

    private Queue configure(String queue, Map<String, Object> options) {
        return configure(queue, options, false);
    }

    private Queue configure(String queue, Map<String, Object> options, Object mayRemove) {
        Map<String, Object> all = new HashMap<>(options);
        all.put("may_remove", mayRemove);
        return api.configure(queue, all);
    }

    private List<String> stored(String queue) {
        return api.list(rows -> rows.getString(1), "select to_json(q)::text from queen.queue q where name = ?", queue);
    }

    private static Map<String, Object> options(String text) {
        Map<String, Object> options = new HashMap<>();
        for (var option : text.split(" ")) {
            var parts = option.split("=");
            options.put(parts[0], parts[1]);
        }
        return options;
    }
}
