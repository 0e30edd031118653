package io.queenmq.server.push;

import io.queenmq.server.push.Duplicates.Verdict;
import io.queenmq.server.reply.Reply;
import io.queenmq.server.time.Timers;
import java.util.List;

/** Finds out which of those in line are stored already, and tells them so. Owned by the engine loop. */
final class Examiner {
    private final Duplicates duplicates;
    private final PushLanes lanes;
    private final PushDoor door;
    private final Timers timers;

    Examiner(Duplicates duplicates, PushLanes lanes, PushDoor door, Timers timers) {
        this.duplicates = duplicates;
        this.lanes = lanes;
        this.door = door;
        this.timers = timers;
    }

    /** All suspects are examined at once; the task runs when the last of them is decided, or could not be. */
    void examine(PushTurn turn, List<PendingPush> suspects, Runnable onLast) {
        turn.ask(suspects.size());
        for (PendingPush suspect : suspects) {
            long offset = turn.lane().window().find(suspect.item().hash());
            duplicates.examine(turn.lane(), suspect.item(), suspect.callSinceNs(timers.nowNs()), Reply.of(verdict -> {
                judge(turn.lane(), suspect, offset, verdict);
                onAnswer(turn, onLast);
            }, failure -> {
                if (!suspect.isSpooled() && !door.isRefugeFor(failure)) {
                    suspect.unavailable(failure);
                }
                turn.setFailure(failure);
                onAnswer(turn, onLast);
            }));
        }
    }

    private static void onAnswer(PushTurn turn, Runnable onLast) {
        if (turn.isLastAnswer()) {
            onLast.run();
        }
    }

    private void judge(PushLane lane, PendingPush suspect, long offset, Verdict verdict) {
        switch (verdict) {
            case Verdict.Unique _ -> suspect.proveUnique(offset);
            case Verdict.Itself _ -> {
                lane.numbers().pushed(lane.id(), 1, false);
                suspect.queued(lane.id());
            }
            case Verdict.DuplicateOf(var messageId, var createdAtMicros) -> {
                boolean isForgotten = lane.isRecalling() && !lanes.isRemembered(lane, offset, createdAtMicros);
                if (suspect.isRedriven() || isForgotten) {
                    suspect.proveUnique(offset);
                } else {
                    suspect.duplicateOf(lane.id(), messageId);
                }
            }
        }
    }
}
