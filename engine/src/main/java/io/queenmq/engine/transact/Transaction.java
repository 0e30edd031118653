package io.queenmq.engine.transact;

import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.AckOutcome;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.command.TransactCommand;
import io.queenmq.engine.command.TransactOutcome;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.unit.UnitOfWork;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One attempt to execute a transaction. Owned by the engine loop. */
final class Transaction extends UnitOfWork {
    private final TransactCommand command;
    private final TransactOutcome.Result[] results;
    private final List<Integer> pushIndexes = new ArrayList<>();
    private final List<Integer> ackIndexes = new ArrayList<>();
    private final @Nullable String rejection;
    private @Nullable String refusal;

    /**
     * @param rejection why an earlier attempt was rejected; null if none was
     * @param sinceNs when the request arrived
     * @param epoch of the database history in which the attempt begins
     */
    private Transaction(TransactCommand command, @Nullable String rejection, long sinceNs, long epoch) {
        super(pushesOf(command), sinceNs, epoch);
        this.command = command;
        this.rejection = rejection;
        this.results = new TransactOutcome.Result[command.operations().size()];
        for (int i = 0; i < results.length; i++) {
            switch (command.operations().get(i)) {
                case TransactCommand.Operation.Push _ -> pushIndexes.add(i);
                case TransactCommand.Operation.Ack _ -> ackIndexes.add(i);
            }
        }
    }

    private static List<PushItem> pushesOf(TransactCommand command) {
        return command.operations().stream().filter(TransactCommand.Operation.Push.class::isInstance)
                .map(operation -> ((TransactCommand.Operation.Push) operation).item()).toList();
    }

    static Transaction of(TransactCommand command, long sinceNs, long epoch) {
        return new Transaction(command, null, sinceNs, epoch);
    }

    /**
     * Returns the next attempt. A call whose outcome is unknown may have executed the transaction.
     *
     * @param why why this attempt was rejected; null if the next one may succeed
     */
    Transaction next(@Nullable String why, long currentEpoch) {
        Transaction next = new Transaction(command, why, sinceNs(), currentEpoch);
        next.bundle().follow(bundle());
        return next;
    }

    TransactCommand command() {
        return command;
    }

    List<AckItem> ackItems() {
        return ackIndexes.stream()
                .map(index -> ((TransactCommand.Operation.Ack) command.operations().get(index)).item()).toList();
    }

    /**
     * Returns the leases that must be live, each once: those that the client requires, and those that its acks name, also of
     * messages that are finished. Otherwise a consumer whose lease was taken over could still push.
     */
    List<UUID> requiredLeases() {
        Set<UUID> required = new LinkedHashSet<>(command.requiredLeases());
        for (AckItem item : ackItems()) {
            if (item.leaseId() != null) {
                required.add(item.leaseId());
            }
        }
        return List.copyOf(required);
    }

    /** Returns the ids of its partitions and of the leases that must be live. They decide which shards it needs. */
    List<UUID> partitionsAndLeases() {
        List<UUID> ids = new ArrayList<>(requiredLeases());
        acks().forEach(holder -> ids.add(holder.partitionId()));
        bundle().partitions().forEach(partition -> ids.add(partition.id()));
        return ids;
    }

    /** Sets the outcome of an ack. The first one that is rejected rejects the transaction. */
    @Override
    public void decide(int position, AckOutcome outcome) {
        results[ackIndexes.get(position)] = new TransactOutcome.Result.Acked(outcome);
        if (!outcome.isAccepted() && refusal == null) {
            refusal = outcome.error();
        }
    }

    @Override
    public void fail(Failure failure) {
        refusal = failure.message();
    }

    /** Returns why the transaction cannot take effect; null if it can. */
    @Nullable
    String refusal() {
        return refusal;
    }

    /** Returns why an earlier attempt was rejected; null if none was. */
    @Nullable
    String rejection() {
        return rejection;
    }

    /** Returns true if all of it took effect before, as when a client repeats a request after a lost response. */
    boolean isDoneAlready() {
        return bundle().isStored() || acks().isEmpty() && bundle().isDecided()
                && ackIndexes.stream().allMatch(index -> results[index] != null);
    }

    /** Returns the results of a transaction that took effect. */
    List<TransactOutcome.Result> committed() {
        List<PushOutcome> pushed = bundle().committed();
        for (int i = 0; i < pushed.size(); i++) {
            results[pushIndexes.get(i)] = new TransactOutcome.Result.Pushed(pushed.get(i));
        }
        return List.of(results);
    }
}
