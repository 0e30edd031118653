package io.queenmq.engine.push;

import io.queenmq.engine.command.PushCommand;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.numbers.Numbers;
import io.queenmq.engine.numbers.PushRefusal;
import io.queenmq.engine.reply.Failure;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Collects the outcomes of one push request, and replies when all are complete. Owned by the engine loop. */
final class PushTally {
    private final PushCommand command;
    private final long request;
    private final Numbers numbers;
    private final PushOutcome[] outcomes;
    private int open;
    private int unavailable;
    private @Nullable Failure failure;

    /** @param request the number of the request, by which requests are counted */
    PushTally(PushCommand command, long request, Numbers numbers) {
        this.command = command;
        this.request = request;
        this.numbers = numbers;
        this.outcomes = new PushOutcome[command.items().size()];
        this.open = outcomes.length;
    }

    long request() {
        return request;
    }

    void countRefused(String queue, PushRefusal reason, String error) {
        numbers.of(queue).refused(reason, error);
    }

    void decide(int index, PushOutcome outcome) {
        assert outcomes[index] == null : "decided twice";
        outcomes[index] = outcome;
        if (--open == 0) {
            command.reply().succeed(Arrays.asList(outcomes));
        }
    }

    /**
     * Completes a message with a failure of its call. If every message of the request fails in this way, the whole request fails,
     * so that the client retries it.
     */
    void unavailable(int index, Failure why) {
        unavailable++;
        // If a message may have been stored, the failure of the request must not state that none was.
        failure = failure == null || failure.isNothingDone() ? why : failure;
        if (unavailable == outcomes.length) {
            command.reply().fail(failure);
        } else {
            decide(index, new PushOutcome.Failed(why.message()));
        }
    }
}
