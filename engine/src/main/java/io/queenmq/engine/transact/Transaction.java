package io.queenmq.engine.transact;

import io.queenmq.engine.ack.AckHolder;
import io.queenmq.engine.ack.AckListener;
import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.AckOutcome;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.command.TransactCommand;
import io.queenmq.engine.command.TransactOutcome;
import io.queenmq.engine.push.PushBundle;
import io.queenmq.engine.reply.Failure;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** One transaction on its way: what is to be pushed where, and what is to be acknowledged. Owned by the engine loop. */
final class Transaction implements AckListener {
    private final TransactCommand command;
    private final TransactOutcome.Result[] results;
    private final List<Integer> pushIndexes = new ArrayList<>();
    private final List<Integer> ackIndexes = new ArrayList<>();
    private final PushBundle bundle;
    private List<AckHolder> holders = List.of();
    private final String doubt;
    private final long sinceNs;
    private final long epoch;
    private String refusal;

    /**
     * @param doubt why an earlier attempt was refused; null for the first one
     * @param sinceNs when it came
     * @param epoch of the database history in which it begins
     */
    private Transaction(TransactCommand command, String doubt, long sinceNs, long epoch) {
        this.epoch = epoch;
        this.doubt = doubt;
        this.sinceNs = sinceNs;
        this.command = command;
        this.results = new TransactOutcome.Result[command.operations().size()];
        List<PushItem> pushes = new ArrayList<>();
        for (int i = 0; i < results.length; i++) {
            switch (command.operations().get(i)) {
                case TransactCommand.Operation.Push(PushItem item) -> {
                    pushIndexes.add(i);
                    pushes.add(item);
                }
                case TransactCommand.Operation.Ack _ -> ackIndexes.add(i);
            }
        }
        this.bundle = new PushBundle(pushes, sinceNs);
    }

    static Transaction of(TransactCommand command, long sinceNs, long epoch) {
        return new Transaction(command, null, sinceNs, epoch);
    }

    /**
     * The same once more from its beginning: a call whose outcome is unknown may have carried it out.
     *
     * @param why why this attempt was refused; null where another one may succeed
     */
    Transaction again(String why, long currentEpoch) {
        Transaction again = new Transaction(command, why, sinceNs, currentEpoch);
        again.bundle.follow(bundle);
        return again;
    }

    long sinceNs() {
        return sinceNs;
    }

    /** The epoch in which everything was found that is known of it. */
    long epoch() {
        return epoch;
    }

    TransactCommand command() {
        return command;
    }

    /** What it pushes. */
    PushBundle bundle() {
        return bundle;
    }

    List<AckItem> ackItems() {
        return ackIndexes.stream()
                .map(index -> ((TransactCommand.Operation.Ack) command.operations().get(index)).item())
                .toList();
    }

    /**
     * The leases that have to be live, each once: those the client requires, and those its acknowledgements name, also of
     * messages that are finished already. Else one whose lease was taken over could still push.
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

    /** The ids of all it is about: partitions it acknowledges in or pushes to, and leases that have to be live. */
    List<UUID> partitionsAndLeases() {
        List<UUID> ids = new ArrayList<>(requiredLeases());
        holders.forEach(holder -> ids.add(holder.partitionId()));
        bundle.partitions().forEach(partition -> ids.add(partition.id()));
        return ids;
    }

    /** What became of an acknowledgement; the first that was refused refuses the transaction. */
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

    /** Why the transaction cannot take effect; null while it can. */
    String refusal() {
        return refusal;
    }

    void setHolders(List<AckHolder> holders) {
        this.holders = holders;
    }

    List<AckHolder> holders() {
        return holders;
    }

    String doubt() {
        return doubt;
    }

    /** Whether everything that was asked for had been done before, as when a client asks again after a lost answer. */
    boolean isDoneAlready() {
        return bundle.isStored() || holders.isEmpty() && bundle.isDecided()
                && ackIndexes.stream().allMatch(index -> results[index] != null);
    }

    /** Everything took effect. */
    List<TransactOutcome.Result> committed() {
        List<PushOutcome> pushed = bundle.committed();
        for (int i = 0; i < pushed.size(); i++) {
            results[pushIndexes.get(i)] = new TransactOutcome.Result.Pushed(pushed.get(i));
        }
        return List.of(results);
    }
}
