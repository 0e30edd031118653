package io.queenmq.verify.check;

/** Each accepted message is stored, and each group that reads all messages finishes it. */
final class LossCheck extends Check {
    /** A failover loses the messages whose requests began shortly before or while it was active, and no earlier ones. */
    static final long REQUEST_MICROS_MAX = 15_000_000;

    LossCheck(Findings findings) {
        super("loss", "Every accepted message is stored, and delivered to every group until it is finished.", findings);
    }

    @Override
    protected void finish(Ledger ledger) {
        for (QueueFacts queue : ledger.queues()) {
            if (queue.isAuditComplete() && !queue.isDeleted()) {
                checkStored(queue, ledger);
            }
        }
        for (Partition partition : ledger.partitions()) {
            QueueFacts queue = ledger.queue(partition.queue());
            if (ledger.isDrained() && !queue.isDeleted() && !queue.isExpiring() && !queue.isRetained()) {
                queue.groups().forEach((group, isComplete) -> {
                    if (isComplete) {
                        checkFinished(partition.group(group), ledger);
                    }
                });
            }
        }
    }

    private void checkStored(QueueFacts queue, Ledger ledger) {
        Messages messages = ledger.messages();
        for (long m = 0; m < messages.end(); m++) {
            if (messages.queueNumber(m) == queue.number() && messages.is(m, Messages.ACCEPTED)
                    && !messages.is(m, Messages.SEEN) && !mayBeDuplicate(messages, m)
                    && !ledger.excuses().apply(FaultExemptions.HISTORY, messages.acceptedMicros(m),
                            messages.acceptedMicros(m) + REQUEST_MICROS_MAX)) {
                findings.add(name(), "message " + m + " of queue " + queue.name()
                        + " was accepted, but it is not stored at the end of the run", Evidence.ofMessage(m));
            }
        }
    }

    /** Returns true if the message may be the duplicate of another message with its transactionId. */
    private static boolean mayBeDuplicate(Messages messages, long m) {
        return messages.is(m, Messages.REUSED)
                && (messages.is(m, Messages.DUPLICATE) || messages.is(m, Messages.BUFFERED));
    }

    private void checkFinished(GroupPartition group, Ledger ledger) {
        Partition partition = group.partition();
        for (int offset = group.low(); offset < partition.end(); offset++) {
            long m = partition.messageAt(offset);
            if (m >= 0 && !group.isSettled(offset) && !isRedriven(m, partition, ledger)
                    && (isStored(m, ledger) || !ledger.excuses().apply(FaultExemptions.HISTORY, 0, Long.MAX_VALUE))) {
                findings.add(name(),
                        "message " + m + " at offset " + offset + " of partition " + partition.name() + " of queue "
                                + partition.queue() + " was never finished by group " + group.group()
                                + ", although its consumers waited until they received nothing more",
                        Evidence.ofMessage(m));
            }
        }
    }

    private static boolean isStored(long m, Ledger ledger) {
        return ledger.messages().is(m, Messages.AUDITED);
    }

    /** A dead letter that was moved back is finished at its new offset. */
    private static boolean isRedriven(long m, Partition partition, Ledger ledger) {
        return ledger.queue(partition.queue()).isRedriven() && ledger.messages().copies(m) > 1;
    }
}
