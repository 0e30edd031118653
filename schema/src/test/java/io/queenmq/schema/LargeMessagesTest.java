package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists and searches do not read the payloads of large messages. */
class LargeMessagesTest {
    private static final int LARGE = 16 << 20;

    /** Pages of 8 kB. The large message takes 2,000 of them. */
    private static final long BUFFERS_MAX = 700;

    @RegisterExtension
    static final SchemaDatabase database = SchemaDatabase.ofOneShard();

    private static Partition partition;
    private static Partition mixed;
    private static String payload;

    @BeforeAll
    static void fill() {
        Api api = database.api();
        OperatorRoutines operators = new OperatorRoutines(api);
        // The default without lz4; PostgreSQL fetches an lz4-compressed value as a whole.
        partition = database.newPartition();
        api.in(partition, "alter table segment alter column body set storage external");
        payload = text(LARGE);
        api.push(new Append(partition, 0, Batch.ofLines(List.of(large("huge", payload)))));
        operators.rehash(partition, 0);
        api.in(partition, """
                insert into dead_letter (partition_id, group_name, message_offset, queue_id, partition_name, transaction_id, line, error,
                    attempts, created_at, failed_at)
                select s.partition_id, 'workers', g.i, p.queue_id, p.name, case when g.i < 9 then 'dead-' || g.i end,
                       substring(s.body from 1 for octet_length(s.body) - 1), 'too large', 3, now(), now()
                from segment s join partition p on p.id = s.partition_id, generate_series(1, 3) g (i)
                where s.partition_id = '%s'""".formatted(partition.id()));
        mixed = database.newPartition();
        api.push(
                new Append(mixed, 0,
                        Batch.ofLines(IntStream.range(0, 10).mapToObj(i -> large("m" + i, text(300_000))).toList())),
                new Append(partition, 1, Batch.of("small")));
        operators.rehash(mixed, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"list_messages(':queue', null, null, null, null, null, null, 100, 0)",
        "list_queue_messages(':queue', 100, 0)", "show_message(':partition', 'huge')",
        "list_message_traces(':partition', 'huge')", "explain_message(':partition', 'huge', 'workers')",
        "explain_message(':partition', 'dead-1', 'workers')", "explain_message(':partition', 'unknown', 'workers')",
        "list_dead_letters(':queue', null, null, null, null, null, 100, 0)",
        "show_dead_letter(':partition', 'dead-1', null)", "show_message(':partition', 'dead-1')",
        "start_redrive(null, ':queue', null, null, null, null, null, null, null, null, null, null, true)",
        "remove_message(null, ':partition', 'nothing like it')"})
    void aLargePayloadIsNotRead(String call) {
        String named = call.replace(":queue", partition.queue()).replace(":partition", partition.id().toString());

        new OperatorRoutines(database.api()).ask(named);
        assertThat(buffers(named)).as("with the caches of the session filled: " + call).isBetween(1L, BUFFERS_MAX);
    }

    /** Without this the test above could not fail. */
    @Test
    void readingThePayloadNeedsMoreMemory() {
        assertThat(buffersOf("select md5(body) from queen.segment where partition_id = '" + partition.id() + "'"))
                .isGreaterThan(2 * BUFFERS_MAX);
    }

    @Test
    void fieldsOfALargeMessageAreCorrect() {
        OperatorRoutines operators = new OperatorRoutines(database.api());
        String list = "list_messages('" + partition.queue() + "', null, null, null, null, null, null, 100, 0)";

        assertThat(operators.each(list, "messages", "transactionId")).containsExactly("small", "huge");
        assertThat(operators.each(list, "messages", "isOmitted")).containsExactly("false", "false");
        assertThat(operators.ask(list, "messages,1,headers,kind")).isEqualTo("large");
        String shown = "show_message('" + partition.id() + "', 'huge')";
        assertThat(operators.ask(shown, "payload")).isNull();
        assertThat(operators.ask(shown, "payloadBytes")).isEqualTo(String.valueOf(large("huge", payload).length()));
        assertThat(operators.ask(shown, "isEncrypted")).isEqualTo("false");
        assertThat(operators.ask("show_message('" + mixed.id() + "', 'm9')", "payload,text")).hasSize(300_000);
        assertThat(operators.ask("explain_message('" + mixed.id() + "', 'm3', 'workers')", "offset")).isEqualTo("3");
    }

    @Test
    void segmentsAreReadOnceAndUpToABound() {
        assertThat(heads(10, 64 << 20)).as("all").containsExactly("m9", "m8", "m7", "m6", "m5", "m4", "m3", "m2", "m1",
                "m0", "small", "huge");
        assertThat(heads(10, 1)).as("the first segment in any case").containsExactly("m9", "m8", "m7", "m6", "m5", "m4",
                "m3", "m2", "m1", "m0");
        // Only the first message of the segment of ten is listed: its beginning is enough.
        assertThat(heads(1, 3 * 8_192)).containsExactly("m0", "small", "huge");
    }

    /** Also after skipped pages: skipped messages are not read. */
    @Test
    void skippedMessagesAreNotRead() {
        String call = "list_queue_messages('" + mixed.queue() + "', 1, 10)";

        assertThat(new OperatorRoutines(database.api()).each(call, "", "transactionId")).isEmpty();
        assertThat(buffers(call)).isLessThan(400);
    }

    /** @param count how many of the ten messages of one segment are wanted, before those of the other partition */
    private static List<String> heads(int count, long bytesMax) {
        Api api = database.api();
        return api.list(rows -> rows.getString(1), """
                with m as (
                    select 0 as o, '%s'::uuid as partition, i::bigint as message from generate_series(%d, 0, -1) i
                    union all select 1, '%s', 1 union all select 2, '%s', 0
                )
                select h.transaction_id
                from (select array_agg(partition order by o, message desc) as partitions, array_agg(message order by o, message desc) as messages from m) a,
                     %s.message_heads(a.partitions, a.messages, %d) h
                order by h.index""".formatted(mixed.id(), count - 1, partition.id(), partition.id(), api.schema(),
                bytesMax));
    }

    private static long buffers(String call) {
        return buffersOf("select " + database.api().schema() + "." + call);
    }

    private static long buffersOf(String sql) {
        Api api = database.api();
        List<String> plan = api.list(rows -> rows.getString(1), "explain (analyze, buffers, format json) " + sql);
        return api.list(rows -> rows.getLong(1),
                "select (p #>> '{0,Plan,Shared Hit Blocks}')::bigint"
                        + " + (p #>> '{0,Plan,Shared Read Blocks}')::bigint from (select ?::json as p) x",
                String.join("\n", plan)).getFirst();
    }

    private static String large(String transactionId, String text) {
        String head = Batch.line('"' + transactionId + '"', "null", "null", "0");
        return head.replace(",\"data\":0}", ",\"headers\":{\"kind\":\"large\"},\"data\":{\"text\":\"" + text + "\"}}");
    }

    /** Text that cannot be compressed much. */
    private static String text(int length) {
        byte[] bytes = new byte[length / 2];
        new Random(7).nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
