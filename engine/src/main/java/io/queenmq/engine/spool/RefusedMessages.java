package io.queenmq.engine.spool;

import io.queenmq.engine.command.RefusedFilter;
import io.queenmq.engine.command.RefusedMessage;
import io.queenmq.engine.reply.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The spooled messages that PostgreSQL has refused. They are kept until an operator restores or deletes them. Owned by
 * the engine loop.
 */
public final class RefusedMessages {
    private final Spool spool;
    private final SpoolWriter writer;

    RefusedMessages(Spool spool, SpoolWriter writer) {
        this.spool = spool;
        this.writer = writer;
    }

    /** Lists the oldest refused messages that match. */
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
     * Appends the matching messages to the end of the spool, and replies with their number. A message that is restored
     * twice because of a crash is stored once.
     */
    public void restore(RefusedFilter filter, Reply<Integer> reply) {
        writer.work((waiting, refused) -> {
            List<SpoolEntry> entries = new ArrayList<>();
            long[] sequences = sequences(refused, entry -> filter.matches(entry.queue(), entry.messageId()), entries);
            if (!entries.isEmpty()) {
                waiting.append(entries.stream().map(SpoolEntry::restore).toList());
                refused.settle(sequences);
            }
            return entries;
        }, Reply.of(entries -> {
            entries.forEach(spool::added);
            spool.updateStatus();
            reply.succeed(entries.size());
        }, reply::fail));
    }

    /** Deletes the matching messages, and replies with their number. */
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
