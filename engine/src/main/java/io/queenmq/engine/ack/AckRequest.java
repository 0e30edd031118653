package io.queenmq.engine.ack;

import io.queenmq.engine.command.AckCommand;
import io.queenmq.engine.command.AckOutcome;

import io.queenmq.engine.reply.Failure;
import java.util.Arrays;

/** Collects the outcomes of one ack request, and replies when all are set. Owned by the engine loop. */
final class AckRequest implements AckListener {
    private final AckCommand command;
    private final AckOutcome[] outcomes;
    private int open;
    private boolean isFailed;

    AckRequest(AckCommand command) {
        this.command = command;
        this.outcomes = new AckOutcome[command.items().size()];
        this.open = outcomes.length;
    }

    @Override
    public void decide(int index, AckOutcome outcome) {
        outcomes[index] = outcome;
        if (--open == 0 && !isFailed) {
            command.reply().succeed(Arrays.asList(outcomes));
        }
    }

    /** Fails the request as a whole, so that the client repeats it. Acks are idempotent. */
    @Override
    public void fail(Failure failure) {
        if (!isFailed) {
            isFailed = true;
            command.reply().fail(failure);
        }
    }
}
