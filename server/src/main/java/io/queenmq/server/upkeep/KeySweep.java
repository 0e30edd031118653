package io.queenmq.server.upkeep;

import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.cipher.Reencryption;
import io.queenmq.engine.cipher.Reencryption.Policy;
import io.queenmq.engine.cipher.Reencryption.Run;
import io.queenmq.engine.time.Clock;
import io.queenmq.server.upkeep.KeyRoutines.EncryptedQueue;
import io.queenmq.server.upkeep.KeyRoutines.OpenPartition;
import io.queenmq.server.upkeep.KeyRoutines.OpenRun;
import io.queenmq.server.upkeep.KeyRoutines.StoredSegment;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the keys with which messages of encrypted queues are encrypted, and encrypts those of old keys again. Each
 * message is read once to record its key, and once more for each new key. A segment is replaced in one statement, if its
 * body is still the one that was read, so a crash or a second server cannot damage it. Owned by the upkeep thread.
 */
final class KeySweep {
    private static final Logger log = LoggerFactory.getLogger(KeySweep.class);

    /** Reads the keys in use and changes nothing. */
    static final Policy READ_ONLY = new Policy(false, false);

    /** The longest pass; then the other jobs run. */
    private static final Duration PASS_MAX = Duration.ofSeconds(5);
    private static final int MESSAGES_PER_CALL = 2_000;

    private final PayloadCipher cipher;
    private final boolean isReencrypting;
    private final UpkeepMeters meters;
    private final BooleanSupplier isStopping;
    private final KeyRoutines routines;
    private final DeadLetterSweep letters;
    private final StateSweep states;
    private final Map<String, KeyProgress> byShard = new HashMap<>();

    KeySweep(String api, PayloadCipher cipher, boolean isReencrypting, UpkeepMeters meters,
            BooleanSupplier isStopping) {
        this.cipher = cipher;
        this.isReencrypting = isReencrypting;
        this.meters = meters;
        this.isStopping = isStopping;
        this.routines = new KeyRoutines(api);
        this.letters = new DeadLetterSweep(routines, cipher, isReencrypting, meters);
        this.states = new StateSweep(api, cipher, isReencrypting, meters);
    }

    /** One pass through a shard. What is left after its time continues in the next pass. */
    void run(UpkeepSession session) throws TimeoutException {
        long untilNs = Clock.SYSTEM.nowNs() + PASS_MAX.toNanos();
        BooleanSupplier isOver = () -> isStopping.getAsBoolean() || Clock.SYSTEM.nowNs() - untilNs >= 0;
        List<EncryptedQueue> queues = routines.encryptedQueues(session);
        if (queues.isEmpty()) {
            return;
        }
        KeyProgress progress = byShard.computeIfAbsent(session.shard(), _ -> new KeyProgress());
        check(session, queues, progress, isOver);
        Policy policy = policy(session);
        if (policy.isRewriting()) {
            reencrypt(session, policy, progress, isOver);
        }
        for (EncryptedQueue queue : queues) {
            if (!isOver.getAsBoolean()) {
                letters.check(session, queue, policy, isOver);
                states.check(session, queue, policy, isOver);
            }
        }
        count(session, progress);
    }

    private Policy policy(UpkeepSession session) throws TimeoutException {
        String key = cipher.currentKeyId();
        if (key == null || !isReencrypting) {
            return READ_ONLY;
        }
        return routines.policy(session, key);
    }

    /** Reads messages that were stored since the last pass. */
    private void check(UpkeepSession session, List<EncryptedQueue> queues, KeyProgress progress, BooleanSupplier isOver)
            throws TimeoutException {
        long nowNs = Clock.SYSTEM.nowNs();
        boolean isFullRead = progress.isFullReadDue(nowNs);
        boolean isDone = true;
        for (EncryptedQueue queue : queues) {
            isDone &= isChecked(session, queue, KeyProgress.since(queue, isFullRead), progress, isOver);
        }
        if (isFullRead && isDone) {
            progress.allRead(nowNs);
        }
    }

    private boolean isChecked(UpkeepSession session, EncryptedQueue queue, @Nullable OffsetDateTime since,
            KeyProgress progress, BooleanSupplier isOver) throws TimeoutException {
        OpenPartition last = null;
        List<OpenPartition> page;
        do {
            page = routines.partitions(session, queue.id(), since, last);
            for (OpenPartition partition : page) {
                if (isOver.getAsBoolean() || !isRead(session, queue.id(), partition, progress, isOver)) {
                    return false;
                }
                last = partition;
            }
        } while (page.size() == KeyRoutines.PAGE);
        routines.queueChecked(session, queue.id(), queue.now());
        return true;
    }

    private boolean isRead(UpkeepSession session, UUID queueId, OpenPartition partition, KeyProgress progress,
            BooleanSupplier isOver) throws TimeoutException {
        long next = partition.first();
        while (next < partition.head()) {
            if (isOver.getAsBoolean()) {
                return false;
            }
            long end = Math.min(partition.head(), next + MESSAGES_PER_CALL);
            List<StoredSegment> segments = routines.fetch(session, partition.id(), next, end);
            List<Run> runs = new ArrayList<>();
            for (StoredSegment segment : segments) {
                KeyProgress.addWithin(runs,
                        Reencryption.of(cipher, READ_ONLY, partition.id(), segment.base(), segment.body()).runs(), next,
                        Long.MAX_VALUE);
            }
            routines.record(session, partition.id(), queueId, runs);
            progress.changed();
            next = StoredSegment.endOf(segments, end);
        }
        return true;
    }

    private void reencrypt(UpkeepSession session, Policy policy, KeyProgress progress, BooleanSupplier isOver)
            throws TimeoutException {
        OpenRun last = null;
        int failures = 0;
        List<OpenRun> page;
        do {
            page = routines.runs(session, cipher, policy, last);
            for (OpenRun run : page) {
                if (isOver.getAsBoolean()) {
                    return;
                }
                failures += reencrypt(session, policy, run, progress, isOver);
                last = run;
            }
        } while (page.size() == KeyRoutines.PAGE);
        if (failures > 0) {
            log.warn("re-encryption left {} messages of {} as they are, because they cannot be decrypted", failures,
                    session.shard());
        }
    }

    private int reencrypt(UpkeepSession session, Policy policy, OpenRun run, KeyProgress progress,
            BooleanSupplier isOver) throws TimeoutException {
        long next = run.first();
        int failures = 0;
        while (next < run.end() && !isOver.getAsBoolean()) {
            long end = Math.min(run.end(), next + MESSAGES_PER_CALL);
            List<StoredSegment> segments = routines.fetch(session, run.partitionId(), next, end);
            end = Math.min(run.end(), StoredSegment.endOf(segments, end));
            List<Run> found = new ArrayList<>();
            for (StoredSegment segment : segments) {
                Reencryption renewed = Reencryption.of(cipher, policy, run.partitionId(), segment.base(),
                        segment.body());
                if (renewed.body() != null && !routines.replace(session, run.partitionId(), segment, renewed.body())) {
                    // The segment was removed or changed, or is locked. The next pass reads what is left of it.
                    return failures;
                }
                meters.reencrypted("message", renewed.body() == null ? 0 : segment.count());
                failures += renewed.failures();
                KeyProgress.addWithin(found, renewed.runs(), next, end);
            }
            routines.replaceRun(session, run.partitionId(), next, end, found);
            progress.changed();
            next = end;
        }
        return failures;
    }

    private void count(UpkeepSession session, KeyProgress progress) throws TimeoutException {
        long nowNs = Clock.SYSTEM.nowNs();
        if (progress.isCountDue(nowNs)) {
            routines.count(session);
            progress.counted(nowNs);
        }
    }
}
