package io.queenmq.engine.spool;

import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes tasks from the engine loop to the thread that owns the files, in rounds. While one round is in flight, tasks
 * gather for the next one, so one flush serves many entries. Its methods and the replies are called on the engine loop.
 */
final class SpoolWriter {
    private static final Logger log = LoggerFactory.getLogger(SpoolWriter.class);

    private final SpoolLog waiting;
    private final SpoolLog refused;
    private final Executor disk;
    private final Executor loop;
    private final List<Refusal> postponed = new ArrayList<>();
    private Round next = new Round();
    private boolean isRoundInFlight;
    private Usage usage;

    /**
     * @param disk runs tasks one after the other; owns the files from now on
     * @param loop runs a task on the engine loop
     */
    SpoolWriter(SpoolStore store, Executor disk, Executor loop) {
        this.waiting = store.waiting();
        this.refused = store.refused();
        this.disk = disk;
        this.loop = loop;
        this.usage = usage();
    }

    /** The disk usage as of the last round. */
    record Usage(long bytes, long refusedBytes, int refusedCount, int damaged) {}

    Usage used() {
        return usage;
    }

    private Usage usage() {
        return new Usage(waiting.bytes(), refused.bytes(), refused.openCount(),
                waiting.damagedCount() + refused.damagedCount());
    }

    /** The tasks of one round. */
    private static final class Round {
        private final List<SpoolEntry> entries = new ArrayList<>();
        private final List<Reply<@Nullable Void>> replies = new ArrayList<>();
        private final List<Long> stored = new ArrayList<>();
        private final List<Refusal> refusals = new ArrayList<>();
        private final List<Runnable> tasks = new ArrayList<>();

        boolean isEmpty() {
            return entries.isEmpty() && stored.isEmpty() && refusals.isEmpty() && tasks.isEmpty();
        }
    }

    private record Refusal(long sequence, SpoolEntry entry, Runnable onSettled) {}

    /** A task on the files. */
    interface Work<T extends @Nullable Object> {
        T on(SpoolLog waiting, SpoolLog refused) throws IOException;
    }

    /** Appends an entry. The reply succeeds when the entry is flushed to disk. */
    void append(SpoolEntry entry, Reply<@Nullable Void> reply) {
        next.entries.add(entry);
        next.replies.add(reply);
        startRound();
    }

    /** Marks an entry as settled, because it is stored in PostgreSQL. */
    void settle(long sequence) {
        next.stored.add(sequence);
        startRound();
    }

    /** Moves an entry to the log of refused messages. Until that succeeds, it stays pending. */
    void refuse(long sequence, SpoolEntry entry, Runnable onSettled) {
        next.refusals.add(new Refusal(sequence, entry, onSettled));
        startRound();
    }

    /** Retries refusals that could not be written. */
    void retry() {
        next.refusals.addAll(postponed);
        postponed.clear();
        startRound();
    }

    <T extends @Nullable Object> void work(Work<T> work, Reply<T> reply) {
        next.tasks.add(() -> {
            try {
                T result = work.on(waiting, refused);
                Usage after = usage();
                loop.execute(() -> {
                    usage = after;
                    reply.succeed(result);
                });
            } catch (IOException | RuntimeException e) {
                log.debug("task on spool files failed", e);
                loop.execute(() -> reply.fail(new Failure.Unavailable(messageOf(e))));
            }
        });
        startRound();
    }

    /** Starts a round if there are tasks and none is in flight. */
    private void startRound() {
        if (isRoundInFlight || next.isEmpty()) {
            return;
        }
        isRoundInFlight = true;
        Round round = next;
        next = new Round();
        disk.execute(() -> {
            try {
                append(round);
                storeRefused(round);
                settle(round);
                round.tasks.forEach(Runnable::run);
            } catch (RuntimeException defect) {
                log.error("spool round failed", defect);
            } finally {
                end();
            }
        });
    }

    private void end() {
        Usage after = usage();
        loop.execute(() -> {
            usage = after;
            isRoundInFlight = false;
            startRound();
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
                for (Reply<@Nullable Void> reply : round.replies) {
                    reply.succeed(null);
                }
            });
        } catch (IOException | RuntimeException e) {
            log.debug("append to spool failed", e);
            Failure failure = new Failure.Unavailable("the spool cannot be written to: " + messageOf(e));
            loop.execute(() -> round.replies.forEach(reply -> reply.fail(failure)));
        }
    }

    private void storeRefused(Round round) {
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
            log.warn("writing refused messages of the spool failed, will retry: {}", messageOf(e));
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
