package io.queenmq.verify.check;

import io.queenmq.verify.check.Entry.Delivered;

/** Only pushed messages are delivered, and an offset always has the same message. */
final class PhantomCheck extends Check {
    PhantomCheck(Findings findings) {
        super("phantom", "Only messages that were pushed are delivered, each with its payload and at its offset.",
                findings);
    }

    @Override
    protected void read(Entry.Pop pop, Ledger ledger) {
        for (Delivered each : pop.messages()) {
            if (each.m() < 0) {
                findings.add(name(), "a message was delivered whose payload no process pushed, at offset "
                        + each.offset() + " of partition " + each.partition(), Evidence.ofLines(pop.line().n()));
                continue;
            }
            Partition partition = ledger.find(each.partitionId());
            long known = partition == null ? -1 : partition.messageAt(each.offset());
            if (known >= 0 && known != each.m() && !isLost(known, ledger)) {
                findings.add(name(),
                        "offset " + each.offset() + " of partition " + each.partition() + " was delivered with message "
                                + each.m() + ", but has message " + known,
                        Evidence.ofMessage(each.m()).or(Evidence.ofMessage(known)));
            }
        }
    }

    /** Returns true if a return of PostgreSQL to an earlier state may have removed the message. */
    private static boolean isLost(long m, Ledger ledger) {
        Messages messages = ledger.messages();
        return ledger.excuses().apply(FaultExemptions.HISTORY,
                messages.is(m, Messages.ACCEPTED) ? messages.acceptedMicros(m) : 0,
                messages.is(m, Messages.ACCEPTED) && !messages.is(m, Messages.BUFFERED)
                        ? messages.acceptedMicros(m) + LossCheck.REQUEST_MICROS_MAX
                        : Long.MAX_VALUE);
    }

    @Override
    protected void finish(Ledger ledger) {
        Messages messages = ledger.messages();
        for (long m = 0; m < messages.end(); m++) {
            if (!messages.is(m, Messages.SEEN)) {
                continue;
            }
            if (!messages.is(m, Messages.PUSHED)) {
                findings.add(name(), "message " + m + " was delivered, but no process pushed it",
                        Evidence.ofMessage(m));
            } else if (messages.is(m, Messages.REJECTED) && !messages.is(m, Messages.ACCEPTED)
                    && !messages.is(m, Messages.UNKNOWN)) {
                findings.add(name(), "message " + m + " was delivered, but its push was rejected",
                        Evidence.ofMessage(m));
            }
        }
    }
}
