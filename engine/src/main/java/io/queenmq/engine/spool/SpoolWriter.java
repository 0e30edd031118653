package io.queenmq.engine.spool;

import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries work from the engine loop to the thread that owns the files, in rounds: while one is under way, the next one
 * gathers. So one flush serves all who came during the one before. Its methods are called on the engine loop, and so are
 * the replies.
 */
final class SpoolWriter {
    private static final Logger log = LoggerFactory.getLogger(SpoolWriter.class);

    private final SpoolLog waiting;
    private final SpoolLog refused;
    private final Executor disk;
    private final Executor loop;
    private final List<Refusal> postponed = new ArrayList<>();
    private Round next = new Round();
    private boolean isUnderWay;
    private Usage usage;

    /**
     * @param disk runs tasks one after the other; the files belong to it from now on
     * @param loop brings a task to the engine loop
     */
    SpoolWriter(SpoolStore store, Executor disk, Executor loop) {
        this.waiting = store.waiting();
        this.refused = store.refused();
        this.disk = disk;
        this.loop = loop;
        this.usage = usage();
    }

    /** How much of the disk is used, as of the last round. */
    record Usage(long bytes, long refusedBytes, int refusedCount, int damaged) {}

    Usage used() {
        return usage;
    }

    private Usage usage() {
        return new Usage(waiting.bytes(), refused.bytes(), refused.openCount(),
                waiting.damagedCount() + refused.damagedCount());
    }

    /** What one round does. */
    private static final class Round {
        private final List<SpoolEntry> entries = new ArrayList<>();
        private final List<Reply<Void>> replies = new ArrayList<>();
        private final List<Long> stored = new ArrayList<>();
        private final List<Refusal> refusals = new ArrayList<>();
        private final List<Runnable> tasks = new ArrayList<>();

        boolean isEmpty() {
            return entries.isEmpty() && stored.isEmpty() && refusals.isEmpty() && tasks.isEmpty();
        }
    }

    private record Refusal(long sequence, SpoolEntry entry, Runnable onSettled) {}

    /** Work on the files. */
    interface Work<T> {
        T on(SpoolLog waiting, SpoolLog refused) throws IOException;
    }

    /** The reply succeeds when the entry is flushed to disk. */
    void append(SpoolEntry entry, Reply<Void> reply) {
        next.entries.add(entry);
        next.replies.add(reply);
        go();
    }

    /** An entry is stored in PostgreSQL: it is of no use here any more. */
    void settle(long sequence) {
        next.stored.add(sequence);
        go();
    }

    /** An entry is set aside; until the disk takes it, it stays where it is. */
    void refuse(long sequence, SpoolEntry entry, Runnable onSettled) {
        next.refusals.add(new Refusal(sequence, entry, onSettled));
        go();
    }

    /** Tries once more what the disk did not take. */
    void retry() {
        next.refusals.addAll(postponed);
        postponed.clear();
        go();
    }

    <T> void work(Work<T> work, Reply<T> reply) {
        next.tasks.add(() -> {
            try {
                T result = work.on(waiting, refused);
                Usage after = usage();
                loop.execute(() -> {
                    usage = after;
                    reply.succeed(result);
                });
            } catch (IOException | RuntimeException e) {
                log.debug("the files of the spool could not be worked on", e);
                loop.execute(() -> reply.fail(new Failure.Unavailable(messageOf(e))));
            }
        });
        go();
    }

    /** Begins a round if there is something to do and none is under way. */
    private void go() {
        if (isUnderWay || next.isEmpty()) {
            return;
        }
        isUnderWay = true;
        Round round = next;
        next = new Round();
        disk.execute(() -> {
            try {
                append(round);
                setAside(round);
                settle(round);
                round.tasks.forEach(Runnable::run);
            } catch (RuntimeException defect) {
                log.error("a round of the spool failed", defect);
            } finally {
                end();
            }
        });
    }

    private void end() {
        Usage after = usage();
        loop.execute(() -> {
            usage = after;
            isUnderWay = false;
            go();
        });
    }

    private void append(Round round) {
        if (round.entries.isEmpty()) {
            return;
        }
        try {
            waiting.append(round.entries);
            Usage after = usage();
            loop.execute(() -> {
                usage = after;
                round.replies.forEach(reply -> reply.succeed(null));
            });
        } catch (IOException | RuntimeException e) {
            log.debug("the spool cannot be written to", e);
            Failure failure = new Failure.Unavailable("the spool cannot be written to: " + messageOf(e));
            loop.execute(() -> round.replies.forEach(reply -> reply.fail(failure)));
        }
    }

    private void setAside(Round round) {
        if (round.refusals.isEmpty()) {
            return;
        }
        try {
            refused.append(round.refusals.stream().map(Refusal::entry).toList());
            round.refusals.forEach(refusal -> round.stored.add(refusal.sequence));
            Usage after = usage();
            loop.execute(() -> {
                usage = after;
                round.refusals.forEach(refusal -> refusal.onSettled.run());
            });
        } catch (IOException | RuntimeException e) {
            log.warn("what PostgreSQL refused cannot be set aside, which is tried again: {}", messageOf(e));
            loop.execute(() -> postponed.addAll(round.refusals));
        }
    }

    private void settle(Round round) {
        if (round.stored.isEmpty()) {
            return;
        }
        long[] sequences = round.stored.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(sequences);
        waiting.settle(sequences);
    }

    private static String messageOf(Exception e) {
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }
}
