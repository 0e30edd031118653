package io.queenmq.engine.spool;

import io.queenmq.engine.command.RefusedFilter;
import io.queenmq.engine.command.RefusedMessage;
import io.queenmq.engine.reply.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Messages that were accepted while PostgreSQL was away, and that it refused for good when it was back. They are kept
 * until an operator decides. Owned by the engine loop.
 */
public final class RefusedMessages {
    private final Spool spool;
    private final SpoolWriter writer;

    RefusedMessages(Spool spool, SpoolWriter writer) {
        this.spool = spool;
        this.writer = writer;
    }

    /** The oldest of them. */
    public void list(RefusedFilter filter, int max, Reply<List<RefusedMessage>> reply) {
        writer.work((_, refused) -> {
            List<RefusedMessage> found = new ArrayList<>();
            refused.forEachOpen(each -> {
                SpoolEntry entry = each.entry();
                if (found.size() < max && filter.matches(entry.queue(), entry.messageId())) {
                    found.add(new RefusedMessage(entry.messageId(), entry.queue(), entry.partition(),
                            entry.transactionId(), entry.acceptedAtMicros(), entry.reason(), entry.line().length));
                }
            });
            return found;
        }, reply);
    }

    /**
     * Has them stored once more, behind all that waits; answers how many. One that is put back twice, because of a crash in
     * between, is stored once.
     */
    public void putBack(RefusedFilter filter, Reply<Integer> reply) {
        writer.work((waiting, refused) -> {
            List<SpoolEntry> entries = new ArrayList<>();
            long[] sequences = sequences(refused, entry -> filter.matches(entry.queue(), entry.messageId()), entries);
            if (!entries.isEmpty()) {
                waiting.append(entries.stream().map(SpoolEntry::putBack).toList());
                refused.settle(sequences);
            }
            return entries;
        }, Reply.of(entries -> {
            entries.forEach(spool::came);
            spool.show();
            reply.succeed(entries.size());
        }, reply::fail));
    }

    /** Throws them away; answers how many. */
    public void drop(RefusedFilter filter, Reply<Integer> reply) {
        writer.work((_, refused) -> {
            long[] sequences = sequences(refused, entry -> filter.matches(entry.queue(), entry.messageId()),
                    new ArrayList<>());
            refused.settle(sequences);
            return sequences.length;
        }, reply);
    }

    private static long[] sequences(SpoolLog refused, Predicate<SpoolEntry> isChosen, List<SpoolEntry> entries)
            throws IOException {
        List<Long> sequences = new ArrayList<>();
        refused.forEachOpen(each -> {
            if (isChosen.test(each.entry())) {
                sequences.add(each.sequence());
                entries.add(each.entry());
            }
        });
        return sequences.stream().mapToLong(Long::longValue).toArray();
    }
}
