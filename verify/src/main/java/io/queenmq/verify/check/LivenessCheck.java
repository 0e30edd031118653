package io.queenmq.verify.check;

import io.queenmq.verify.check.Entry.Outcome;

/** Without a fault, every request is answered, and consumers receive everything. */
final class LivenessCheck extends Check {
    /** After a fault, servers reconnect with increasing delays. */
    static final long GRACE_MICROS = 30_000_000;

    LivenessCheck(Findings findings) {
        super("liveness", "Without a fault every request is answered in time, and consumers receive all messages.",
                findings);
    }

    @Override
    protected void read(Entry.Push push, Ledger ledger) {
        if (push.items().stream().anyMatch(each -> each.outcome() == Outcome.UNKNOWN)) {
            unanswered(push.line(), ledger);
        }
    }

    @Override
    protected void read(Entry.Pop pop, Ledger ledger) {
        if (pop.outcome() == Outcome.UNKNOWN) {
            unanswered(pop.line(), ledger);
        }
    }

    @Override
    protected void read(Entry.Acked ack, String group, Entry.Line line, Ledger ledger) {
        if (ack.outcome() == Outcome.UNKNOWN) {
            unanswered(line, ledger);
        }
    }

    private void unanswered(Entry.Line line, Ledger ledger) {
        if (!ledger.excuses().isAnyFault(line.start(), line.end(), GRACE_MICROS)) {
            findings.add(name(),
                    "a " + line.op() + " of " + line.process() + " got no response or an error after "
                            + (line.end() - line.start()) / 1_000 + " ms, although no fault was active",
                    Evidence.ofLines(line.n()));
        }
    }

    @Override
    protected void read(Entry.Line line, Ledger ledger) {
        if (line.op().equals("drain") && !line.node().path("complete").asBoolean()) {
            findings.add(name(), "consumers did not receive all messages within "
                    + (line.end() - line.start()) / 1_000_000 + " s after the last fault", Evidence.ofLines(line.n()));
        } else if (line.op().equals("recovered") && !line.node().path("complete").asBoolean()) {
            findings.add(name(), "servers were not healthy within " + (line.end() - line.start()) / 1_000_000
                    + " s after the fault " + line.text("name"), Evidence.ofLines(line.n()));
        }
    }
}
