package io.queenmq.verify.check;

import io.queenmq.verify.check.Entry.Delivered;
import io.queenmq.verify.check.Entry.Pushed;
import java.util.HashMap;
import java.util.Map;

/** A message is stored once, and a transactionId is stored once within its window. */
final class DuplicateCheck extends Check {
    /** Clocks are compared across machines, so a decision close to the end of a window is not judged. */
    private static final long MARGIN_MICROS = 500_000;

    /** The last message that was stored with a transactionId. */
    private record Stored(long m, long start, long end) {}

    /** The ids that responses to repeated pushes named, by message. */
    private final Map<Long, String> originals = new HashMap<>();
    private final Map<String, Stored> byTransactionId = new HashMap<>();

    DuplicateCheck(Findings findings) {
        super("duplicate",
                "A message is stored once, and a transactionId once within the deduplication window of its queue.",
                findings);
    }

    @Override
    protected void read(Entry.Push push, Ledger ledger) {
        for (Pushed item : push.items()) {
            if (item.status().equals("duplicate") && !item.isReused() && !item.id().isEmpty()) {
                originals.put(item.m(), item.id());
            }
            if (!ledger.queue(item.queue()).hasReusedIds() || item.transactionId().isEmpty()) {
                continue;
            }
            String key = item.queue() + '\0' + item.partition() + '\0' + item.transactionId();
            switch (item.status()) {
                case "queued" -> queued(key, item, push.line(), ledger);
                case "duplicate" -> {
                    // Nothing is stored.
                }
                // Stored at an unknown time.
                default -> byTransactionId.remove(key);
            }
        }
    }

    private void queued(String key, Pushed item, Entry.Line line, Ledger ledger) {
        Stored before = byTransactionId.put(key, new Stored(item.m(), line.start(), line.end()));
        long windowMicros = ledger.queue(item.queue()).dedupWindowSeconds() * 1_000_000L;
        if (before != null && line.end() - before.start < windowMicros - MARGIN_MICROS
                && !ledger.excuses().apply(FaultExemptions.CLOCK, before.start, line.end())
                && !ledger.excuses().apply(FaultExemptions.HISTORY, before.start, line.end())) {
            findings.add(name(), "transactionId " + item.transactionId() + " of partition " + item.partition()
                    + " was stored twice within its window: as message " + before.m + " and as message " + item.m(),
                    Evidence.ofMessage(before.m).or(Evidence.ofMessage(item.m())));
        }
    }

    @Override
    protected void read(Entry.Pop pop, Ledger ledger) {
        for (Delivered each : pop.messages()) {
            if (each.m() < 0) {
                continue;
            }
            checkOriginal(each, ledger);
            Messages messages = ledger.messages();
            Partition partition = ledger.find(each.partitionId());
            boolean isNewPlace = partition == null || partition.messageAt(each.offset()) < 0;
            if (isNewPlace && messages.is(each.m(), Messages.STORED) && !isAllowed(each, ledger)) {
                findings.add(name(),
                        "message " + each.m() + " is stored twice: at offset " + messages.offset(each.m())
                                + " of partition " + ledger.partition(messages.partitionNumber(each.m())).name()
                                + " and at offset " + each.offset() + " of partition " + each.partition(),
                        Evidence.ofMessage(each.m()));
            }
        }
    }

    /** The response to a repeated push must name the message that is stored. */
    private void checkOriginal(Delivered each, Ledger ledger) {
        String named = each.id().isEmpty() ? null : originals.get(each.m());
        QueueFacts queue = ledger.queue(each.queue());
        if (named != null && !named.equals(each.id()) && !queue.isRedriven() && !queue.isDeleted()
                && !ledger.excuses().apply(FaultExemptions.HISTORY, 0, Long.MAX_VALUE)) {
            findings.add(name(), "the response to a repeated push of message " + each.m() + " names the id " + named
                    + ", but the stored message has the id " + each.id(), Evidence.ofMessage(each.m()));
        }
    }

    private static boolean isAllowed(Delivered each, Ledger ledger) {
        QueueFacts queue = ledger.queue(each.queue());
        boolean isWindowShort = queue.hasReusedIds() && ledger.messages().is(each.m(), Messages.RETRIED);
        // A message of a deleted queue that was in flight is stored in the queue with its name.
        return queue.isRedriven() || isWindowShort
                || queue.isDeleted() && ledger.messages().is(each.m(), Messages.RETRIED)
                // The first copy was in the tail that PostgreSQL lost.
                || ledger.excuses().apply(FaultExemptions.HISTORY, 0, Long.MAX_VALUE)
                        && ledger.messages().is(each.m(), Messages.RETRIED);
    }
}
