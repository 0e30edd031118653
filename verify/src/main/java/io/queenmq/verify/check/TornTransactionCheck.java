package io.queenmq.verify.check;

import io.queenmq.verify.check.Entry.Acked;
import io.queenmq.verify.check.Entry.Delivered;
import io.queenmq.verify.check.Entry.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * All messages of a transaction are stored, or none, and its acks take effect with them. The acks of a transaction are kept only if
 * its outcome is unknown: those of a confirmed one are checked as other acks are.
 */
final class TornTransactionCheck extends Check {
    static final String NAME = "torn-transaction";
    static final String GUARANTEE = "All operations of a transaction or a stream cycle take effect, or none.";

    private static final class Transaction {
        private final Outcome outcome;
        private final int[] messages;
        private final long start;
        private final long line;
        private final List<Position> acks = new ArrayList<>();
        /** The line of a pop that began later and delivered an acknowledged message; 0 if there is none. */
        private long redelivery;

        private Transaction(Outcome outcome, int[] messages, Entry.Line line) {
            this.outcome = outcome;
            this.messages = messages;
            this.start = line.start();
            this.line = line.n();
        }
    }

    private record Position(String partitionId, long offset, String group) {}

    private final List<Transaction> transactions = new ArrayList<>();
    /** The transactions with an unknown outcome, by the positions that they acknowledge. */
    private final Map<Position, List<Transaction>> undecided = new HashMap<>();

    TornTransactionCheck(Findings findings) {
        super(NAME, GUARANTEE, findings);
    }

    @Override
    protected void read(Entry.Transaction entry, Ledger ledger) {
        if (entry.pushes().isEmpty()) {
            return;
        }
        boolean isRepeated = entry.pushes().stream().anyMatch(each -> ledger.messages().is(each.m(), Messages.UNKNOWN));
        Transaction transaction = new Transaction(
                // An earlier request with the same messages may take effect although this one was rejected.
                entry.outcome() == Outcome.REJECTED && isRepeated ? Outcome.UNKNOWN : entry.outcome(),
                entry.pushes().stream().mapToInt(each -> Math.toIntExact(each.m())).toArray(), entry.line());
        transactions.add(transaction);
        if (transaction.outcome == Outcome.UNKNOWN) {
            for (Acked each : entry.acks()) {
                Position position = new Position(each.partitionId(), each.offset(), entry.group());
                transaction.acks.add(position);
                undecided.computeIfAbsent(position, _ -> new ArrayList<>()).add(transaction);
            }
        }
    }

    /** A pop that began after the transaction has a later lease: the message was not finished by the transaction. */
    @Override
    protected void read(Entry.Pop pop, Ledger ledger) {
        if (undecided.isEmpty() || pop.group().equals(Ledger.AUDIT)) {
            return;
        }
        for (Delivered each : pop.messages()) {
            undecided.getOrDefault(new Position(each.partitionId(), each.offset(), pop.group()), List.of()).stream()
                    .filter(transaction -> transaction.start < pop.line().start())
                    .forEach(transaction -> transaction.redelivery = pop.line().n());
        }
    }

    @Override
    protected void finish(Ledger ledger) {
        for (Transaction each : transactions) {
            if (!isAudited(each, ledger)) {
                continue;
            }
            boolean isTailLost = ledger.excuses().apply(FaultExemptions.HISTORY, each.start,
                    each.start + LossCheck.REQUEST_MICROS_MAX);
            long stored = stored(each, ledger);
            boolean isWhole = switch (each.outcome) {
                case DONE -> stored == each.messages.length || isTailLost && stored == 0;
                case REJECTED -> stored == 0;
                case UNKNOWN -> stored == 0 || stored == each.messages.length;
            };
            if (!isWhole) {
                findings.add(name(),
                        "of the messages "
                                + Arrays.stream(each.messages).mapToObj(Integer::toString)
                                        .collect(Collectors.joining(", "))
                                + " of one transaction (outcome " + each.outcome.name().toLowerCase(Locale.ROOT) + ") "
                                + stored + " are stored",
                        Evidence.ofLines(each.line).or(Evidence.ofMessage(each.messages[0]))
                                .or(Evidence.ofMessage(each.messages[each.messages.length - 1])));
            } else if (!ledger.excuses().apply(FaultExemptions.HISTORY, each.start, Long.MAX_VALUE)) {
                checkAcks(each, stored > 0, ledger);
            }
        }
    }

    private void checkAcks(Transaction each, boolean isStored, Ledger ledger) {
        if (isStored && each.redelivery > 0) {
            findings.add(name(), "the messages of a transaction are stored, but a message that it acknowledges was"
                    + " delivered again", Evidence.ofLines(each.line, each.redelivery));
        } else if (!isStored && ledger.isDrained()) {
            each.acks.stream().filter(ack -> isFinishedByNoOther(ack, ledger)).findFirst()
                    .ifPresent(ack -> findings.add(name(),
                            "no message of a transaction is stored, but offset " + ack.offset
                                    + " that it acknowledges is not delivered any more, and nothing else finished it",
                            Evidence.ofLines(each.line).or(Evidence.ofOffset(ack.partitionId, ack.offset, ack.group))));
        }
    }

    private boolean isFinishedByNoOther(Position ack, Ledger ledger) {
        Partition partition = ledger.find(ack.partitionId);
        if (partition == null || ledger.queue(partition.queue()).isDeleted()
                || !ledger.queue(partition.queue()).isComplete(ack.group)) {
            return false;
        }
        GroupPartition group = partition.group(ack.group);
        return !group.is(ack.offset, GroupPartition.FINISHED) && !group.is(ack.offset, GroupPartition.DEAD)
                && undecided.getOrDefault(ack, List.of()).stream().allMatch(other -> stored(other, ledger) == 0);
    }

    private static boolean isAudited(Transaction transaction, Ledger ledger) {
        return Arrays.stream(transaction.messages).allMatch(m -> ledger.queues().stream()
                .anyMatch(queue -> queue.number() == ledger.messages().queueNumber(m) && queue.isAuditComplete()));
    }

    private static long stored(Transaction transaction, Ledger ledger) {
        return Arrays.stream(transaction.messages).filter(m -> ledger.messages().is(m, Messages.AUDITED)).count();
    }
}
