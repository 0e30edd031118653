package io.queenmq.engine.push;

import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.connection.DatabaseHistory;
import io.queenmq.engine.partition.Segment;
import io.queenmq.engine.partition.SegmentReader;
import io.queenmq.engine.partition.StoredLine;
import io.queenmq.engine.push.Acceptances.Match;
import io.queenmq.engine.push.DuplicateChecker.Verdict;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.time.Timers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Determines which pending pushes are stored already, and completes them. The caller has taken the partition, and removes
 * completed pushes from its queue. Owned by the engine loop.
 */
final class PendingPushChecker {
    private static final int READS_IN_A_ROW = 64;
    /** The number of earlier messages in which a message is searched that an earlier process may have stored. */
    private static final long RECOVERED_MESSAGES_MAX = 100_000;

    private static final Failure REMOVED = new Failure.Unavailable(
            "PostgreSQL did not respond, and messages of the partition"
                    + " were removed before it was known whether it had stored the push");

    private final DuplicateChecker duplicates;
    private final Acceptances acceptances;
    private final SegmentReader reader;
    private final DatabaseHistory history;
    private final Timers timers;

    PendingPushChecker(DuplicateChecker duplicates, Acceptances acceptances, SegmentReader reader,
            DatabaseHistory history, Timers timers) {
        this.history = history;
        this.duplicates = duplicates;
        this.acceptances = acceptances;
        this.reader = reader;
        this.timers = timers;
    }

    /** Compares messages with the stored ones that have their hashes. */
    void compare(PushPartition partition, List<PendingPush> suspects, Reply<@Nullable Void> reply) {
        long knownMax = partition.window().known();
        long epoch = history.epoch();
        duplicates.check(partition, suspects.stream().map(PendingPush::item).toList(), sinceNs(suspects),
                Reply.of(verdicts -> {
                    // Another history may have other messages at these offsets: then the messages are compared again.
                    for (int i = 0; i < verdicts.size() && epoch == history.epoch(); i++) {
                        switch (verdicts.get(i)) {
                            case Verdict.Unique _ -> suspects.get(i).provedUpTo(knownMax);
                            case Verdict.DuplicateOf(var messageId) ->
                                suspects.get(i).duplicateOf(partition.id(), messageId);
                        }
                    }
                    reply.succeed(null);
                }, reply::fail));
    }

    private long sinceNs(List<PendingPush> pending) {
        return pending.getFirst().callSinceNs(timers.nowNs());
    }

    /**
     * Resolves calls whose outcome is unknown: a message that one of them has stored is in the segment that begins where the
     * call appends, and is recognized by its message id, independent of the duplicate window.
     */
    void resolve(PushPartition partition, List<PendingPush> inDoubt, Reply<@Nullable Void> reply) {
        Map<Long, List<PendingPush>> byBase = new TreeMap<>();
        inDoubt.forEach(pending -> byBase.computeIfAbsent(pending.attemptBase(), _ -> new ArrayList<>()).add(pending));
        resolve(partition, byBase.values().iterator(), sinceNs(inDoubt), reply);
    }

    private void resolve(PushPartition partition, Iterator<List<PendingPush>> rest, long sinceNs,
            Reply<@Nullable Void> reply) {
        if (!rest.hasNext()) {
            reply.succeed(null);
            return;
        }
        List<PendingPush> attempted = rest.next();
        long attemptBase = attempted.getFirst().attemptBase();
        boolean isFirst = attemptBase == PendingPush.ATTEMPTED_AS_FIRST;
        long base = isFirst ? partition.tail() : attemptBase;
        // The first segment of a partition is at its tail, unless it was removed.
        boolean isMaybeRemoved = isFirst && base > 0;
        if (base >= partition.window().known()) {
            // Nothing was stored there so far, and the next call appends at that offset or a later one.
            attempted.forEach(pending -> pending.setAttemptBase(PendingPush.NOT_ATTEMPTED));
            if (isMaybeRemoved) {
                failRemoved(attempted);
            }
            resolve(partition, rest, sinceNs, reply);
            return;
        }
        long epoch = history.epoch();
        reader.read(partition.id(), base, sinceNs, Reply.of(segment -> {
            if (epoch != history.epoch()) {
                // The head is not known in the new history: the calls are resolved again when it is.
                reply.succeed(null);
                return;
            }
            attempted.forEach(pending -> pending.setAttemptBase(PendingPush.NOT_ATTEMPTED));
            if (segment != null && segment.base() == base) {
                recognize(partition, attempted, segment);
            }
            if (segment == null || isMaybeRemoved) {
                failRemoved(attempted);
            }
            resolve(partition, rest, sinceNs, reply);
        }, reply::fail));
    }

    /**
     * Fails pushes whose segment, if there was one, is not stored anymore: it was read by every group and removed. The outcome of
     * the call remains unknown, and storing the messages again could deliver them twice. A message of the spool was accepted, so
     * it is stored again.
     */
    private static void failRemoved(List<PendingPush> attempted) {
        attempted.stream().filter(pending -> !pending.isSpooled() && !pending.isDecided())
                .forEach(pending -> pending.unavailable(REMOVED));
    }

    /**
     * Completes the pushes of a call that is found stored. A call covers the front of the queue. So if a message is stored, those
     * before it were covered by the same call, and one that is not in the segment was a duplicate of a message that is.
     */
    private static void recognize(PushPartition partition, List<PendingPush> attempted, Segment segment) {
        Map<UUID, Long> stored = offsetsByMessageId(segment);
        int covered = attempted.size();
        while (covered > 0 && !stored.containsKey(attempted.get(covered - 1).item().messageId())) {
            covered--;
        }
        for (PendingPush pending : attempted.subList(0, covered)) {
            Long offset = stored.get(pending.item().messageId());
            if (offset != null) {
                foundStored(partition, pending, offset);
            } else {
                UUID original = originalIn(segment, pending.item());
                if (original != null) {
                    pending.duplicateOf(partition.id(), original);
                }
            }
        }
    }

    /** Returns the id of a message of the segment with the same transactionId; null if there is none. */
    private static @Nullable UUID originalIn(Segment segment, PushItem item) {
        for (int i = 0; i < segment.count(); i++) {
            if (segment.hashes()[i] == item.hash()
                    && StoredLine.isSameTransaction(segment.body(), segment.lineStart(i), item.line(), 0)) {
                return StoredLine.messageId(segment.body(), segment.lineStart(i));
            }
        }
        return null;
    }

    private static Map<UUID, Long> offsetsByMessageId(Segment segment) {
        Map<UUID, Long> offsets = HashMap.newHashMap(segment.count());
        for (int i = 0; i < segment.count(); i++) {
            offsets.put(StoredLine.messageId(segment.body(), segment.lineStart(i)), segment.base() + i);
        }
        return offsets;
    }

    private static void foundStored(PushPartition partition, PendingPush pending, long offset) {
        partition.numbers().pushed(partition.id(), 1, false);
        pending.queued(partition.id(), offset);
    }

    /**
     * Compares messages from the spool with the stored ones that have their hashes, which PostgreSQL searches. So the memory is
     * bounded by the messages that are compared.
     */
    void compareSpooled(PushPartition partition, List<PendingPush> spooled, Reply<@Nullable Void> reply) {
        DedupRule rule = partition.rule();
        List<PendingPush> compared = rule.isOff()
                ? spooled.stream().filter(each -> each.spooled().isRecovered()).toList()
                : spooled;
        long known = partition.window().known();
        if (compared.isEmpty()) {
            proved(spooled, known, history.epoch(), reply);
            return;
        }
        long firstOffset = Long.MAX_VALUE;
        long acceptedMin = Long.MAX_VALUE;
        long[] hashes = new long[compared.size()];
        for (int i = 0; i < hashes.length; i++) {
            PendingPush each = compared.get(i);
            hashes[i] = each.item().hash();
            firstOffset = Math.min(firstOffset, each.provenUpTo());
            acceptedMin = Math.min(acceptedMin, each.spooled().acceptedMicros());
        }
        long epoch = history.epoch();
        boolean isAnyRecovered = compared.stream().anyMatch(each -> each.spooled().isRecovered());
        long reach = isAnyRecovered ? Math.max(rule.messagesMax(), RECOVERED_MESSAGES_MAX) : rule.messagesMax();
        acceptances
                .find(partition.id(), Math.max(firstOffset, Math.max(0, known - reach)),
                        isAnyRecovered ? 0 : acceptedMin - rule.windowMicros(), hashes, sinceNs(compared),
                        Reply.of(
                                found -> compare(partition, candidates(partition, compared, found), 0, epoch,
                                        Reply.of(_ -> proved(spooled, known, epoch, reply), reply::fail)),
                                reply::fail));
    }

    /** @param epoch of the history in which the messages were compared; in another one they are compared again */
    private void proved(List<PendingPush> spooled, long known, long epoch, Reply<@Nullable Void> reply) {
        if (epoch == history.epoch()) {
            spooled.stream().filter(each -> !each.isDecided()).forEach(each -> each.provedUpTo(known));
        }
        reply.succeed(null);
    }

    private record Candidate(PendingPush pending, Match match) {}

    private static List<Candidate> candidates(PushPartition partition, List<PendingPush> compared, List<Match> found) {
        Map<Long, List<Match>> byHash = new HashMap<>();
        found.forEach(match -> byHash.computeIfAbsent(match.hash(), _ -> new ArrayList<>(1)).add(match));
        List<Candidate> candidates = new ArrayList<>();
        for (PendingPush each : compared) {
            for (Match match : byHash.getOrDefault(each.item().hash(), List.of())) {
                if (each.spooled().isRecovered() || isWithinWindow(partition, each, match)) {
                    candidates.add(new Candidate(each, match));
                }
            }
        }
        candidates.sort(Comparator.comparingLong(candidate -> candidate.match.offset()));
        return candidates;
    }

    private static boolean isWithinWindow(PushPartition partition, PendingPush pending, Match match) {
        return match.offset() >= partition.rule().firstOffset(partition.window().known())
                && partition.rule().isWithinWindow(pending.spooled().acceptedMicros(), match.acceptedMicros());
    }

    /** Reads one segment at a time, and compares all candidates that are in it. */
    private void compare(PushPartition partition, List<Candidate> candidates, int from, long epoch,
            Reply<@Nullable Void> reply) {
        int next = from;
        while (next < candidates.size() && candidates.get(next).pending.isDecided()) {
            next++;
        }
        if (next == candidates.size() || epoch != history.epoch()) {
            reply.succeed(null);
            return;
        }
        int first = next;
        reader.read(partition.id(), candidates.get(first).match.offset(), timers.nowNs(), Reply.of(segment -> {
            int at = first;
            do {
                Candidate candidate = candidates.get(at++);
                if (segment != null && epoch == history.epoch() && !candidate.pending.isDecided()) {
                    compare(partition, candidate, segment);
                }
            } while (segment != null && at < candidates.size() && candidates.get(at).match.offset() < segment.end());
            if (first / READS_IN_A_ROW == at / READS_IN_A_ROW) {
                compare(partition, candidates, at, epoch, reply);
            } else {
                // Segments in memory are read at once, so the stack would grow with the number of candidates.
                int continued = at;
                timers.after(0, () -> compare(partition, candidates, continued, epoch, reply));
            }
        }, reply::fail));
    }

    private static void compare(PushPartition partition, Candidate candidate, Segment segment) {
        PendingPush pending = candidate.pending;
        int lineStart = segment.lineStart((int) (candidate.match.offset() - segment.base()));
        UUID stored = StoredLine.messageId(segment.body(), lineStart);
        if (stored.equals(pending.item().messageId())) {
            foundStored(partition, pending, candidate.match.offset());
        } else if (isWithinWindow(partition, pending, candidate.match)
                && StoredLine.isSameTransaction(segment.body(), lineStart, pending.item().line(), 0)) {
            pending.duplicateOf(partition.id(), stored);
        }
    }
}
