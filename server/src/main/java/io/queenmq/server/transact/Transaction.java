package io.queenmq.server.transact;

import io.queenmq.server.ack.AckHolder;
import io.queenmq.server.ack.AckItem;
import io.queenmq.server.ack.AckListener;
import io.queenmq.server.ack.AckOutcome;
import io.queenmq.server.push.PushItem;
import io.queenmq.server.push.PushLane;
import io.queenmq.server.push.PushOutcome;
import io.queenmq.server.push.Sealing;
import io.queenmq.server.push.SegmentDraft;
import io.queenmq.server.reply.Failure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/** One transaction on its way: what is to be pushed where, and what is to be acknowledged. Owned by the engine loop. */
final class Transaction implements AckListener {
    private final TransactCommand command;
    private final TransactOutcome.Result[] results;
    private final List<Integer> pushIndexes = new ArrayList<>();
    private final List<Integer> ackIndexes = new ArrayList<>();
    private final PushLane[] lanes;
    private List<AckHolder> holders = List.of();
    private final String doubt;
    private final long sinceNs;
    private String refusal;
    private boolean isStored;
    private int attempts;

    /**
     * @param doubt why an earlier attempt was refused; null for the first one
     * @param sinceNs when it came
     */
    Transaction(TransactCommand command, String doubt, long sinceNs) {
        this.doubt = doubt;
        this.sinceNs = sinceNs;
        this.command = command;
        this.results = new TransactOutcome.Result[command.operations().size()];
        this.lanes = new PushLane[results.length];
        for (int i = 0; i < results.length; i++) {
            switch (command.operations().get(i)) {
                case TransactCommand.Operation.Push _ -> pushIndexes.add(i);
                case TransactCommand.Operation.Ack _ -> ackIndexes.add(i);
            }
        }
    }

    long sinceNs() {
        return sinceNs;
    }

    TransactCommand command() {
        return command;
    }

    List<Integer> pushIndexes() {
        return pushIndexes;
    }

    PushItem push(int index) {
        return ((TransactCommand.Operation.Push) command.operations().get(index)).item();
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

    void decidePush(int index, PushOutcome outcome) {
        results[index] = new TransactOutcome.Result.Pushed(outcome);
    }

    boolean isDecided(int index) {
        return results[index] != null;
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

    /** One of its own messages is stored: a call whose answer was lost has carried out all of it. */
    void foundStored(int index) {
        isStored = true;
        decidePush(index, new PushOutcome.Queued(lanes[index].id()));
    }

    /** Whether its own messages were found stored. */
    boolean isStored() {
        return isStored;
    }

    /** Whether everything that was asked for had been done before, as when a client asks again after a lost answer. */
    boolean isDoneAlready() {
        return isStored || holders.isEmpty() && Arrays.stream(results).noneMatch(Objects::isNull);
    }

    void setLane(int index, PushLane lane) {
        lanes[index] = lane;
    }

    PushLane lane(int index) {
        return lanes[index];
    }

    Set<PushLane> lanes() {
        Set<PushLane> all = new LinkedHashSet<>();
        for (int index : pushIndexes) {
            all.add(lanes[index]);
        }
        return all;
    }

    /**
     * The pushes that are to be stored, lane by lane, each transactionId once.
     *
     * @throws io.queenmq.server.cipher.CipherException when one should be encrypted and cannot be
     */
    Map<PushLane, SegmentDraft> drafts(Sealing sealing) {
        Map<PushLane, SegmentDraft> drafts = new LinkedHashMap<>();
        Map<UUID, Map<String, PushItem>> firsts = new LinkedHashMap<>();
        for (int index : pushIndexes) {
            if (isDecided(index)) {
                continue;
            }
            PushItem item = push(index);
            PushItem first = firsts.computeIfAbsent(lanes[index].id(), _ -> new LinkedHashMap<>())
                    .putIfAbsent(item.transactionId(), item);
            if (first == null) {
                drafts.computeIfAbsent(lanes[index], PushLane::newDraft)
                        .add(sealing.isRequiredFor(lanes[index]) ? sealing.seal(item) : item);
            }
        }
        return drafts;
    }

    /** Everything took effect: pushes that are still open were stored, or are twins of one that was. */
    List<TransactOutcome.Result> committed() {
        Map<UUID, Map<String, UUID>> firsts = new LinkedHashMap<>();
        for (int index : pushIndexes) {
            if (!isDecided(index)) {
                PushItem item = push(index);
                UUID first = firsts.computeIfAbsent(lanes[index].id(), _ -> new LinkedHashMap<>())
                        .putIfAbsent(item.transactionId(), item.messageId());
                decidePush(index, first == null
                        ? new PushOutcome.Queued(lanes[index].id())
                        : new PushOutcome.Duplicate(lanes[index].id(), first));
            }
        }
        return List.of(results);
    }

    int countAttempt() {
        return ++attempts;
    }
}
