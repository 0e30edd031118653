package io.queenmq.verify.check;

import io.queenmq.verify.check.Entry.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** All messages of a transaction are stored, or none. */
final class TornTransactionCheck extends Check {
    private record Pushes(Outcome outcome, int[] messages, long start) {}

    private final List<Pushes> transactions = new ArrayList<>();

    TornTransactionCheck(Findings findings) {
        super("torn-transaction", "All operations of a transaction take effect, or none.", findings);
    }

    @Override
    protected void read(Entry.Transaction transaction, Ledger ledger) {
        if (!transaction.pushes().isEmpty()) {
            transactions.add(new Pushes(transaction.outcome(),
                    transaction.pushes().stream().mapToInt(each -> Math.toIntExact(each.m())).toArray(),
                    transaction.line().start()));
        }
    }

    @Override
    protected void finish(Ledger ledger) {
        Messages messages = ledger.messages();
        for (Pushes each : transactions) {
            boolean isAudited = Arrays.stream(each.messages).allMatch(m -> ledger.queues().stream()
                    .anyMatch(queue -> queue.number() == messages.queueNumber(m) && queue.isAuditComplete()));
            long stored = Arrays.stream(each.messages).filter(m -> messages.is(m, Messages.SEEN)).count();
            boolean isWhole = switch (each.outcome) {
                case DONE -> stored == each.messages.length;
                case REJECTED -> stored == 0;
                case UNKNOWN -> stored == 0 || stored == each.messages.length;
            };
            if (isAudited && !isWhole && !ledger.excuses().apply(FaultExemptions.HISTORY, each.start, Long.MAX_VALUE)) {
                findings.add(name(),
                        "of the messages "
                                + Arrays.stream(each.messages).mapToObj(Integer::toString)
                                        .collect(Collectors.joining(", "))
                                + " of one transaction (outcome " + each.outcome.name().toLowerCase(Locale.ROOT) + ") "
                                + stored + " are stored",
                        Evidence.ofMessage(each.messages[0])
                                .or(Evidence.ofMessage(each.messages[each.messages.length - 1])));
            }
        }
    }
}
