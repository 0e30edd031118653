package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.CatchUp;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Routines acceptances and find_hashes, acceptance times of spooled messages, and the deduplication window of
 * queen.push.
 */
class AcceptanceRoutineTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private Queue queue;
    private Partition partition;

    @BeforeEach
    void createPartition() {
        queue = api.createQueues("accepted-" + UUID.randomUUID()).getFirst();
        partition = database.partition(queue.id(), queue.name(), "a");
        api.catchUp(0, 0, CatchUp.of(partition, -1));
    }

    @Test
    void acceptanceTimeIsTheStorageTimeExceptForSpooledMessages() {
        store(0, "a", "b");
        storeSpooled(2, List.of("2026-01-01 00:00:01+00", "2026-01-01 00:00:02+00"), "c", "d");

        assertThat(strings("select index || ' ' || (accepted_at = (select created_at from queen.segment where"
                + " partition_id = '%1$s' and base = 0)) || ' ' || (now_is > clock_timestamp() - interval '1 minute') from %2$s.acceptances("
                + "array_fill('%1$s'::uuid, array[3]), array[0, 1, 9]::bigint[])"))
                .containsExactly("1 true true", "2 true true");
        assertThat(
                strings("select to_char(accepted_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') from %2$s.acceptances("
                        + "array_fill('%1$s'::uuid, array[2]), array[2, 3]::bigint[]) order by index"))
                .containsExactly("2026-01-01 00:00:01", "2026-01-01 00:00:02");
    }

    @Test
    void timeNeverDecreasesWithinAPartitionUnlessTheClockWasAhead() {
        store(0, "a");
        String isAhead = "select (now_is > clock_timestamp())::text from %2$s.acceptances(array['%1$s'::uuid],"
                + " array[0]::bigint[])";

        api.everywhere("update partition set last_push_at = clock_timestamp() + interval '40 seconds'");
        assertThat(strings(isAhead)).containsExactly("true");
        api.everywhere("update partition set last_push_at = '2100-01-01 00:00:00+00'");
        assertThat(strings(isAhead)).containsExactly("false");
    }

    @Test
    void messagesAreFoundByTheirHashes() {
        store(0, "a", "b");
        store(2, "b", "c");

        assertThat(found(0, "b", "c", "x")).containsExactly("1", "2", "3");
        assertThat(found(2, "b")).containsExactly("2");
        assertThat(found(1, "a", "b")).containsExactly("1", "2");
        assertThat(strings("select message_offset::text from %2$s.find_hashes(array['%1$s'::uuid], array[0]::bigint[],"
                + " array[clock_timestamp()], array[int8send(hashtextextended('a', 0))])")).isEmpty();
    }

    /** A window of 100,000 messages in a partition of two million: messages before it are not read. */
    @Test
    void aSearchReadsNoMoreThanTheWindow() {
        api.in(partition, """
                insert into segment (partition_id, base, count, created_at, hashes, body)
                select '%s', 1000 * i, 1000, clock_timestamp(),
                       (select string_agg(int8send(1000 * i + n), '' order by n) from generate_series(0, 999) n), 'x'
                from generate_series(0, 1999) i""".formatted(partition.id()));
        api.execute("analyze");
        String search = "select message_offset from %s.find_hashes(array['%s'::uuid], array[1900500]::bigint[],"
                .formatted(api.schema(), partition.id())
                + " array['-infinity'::timestamptz], array[(select string_agg(int8send(n), '') from generate_series(1890000, 1901999, 3) n)])";

        Api session = database.newSession();
        session.execute("begin");
        long before = readSegments(session);
        List<Long> found = session.listIn(partition, rows -> rows.getLong(1), search);
        long read = readSegments(session) - before;
        session.execute("rollback");

        assertThat(found).hasSize(500).allMatch(offset -> offset >= 1_900_500);
        assertThat(read).as("segments read, of 2,000").isLessThan(110);
    }

    private static long readSegments(Api session) {
        return session.list(rows -> rows.getLong(1), "select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))"
                + " from pg_stat_xact_user_tables where relname = 'segment'").getFirst();
    }

    @Test
    void withoutAWindowQueenPushStoresTheSameTransactionIdAgain() {
        api.configure(queue.name(), Map.of("dedup_window_s", 0));
        store(0, "t");
        api.everywhere("update partition set last_push_at = clock_timestamp() + interval '1 hour'");
        api.everywhere("update segment set created_at = clock_timestamp() + interval '1 hour'");

        assertThat(push("t")).isEqualTo("queued");
        assertThat(push("t")).isEqualTo("queued");
    }

    @Test
    void theWindowOfQueenPushCountsFromTheAcceptanceOfAMessageFromASpool() {
        api.configure(queue.name(), Map.of("dedup_window_s", 60));
        List<String> acceptedAts = api.list(rows -> rows.getString(1),
                "select (clock_timestamp() - make_interval(secs => s))::text from unnest(array[61, 30]) s");
        storeSpooled(0, acceptedAts, "old", "young");

        assertThat(push("young")).isEqualTo("duplicate");
        assertThat(push("old")).isEqualTo("queued");
    }

    private String push(String transactionId) {
        return strings("select queen.push('" + queue.name() + "', 'a', '{}'::text, '" + transactionId + "')")
                .getFirst();
    }

    private void store(long known, String... transactionIds) {
        storeSpooled(known, null, transactionIds);
    }

    private void storeSpooled(long known, List<String> acceptedAts, String... transactionIds) {
        assertThat(api.listIn(partition, rows -> rows.getLong(1),
                "select p.base from (select string_agg(int8send(hashtextextended(t, 0)), '') as hashes,"
                        + " string_agg('{\"id\":\"' || gen_random_uuid() || '\",\"transactionId\":\"' || t"
                        + " || e'\",\"traceId\":null,\"producerSub\":null,\"data\":1}\\n', '') as body from unnest(?::text[]) t) m, "
                        + api.schema()
                        + ".push(array[?::uuid], array[?::bigint], array[?::int], array[m.hashes], array[convert_to(m.body, 'UTF8')],"
                        + " array[100], (select encryption_epoch from queen.system_state), null, null, ?::timestamptz[], ?::int[]) p",
                "{" + String.join(",", transactionIds) + "}", partition.id(), known, transactionIds.length,
                acceptedAts == null ? null : "{\"" + String.join("\",\"", acceptedAts) + "\"}",
                acceptedAts == null ? null : "{1}")).containsExactly(known);
    }

    private List<String> found(long firstOffset, String... transactionIds) {
        return api.listIn(partition, rows -> rows.getString(1), "select message_offset from " + api.schema()
                + ".find_hashes(array[?::uuid],"
                + " array[?::bigint], array['-infinity'::timestamptz], array[(select string_agg(int8send(hashtextextended(t, 0)), '')"
                + " from unnest(?::text[]) t)]) order by 1", partition.id(), firstOffset,
                "{" + String.join(",", transactionIds) + "}");
    }

    private List<String> strings(String sql) {
        return api.listIn(partition, rows -> rows.getString(1), sql.formatted(partition.id(), api.schema()));
    }
}
