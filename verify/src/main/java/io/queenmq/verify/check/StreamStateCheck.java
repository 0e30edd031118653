package io.queenmq.verify.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The state of a stream query agrees with its messages. Each cycle adds the number of its messages to a total and to a session;
 * a session that has ended is deleted by the cycle that pushes its number. So each message is counted once in the total, and once in a
 * session that is open or whose result is stored.
 */
final class StreamStateCheck extends Check {
    private record State(String partitionId, String group, long total, long open, long line) {}

    private record Result(String partitionId, long m, long sum) {}

    private final List<State> states = new ArrayList<>();
    /** The results of sessions, by message: a repeated request has the same one. */
    private final Map<Long, Result> results = new HashMap<>();

    StreamStateCheck(Findings findings) {
        super(TornTransactionCheck.NAME, TornTransactionCheck.GUARANTEE, findings);
    }

    @Override
    protected void read(Entry.Transaction entry, Ledger ledger) {
        if (!entry.stream().isEmpty() && !entry.pushes().isEmpty()) {
            long m = entry.pushes().getFirst().m();
            results.put(m, new Result(entry.stream(), m, entry.sum()));
        }
    }

    @Override
    protected void read(Entry.Line line, Ledger ledger) {
        if (line.op().equals("state") && line.text("outcome").equals("ok")) {
            states.add(new State(line.text("partitionId"), line.text("group"), line.node().path("total").asLong(),
                    line.node().path("open").asLong(), line.n()));
        }
    }

    @Override
    protected void finish(Ledger ledger) {
        if (!ledger.isDrained() || ledger.excuses().apply(FaultExemptions.HISTORY, 0, Long.MAX_VALUE)) {
            return;
        }
        for (State each : states) {
            Partition partition = ledger.find(each.partitionId);
            if (partition == null || hasDeadLetters(partition, each.group)) {
                continue;
            }
            long emitted = results.values().stream().filter(result -> result.partitionId.equals(each.partitionId)
                    && ledger.messages().is(result.m, Messages.AUDITED)).mapToLong(Result::sum).sum();
            if (each.total != partition.end()) {
                report(each, partition, "the state of the stream counts " + each.total + " messages of partition "
                        + partition.name() + ", which has " + partition.end());
            } else if (emitted + each.open != each.total) {
                report(each, partition,
                        "the sessions of partition " + partition.name() + " counted " + emitted
                                + " messages in stored results and " + each.open
                                + " in open sessions, but the partition has " + each.total);
            }
        }
    }

    private void report(State state, Partition partition, String text) {
        findings.add(name(), text, Evidence.ofLines(state.line).or(Evidence.ofStream(partition.id(), state.group)));
    }

    private static boolean hasDeadLetters(Partition partition, String group) {
        GroupPartition state = partition.group(group);
        for (int offset = 0; offset < partition.end(); offset++) {
            if (state.is(offset, GroupPartition.DEAD)) {
                return true;
            }
        }
        return false;
    }
}
