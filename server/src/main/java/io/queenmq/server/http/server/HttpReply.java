package io.queenmq.server.http.server;

import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way back of one request: takes the engine's answer on the engine's thread, and hands it to the route on the event
 * loop the request came from.
 */
final class HttpReply<T> implements Reply<T> {
    private static final Logger log = LoggerFactory.getLogger(HttpReply.class);

    private final AnswerQueue answers;
    private final Exchange exchange;
    private final Consumer<T> onOutcome;
    private final Consumer<Failure> onFailure;

    // Written before the answer joins the queue and read after it left, so the queue makes them visible.
    private T outcome;
    private Failure failure;
    private HttpReply<?> before;
    private boolean isAnswered;

    HttpReply(AnswerQueue answers, Exchange exchange, Consumer<T> onOutcome, Consumer<Failure> onFailure) {
        this.answers = answers;
        this.exchange = exchange;
        this.onOutcome = onOutcome;
        this.onFailure = onFailure;
    }

    @Override
    public void succeed(T outcome) {
        if (isFirst()) {
            this.outcome = outcome;
            answers.add(this);
        }
    }

    @Override
    public void fail(Failure failure) {
        if (isFirst()) {
            this.failure = failure;
            answers.add(this);
        }
    }

    /** Whether the engine has not answered yet. A second answer is a defect, and would break the chain of answers. */
    private boolean isFirst() {
        if (isAnswered) {
            log.error("a request was answered twice", new IllegalStateException());
            return false;
        }
        isAnswered = true;
        return true;
    }

    /** Called on the event loop. */
    void deliver() {
        try {
            if (failure != null) {
                onFailure.accept(failure);
            } else {
                onOutcome.accept(outcome);
            }
        } catch (RuntimeException e) {
            exchange.bug(e);
        } finally {
            exchange.replied();
        }
    }

    /** The next one in the chain this is part of; see {@link AnswerQueue}. */
    HttpReply<?> before() {
        return before;
    }

    void setBefore(HttpReply<?> before) {
        this.before = before;
    }
}
