package io.queenmq.server.http.server;

import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reply of one request. Receives the outcome on the thread of the engine and passes it to the route on the event loop of the
 * request.
 */
final class HttpReply<T extends @Nullable Object> implements Reply<T> {
    private static final Logger log = LoggerFactory.getLogger(HttpReply.class);

    private final AnswerQueue answers;
    private final Exchange exchange;
    private final Consumer<T> onOutcome;
    private final Consumer<Failure> onFailure;

    // Written before the reply is added to the queue and read after it was removed. The queue makes them visible.
    private @Nullable T outcome;
    private @Nullable Failure failure;
    private @Nullable HttpReply<?> before;
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

    /** Returns true for the first outcome. A second outcome is a defect, and would corrupt the linked list of replies. */
    private boolean isFirst() {
        if (isAnswered) {
            log.error("defect: a request was answered twice, the second outcome is dropped",
                    new IllegalStateException());
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
            exchange.internalError(e);
        } finally {
            exchange.replied();
        }
    }

    /** Returns the next reply in the linked list of {@link AnswerQueue}. */
    @Nullable
    HttpReply<?> before() {
        return before;
    }

    void setBefore(@Nullable HttpReply<?> before) {
        this.before = before;
    }
}
