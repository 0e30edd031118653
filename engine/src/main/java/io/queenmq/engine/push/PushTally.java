package io.queenmq.engine.push;

import io.queenmq.engine.command.PushCommand;
import io.queenmq.engine.command.PushOutcome;

import io.queenmq.engine.numbers.Numbers;
import io.queenmq.engine.numbers.PushRefusal;
import io.queenmq.engine.reply.Failure;
import java.util.Arrays;

/** Collects the outcomes of one push request and answers when the last one is in. Owned by the engine loop. */
final class PushTally {
    private final PushCommand command;
    private final long request;
    private final Numbers numbers;
    private final PushOutcome[] outcomes;
    private int open;
    private int unavailable;
    private Failure failure;

    /** @param request tells the request apart from others, where requests are counted */
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

    /** A request none of whose messages got through fails as a whole, so that the client tries it again. */
    void unavailable(int index, Failure why) {
        unavailable++;
        // Where one message may have been stored, nobody is told that none was.
        failure = failure == null || failure.isNothingDone() ? why : failure;
        if (unavailable == outcomes.length) {
            command.reply().fail(failure);
        } else {
            decide(index, new PushOutcome.Failed(why.message()));
        }
    }
}
