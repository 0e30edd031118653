package io.queenmq.engine.push;

import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.partition.SegmentReader;
import io.queenmq.engine.partition.StoredLine;
import io.queenmq.engine.push.Acceptances.Times;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether messages whose hash is known are duplicates: by the transactionId of the stored message, and by the time at
 * which it was accepted. PostgreSQL's clock decides, so every server decides alike. Owned by the engine loop.
 */
final class DuplicateChecker {
    /** The result of a comparison. */
    sealed interface Verdict {
        /** No stored message makes it a duplicate. */
        record Unique() implements Verdict {}

        record DuplicateOf(UUID messageId) implements Verdict {}
    }

    private static final Verdict UNIQUE = new Verdict.Unique();

    private final SegmentReader reader;
    private final Acceptances acceptances;
    private final PushPartitions partitions;

    DuplicateChecker(SegmentReader reader, Acceptances acceptances, PushPartitions partitions) {
        this.reader = reader;
        this.acceptances = acceptances;
        this.partitions = partitions;
    }

    /**
     * Decides for each item, in order. The caller has taken the partition, and the partition is caught up.
     *
     * @param sinceNs when the first of the requests arrived that wait for the result
     */
    void check(PushPartition partition, List<PushItem> items, long sinceNs, Reply<List<Verdict>> reply) {
        new Comparison(partition, items, sinceNs, reply).step();
    }

    private final class Comparison {
        private final PushPartition partition;
        private final List<PushItem> items;
        private final long sinceNs;
        private final Reply<List<Verdict>> reply;
        private final Verdict[] verdicts;
        /** For each item the stored message it is compared with next: from the newest one to the oldest. */
        private final long[] matches;
        private int openReads;
        private @Nullable Failure failure;

        Comparison(PushPartition partition, List<PushItem> items, long sinceNs, Reply<List<Verdict>> reply) {
            this.partition = partition;
            this.items = items;
            this.sinceNs = sinceNs;
            this.reply = reply;
            this.verdicts = new Verdict[items.size()];
            this.matches = items.stream().mapToLong(item -> partition.window().find(item.hash())).toArray();
        }

        /** Compares every undecided item with the next stored message of its hash. */
        void step() {
            List<Integer> open = new ArrayList<>();
            for (int i = 0; i < verdicts.length; i++) {
                if (verdicts[i] == null && matches[i] < partition.rule().firstOffset(partition.window().known())) {
                    verdicts[i] = UNIQUE;
                } else if (verdicts[i] == null) {
                    open.add(i);
                }
            }
            if (open.isEmpty()) {
                reply.succeed(List.of(verdicts));
                return;
            }
            long[] offsets = open.stream().mapToLong(i -> matches[i]).toArray();
            acceptances.read(partition.id(), offsets, sinceNs, Reply.of(times -> compare(open, times), reply::fail));
        }

        private void compare(List<Integer> open, Times times) {
            List<Integer> within = new ArrayList<>();
            List<Integer> beyond = new ArrayList<>();
            for (int i = 0; i < open.size(); i++) {
                long acceptedMicros = times.acceptedMicros()[i];
                if (acceptedMicros != Acceptances.GONE
                        && partition.rule().isWithinWindow(times.nowMicros(), acceptedMicros)) {
                    within.add(open.get(i));
                } else {
                    beyond.add(open.get(i));
                }
            }
            if (times.nowMicros() != Long.MIN_VALUE) {
                partitions.trim(partition, times.nowMicros());
            }
            // Messages from a spool are stored later than others that were accepted after them, so older ones count, too.
            beyond.forEach(this::compareWithOlder);
            if (within.isEmpty()) {
                step();
                return;
            }
            openReads = within.size();
            within.forEach(this::read);
        }

        private void compareWithOlder(int item) {
            matches[item] = partition.window().findBefore(items.get(item).hash(), matches[item]);
        }

        private void read(int item) {
            long offset = matches[item];
            reader.read(partition.id(), offset, sinceNs, Reply.of(segment -> {
                int lineStart = segment == null ? -1 : segment.lineStart((int) (offset - segment.base()));
                if (segment != null
                        && StoredLine.isSameTransaction(segment.body(), lineStart, items.get(item).line(), 0)) {
                    verdicts[item] = new Verdict.DuplicateOf(StoredLine.messageId(segment.body(), lineStart));
                } else {
                    compareWithOlder(item);
                }
                onRead();
            }, why -> {
                failure = why;
                onRead();
            }));
        }

        private void onRead() {
            if (--openReads > 0) {
                return;
            }
            if (failure != null) {
                reply.fail(failure);
            } else {
                step();
            }
        }
    }
}
