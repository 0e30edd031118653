package io.queenmq.verify.check;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;

/** The counts of the server agree with the messages: stored = finished + dead + pending. */
final class ConservationCheck extends Check {
    private record Dead(long count) {}

    private final Map<String, Dead> dead = new HashMap<>();

    ConservationCheck(Findings findings) {
        super("conservation", "The counts of a queue agree with its messages: stored = finished + dead + pending.",
                findings);
    }

    @Override
    protected void read(Entry.Line line, Ledger ledger) {
        if (line.op().equals("letters")) {
            dead.put(line.text("queue"), new Dead(line.node().path("letters").size()));
        }
        if (!line.op().equals("count")) {
            return;
        }
        String queue = line.text("queue");
        // If PostgreSQL returned to an earlier state, the history contains messages of the lost tail.
        boolean isTailLost = ledger.excuses().apply(FaultExemptions.HISTORY, 0, Long.MAX_VALUE);
        long stored = isTailLost ? ledger.queue(queue).audited() : 0;
        for (Partition partition : ledger.partitions()) {
            if (!isTailLost && partition.queue().equals(queue)) {
                stored += storedIn(partition);
            }
        }
        compare(line, queue, "stored messages", line.node().path("stored"), stored);
        Dead letters = dead.get(queue);
        if (letters != null) {
            compare(line, queue, "dead letters", line.node().path("dead"), letters.count);
        }
        if (ledger.isDrained() && !ledger.queue(queue).hasSeeks()) {
            compare(line, queue, "pending messages", line.node().path("pending"), 0);
        }
    }

    private void compare(Entry.Line line, String queue, String count, JsonNode reported, long expected) {
        if (!reported.isMissingNode() && !reported.isNull() && reported.asLong() != expected) {
            findings.add(name(), "the server reports " + reported.asLong() + " " + count + " of queue " + queue
                    + "; the history has " + expected, Evidence.ofLines(line.n()));
        }
    }

    private static long storedIn(Partition partition) {
        long stored = 0;
        for (int offset = 0; offset < partition.end(); offset++) {
            stored += partition.messageAt(offset) >= 0 ? 1 : 0;
        }
        return stored;
    }
}
