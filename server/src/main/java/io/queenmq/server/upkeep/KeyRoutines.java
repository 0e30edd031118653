package io.queenmq.server.upkeep;

import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.cipher.Reencryption.Policy;
import io.queenmq.engine.cipher.Reencryption.Run;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The SQL side of the key sweep. Each call is a transaction. Owned by the upkeep thread. */
final class KeyRoutines {
    static final int PAGE = 100;
    private static final long BYTES_PER_CALL = 4 << 20;
    private static final UUID NO_ID = new UUID(0, 0);
    /** Before every stored timestamp. */
    private static final OffsetDateTime EVER = OffsetDateTime.of(1970, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);

    private final String encryptedQueues;
    private final String partitions;
    private final String fetch;
    private final String record;
    private final String queueChecked;
    private final String policy;
    private final String runs;
    private final String replace;
    private final String replaceRun;
    private final String letters;
    private final String replaceLetter;
    private final String lettersChecked;
    private final String count;

    /**
     * A queue that is or was encrypted, with the progress in the present shard.
     *
     * @param checkedAt null when nothing was checked yet
     * @param now the time of PostgreSQL
     */
    record EncryptedQueue(UUID id, @Nullable OffsetDateTime checkedAt, @Nullable String lettersKey,
            @Nullable OffsetDateTime lettersTo, OffsetDateTime now) {}

    /** A partition with messages from first to head whose keys are not recorded. */
    record OpenPartition(UUID id, OffsetDateTime activeAt, long first, long head) {}

    /** Messages that are to be encrypted again. */
    record OpenRun(UUID partitionId, long first, long end) {}

    record StoredSegment(long base, int count, byte[] body) {
        long end() {
            return base + count;
        }

        /**
         * Returns the offset at which to continue after the segments were processed.
         *
         * @param segments none if retention has removed all messages up to the requested end
         */
        static long endOf(List<StoredSegment> segments, long requestedEnd) {
            return segments.isEmpty() ? requestedEnd : segments.getLast().end();
        }
    }

    /** @param line without its line break */
    record StoredDeadLetter(OffsetDateTime failedAt, UUID partitionId, String group, long offset, byte[] line,
            @Nullable String error) {}

    KeyRoutines(String api) {
        encryptedQueues = "select queue_id, nullif(checked_at, '-infinity'), letters_key, nullif(letters_to, '-infinity'), now"
                + " from " + api + ".encrypted_queues()";
        partitions = "select partition_id, active_at, first, head from " + api
                + ".partitions_to_check($1, $2, $3, $4, $5)";
        fetch = "select base, count, body from " + api + ".fetch($1, $2, $3, $4) where body is not null order by base";
        record = "select " + api + ".record_keys($1, $2, $3, $4, $5, $6, $7)";
        queueChecked = "select " + api + ".record_queue_check($1, $2)";
        policy = "select is_allowed, is_binding from " + api + ".can_reencrypt($1)";
        runs = "select partition_id, first, \"end\" from " + api + ".runs_to_reencrypt($1, $2, $3, $4, $5, $6)";
        replace = "select " + api + ".reencrypt_segment($1, $2, $3, $4, $5)";
        replaceRun = "select " + api + ".replace_run($1, $2, $3, $4, $5, $6, $7, $8)";
        letters = "select failed_at, partition_id, group_name, message_offset, line, error from " + api
                + ".dead_letters_to_check($1, $2, $3, $4, $5, $6)";
        replaceLetter = "select " + api + ".reencrypt_dead_letter($1, $2, $3, $4, $5, $6, $7)";
        lettersChecked = "select " + api + ".record_letter_check($1, $2, $3, $4, $5, $6, $7)";
        count = "select " + api + ".count_keys()";
    }

    List<EncryptedQueue> encryptedQueues(UpkeepSession session) throws TimeoutException {
        List<EncryptedQueue> queues = new ArrayList<>();
        for (Row row : session.rows(encryptedQueues, Tuple.tuple())) {
            queues.add(new EncryptedQueue(row.getUUID(0), row.getOffsetDateTime(1), row.getString(2),
                    row.getOffsetDateTime(3), row.getOffsetDateTime(4)));
        }
        return queues;
    }

    /** @param since null for all partitions; last: the last partition of the page before, or null */
    List<OpenPartition> partitions(UpkeepSession session, UUID queueId, @Nullable OffsetDateTime since,
            @Nullable OpenPartition last) throws TimeoutException {
        List<OpenPartition> page = new ArrayList<>();
        for (Row row : session.rows(partitions, Tuple.of(queueId, since == null ? EVER : since,
                last == null ? EVER : last.activeAt, last == null ? NO_ID : last.id, PAGE))) {
            page.add(new OpenPartition(row.getUUID(0), row.getOffsetDateTime(1), row.getLong(2), row.getLong(3)));
        }
        return page;
    }

    /** Returns the first segments that contain an offset from first to end - 1; none when retention has removed all of them. */
    List<StoredSegment> fetch(UpkeepSession session, UUID partitionId, long first, long end) throws TimeoutException {
        List<StoredSegment> segments = new ArrayList<>();
        for (Row row : session.rows(fetch,
                Tuple.of(new UUID[]{partitionId}, new Long[]{first}, new Long[]{end}, BYTES_PER_CALL))) {
            segments.add(new StoredSegment(row.getLong(0), row.getInteger(1), row.getBuffer(2).getBytes()));
        }
        return segments;
    }

    void record(UpkeepSession session, UUID partitionId, UUID queueId, List<Run> found) throws TimeoutException {
        session.call(record, withRuns(Tuple.of(partitionId, queueId), found));
    }

    private static Tuple withRuns(Tuple arguments, List<Run> found) {
        return arguments.addValue(found.stream().map(Run::first).toArray(Long[]::new))
                .addValue(found.stream().map(Run::end).toArray(Long[]::new))
                .addValue(found.stream().map(Run::keyId).toArray(String[]::new))
                .addValue(found.stream().map(Run::isBound).toArray(Boolean[]::new))
                .addValue(found.stream().map(Run::bytes).toArray(Long[]::new));
    }

    void queueChecked(UpkeepSession session, UUID queueId, OffsetDateTime at) throws TimeoutException {
        session.call(queueChecked, Tuple.of(queueId, at));
    }

    Policy policy(UpkeepSession session, String keyId) throws TimeoutException {
        Row row = session.call(policy, Tuple.of(keyId));
        return new Policy(row.getBoolean(0), row.getBoolean(1));
    }

    /** @param last the last run of the page before, or null */
    List<OpenRun> runs(UpkeepSession session, PayloadCipher cipher, Policy policy, @Nullable OpenRun last)
            throws TimeoutException {
        List<OpenRun> page = new ArrayList<>();
        for (Row row : session.rows(runs, Tuple.of(cipher.currentKeyId(), cipher.keyIds().toArray(String[]::new),
                policy.isBinding(), last == null ? NO_ID : last.partitionId, last == null ? -1L : last.first, PAGE))) {
            page.add(new OpenRun(row.getUUID(0), row.getLong(1), row.getLong(2)));
        }
        return page;
    }

    /** Returns false if the segment is not the one that was read, or is locked. */
    boolean replace(UpkeepSession session, UUID partitionId, StoredSegment segment, byte[] body)
            throws TimeoutException {
        return session
                .call(replace,
                        Tuple.of(partitionId, segment.base, digest(segment.body), segment.count, Buffer.buffer(body)))
                .getBoolean(0);
    }

    void replaceRun(UpkeepSession session, UUID partitionId, long first, long upTo, List<Run> found)
            throws TimeoutException {
        session.call(replaceRun, withRuns(Tuple.of(partitionId, first, upTo), found));
    }

    /** @param since null for all; last: the last dead letter of the page before, or null */
    List<StoredDeadLetter> letters(UpkeepSession session, UUID queueId, @Nullable OffsetDateTime since,
            @Nullable StoredDeadLetter last) throws TimeoutException {
        List<StoredDeadLetter> page = new ArrayList<>();
        OffsetDateTime from = since == null ? EVER : since;
        for (Row row : session.rows(letters,
                last == null
                        ? Tuple.of(queueId, from, NO_ID, "", -1L, PAGE)
                        : Tuple.of(queueId, last.failedAt, last.partitionId, last.group, last.offset, PAGE))) {
            page.add(new StoredDeadLetter(row.getOffsetDateTime(0), row.getUUID(1), row.getString(2), row.getLong(3),
                    row.getBuffer(4).getBytes(), row.getString(5)));
        }
        return page;
    }

    /** Returns false if the dead letter is not the one that was read, or is locked. */
    boolean replaceLetter(UpkeepSession session, StoredDeadLetter letter, byte[] line, @Nullable String error)
            throws TimeoutException {
        return session.call(replaceLetter, Tuple.of(letter.partitionId, letter.group, letter.offset,
                digest(letter.line), letter.error, Buffer.buffer(line)).addString(error)).getBoolean(0);
    }

    /** @param others counts the dead letters that keep another key */
    void lettersChecked(UpkeepSession session, UUID queueId, String keyId, OffsetDateTime upTo, boolean isWhole,
            OtherKeys others) throws TimeoutException {
        session.call(lettersChecked, Tuple.of(queueId, keyId, upTo, isWhole).addValue(others.keyIds())
                .addValue(others.counts()).addValue(others.bytes()));
    }

    void count(UpkeepSession session) throws TimeoutException {
        session.call(count, Tuple.tuple());
    }

    private static Buffer digest(byte[] bytes) {
        try {
            return Buffer.buffer(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
