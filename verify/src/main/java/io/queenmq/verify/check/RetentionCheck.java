package io.queenmq.verify.check;

/** Retention removes only messages that every group has finished. */
final class RetentionCheck extends SkipCheck {
    RetentionCheck(Findings findings) {
        super("retention", "Retention never removes a message that a group has not finished.", findings);
    }

    @Override
    protected boolean appliesTo(QueueFacts queue, String group) {
        return queue.isComplete(group) && queue.isRetained();
    }

    @Override
    protected void finish(Ledger ledger) {
        super.finish(ledger);
        for (Partition partition : ledger.partitions()) {
            QueueFacts queue = ledger.queue(partition.queue());
            if (!ledger.isDrained() || !queue.isRetained() || queue.isDeleted()) {
                continue;
            }
            queue.groups().forEach((group, isComplete) -> {
                GroupPartition state = partition.group(group);
                if (isComplete && state.low() < partition.end()
                        && !ledger.excuses().apply(FaultExemptions.HISTORY, 0, Long.MAX_VALUE)) {
                    findings.add(name(),
                            "offset " + state.low() + " of partition " + partition.name() + " of queue " + queue.name()
                                    + " was never finished by group " + group + ", and consumers receive it no more",
                            Evidence.ofOffset(partition.id(), state.low(), group));
                }
            });
        }
    }
}
