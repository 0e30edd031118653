package io.queenmq.engine.reply;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives the reply to one command. The sender of the command creates it. The engine calls exactly one of the two
 * methods, once, on the engine loop. The implementation passes the reply to the waiting thread.
 */
public interface Reply<T extends @Nullable Object> {
    void succeed(T outcome);

    void fail(Failure failure);

    /** Returns a reply that ignores the outcome and the failure. */
    static <T extends @Nullable Object> Reply<T> ignored() {
        return of(_ -> {}, _ -> {});
    }

    static <T extends @Nullable Object> Reply<T> of(Consumer<T> onSuccess, Consumer<Failure> onFailure) {
        return new Reply<>() {
            @Override
            public void succeed(T outcome) {
                onSuccess.accept(outcome);
            }

            @Override
            public void fail(Failure failure) {
                onFailure.accept(failure);
            }
        };
    }
}
