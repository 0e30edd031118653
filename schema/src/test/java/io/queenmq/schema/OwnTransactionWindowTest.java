package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code queen.push} finds duplicates in the whole duplicate window, and only there, regardless of the stored messages. */
class OwnTransactionWindowTest {
    private static final int WINDOW_S = 600;

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.newSession();
    private final Partition partition = database.newPartition(Map.of("dedup_window_s", WINDOW_S));

    @BeforeEach
    void store() {
        api.execute("set statement_timeout = '10s'");
        for (int i = 0; i < 5; i++) {
            assertThat(push("t" + i)).isEqualTo("queued");
        }
        for (int i = 0; i < 3; i++) {
            change(i, "update segment set created_at = created_at - interval '" + 2 * WINDOW_S + " s'");
        }
    }

    @Test
    void onlyMessagesOfTheWindowAreDuplicates() {
        assertThat(push("t2")).isEqualTo("queued");
        assertThat(push("t3")).isEqualTo("duplicate");
        assertThat(push("t4")).isEqualTo("duplicate");
    }

    @Test
    void messagesBelowTheTailAreDuplicatesWhileTheyAreStored() {
        api.everywhere("update partition set tail = 4 where id = '" + partition.id() + "'");

        assertThat(push("t3")).isEqualTo("duplicate");
    }

    @Test
    void aSearchEndsWhereSegmentsWereDeleted() {
        change(0, "delete from segment");
        assertThat(push("t3")).isEqualTo("duplicate");

        change(2, "delete from segment");
        assertThat(push("t3")).isEqualTo("duplicate");
        assertThat(push("t1")).isEqualTo("queued");
    }

    private void change(int base, String statement) {
        api.everywhere(statement + " where partition_id = '" + partition.id() + "' and base = " + base);
    }

    private String push(String transactionId) {
        return Rows.strings(api.connection(), "select queen.push(?, ?, '1', ?)", partition.queue(), partition.name(),
                transactionId).getFirst();
    }
}
