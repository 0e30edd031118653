package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The routines by which upkeep records the keys of messages and re-encrypts messages. */
class KeyRoutinesTest {
    private static final String OTHER = "another body\n";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final Partition partition = database.newPartition();

    @Test
    void aSegmentIsReplacedIfItIsTheOneThatWasRead() {
        push(0, "a");
        String digest = digestOf(0);

        assertThat(replace(api, 0, digest, 1)).isTrue();
        assertThat(bodyOf(0)).isEqualTo(OTHER);
        // The same call again, as by a second server that has read the old body.
        assertThat(replace(api, 0, digest, 1)).isFalse();
    }

    @Test
    void aSegmentThatWasRemovedOrHasAnotherNumberOfLinesIsLeftAlone() {
        push(0, "a");
        String digest = digestOf(0);

        assertThat(replace(api, 0, digest, 2)).isFalse();
        assertThat(replace(api, 1, digest, 1)).isFalse();
        api.everywhere("delete from segment where partition_id = '" + partition.id() + "'");
        assertThat(replace(api, 0, digest, 1)).isFalse();
    }

    @Test
    void aSegmentThatIsLockedIsNotWaitedFor() {
        push(0, "a");
        String digest = digestOf(0);
        var holder = database.newSession();
        holder.execute("begin");
        holder.listIn(partition, _ -> true, "select 1 from segment where partition_id = ? for update", partition.id());

        assertThat(replace(api, 0, digest, 1)).isFalse();
        holder.execute("rollback");
        assertThat(replace(api, 0, digest, 1)).isTrue();
    }

    @Test
    void replacingASegmentThatIsRolledBackChangesNothing() {
        push(0, "a");
        String digest = digestOf(0);
        String before = bodyOf(0);
        var killed = database.newSession();
        killed.execute("begin");
        assertThat(replace(killed, 0, digest, 1)).isTrue();
        killed.execute("rollback");

        assertThat(bodyOf(0)).isEqualTo(before);
        assertThat(replace(api, 0, digest, 1)).isTrue();
    }

    @Test
    void runsOfTheSameKindAreJoined() {
        record(0, 10, "k1");
        record(10, 20, "k1");
        record(30, 40, "k1");
        record(20, 30, "k1");
        assertThat(runs()).containsExactly("0-40 k1");

        record(40, 50, "k2");
        assertThat(runs()).containsExactly("0-40 k1", "40-50 k2");
    }

    @Test
    void theFirstPartOfARunIsReplacedAndTheRestStays() {
        record(0, 100, "k1");

        replaceRun(0, 30, "k2");
        assertThat(runs()).containsExactly("0-30 k2", "30-100 k1");
        replaceRun(30, 60, "k2");
        assertThat(runs()).containsExactly("0-60 k2", "60-100 k1");
        replaceRun(60, 100, "k2");
        assertThat(runs()).containsExactly("0-100 k2");
        // Work done before a crash is not repeated.
        replaceRun(60, 100, "k2");
        assertThat(runs()).containsExactly("0-100 k2");
    }

    @Test
    void messagesAreCountedByKeyAndWithoutThoseThatRetentionRemoved() {
        api.configure(partition.queue(), Map.of("encryption_enabled", true));
        push(0, "a", "b", "c", "d");
        in("select queue_id::text from " + api.schema() + ".encrypted_queues()");
        record(0, 3, "k1");
        in("select " + api.schema() + ".count_keys()::text");
        assertThat(cover()).containsExactlyInAnyOrder("message k1 3", "unchecked  1");

        api.everywhere("update partition set tail = 2 where id = '" + partition.id() + "'");
        in("select " + api.schema() + ".count_keys()::text");
        assertThat(cover()).containsExactlyInAnyOrder("message k1 1", "unchecked  1");

        api.everywhere("update partition set tail = 3 where id = '" + partition.id() + "'");
        in("select " + api.schema() + ".count_keys()::text");
        assertThat(cover()).containsExactly("unchecked  1");
        assertThat(runs()).isEmpty();
    }

    private void push(long known, String... transactionIds) {
        api.push(new Append(partition, known, Batch.of(transactionIds)));
    }

    private boolean replace(Api session, long base, String digest, int lines) {
        return session.listIn(partition, rows -> rows.getBoolean(1),
                "select " + session.schema() + ".reencrypt_segment(?, ?, decode(?, 'hex'), ?, convert_to(?, 'UTF8'))",
                partition.id(), base, digest, lines, OTHER).getFirst();
    }

    private String digestOf(long base) {
        return in("select encode(sha256(body), 'hex') from segment where partition_id = '" + partition.id()
                + "' and base = " + base).getFirst();
    }

    private String bodyOf(long base) {
        return in("select convert_from(body, 'UTF8') from segment where partition_id = '" + partition.id()
                + "' and base = " + base).getFirst();
    }

    private void record(long first, long end, String key) {
        in("select %s.record_keys('%s', '%s', array[%d::bigint], array[%d::bigint], array['%s'], array[true], array[100::bigint])::text"
                .formatted(api.schema(), partition.id(), partition.queueId(), first, end, key));
    }

    private void replaceRun(long first, long upTo, String key) {
        in("select %s.replace_run('%s', %d, %d, array[%d::bigint], array[%d::bigint], array['%s'], array[true], array[100::bigint])::text"
                .formatted(api.schema(), partition.id(), first, upTo, first, upTo, key));
    }

    private List<String> runs() {
        return in("select first_offset || '-' || end_offset || ' ' || key_id from queen.key_run where partition_id = '"
                + partition.id() + "' order by first_offset");
    }

    private List<String> cover() {
        return in("select kind || ' ' || key_id || ' ' || count from queen.key_cover where queue_id = '"
                + partition.queueId() + "' and count > 0");
    }

    private List<String> in(String sql) {
        return api.listIn(partition, rows -> rows.getString(1), sql);
    }
}
