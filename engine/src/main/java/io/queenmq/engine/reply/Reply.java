package io.queenmq.engine.reply;

import java.util.function.Consumer;

/**
 * Where the answer to one command goes. Made by whoever sends the command; the engine calls exactly one of the two
 * methods, once, on its own thread, and the implementation carries the answer to the thread that waits for it.
 */
public interface Reply<T> {
    void succeed(T outcome);

    void fail(Failure failure);

    /** For commands whose answer nobody waits for. */
    static <T> Reply<T> ignored() {
        return of(_ -> {}, _ -> {});
    }

    static <T> Reply<T> of(Consumer<T> onSuccess, Consumer<Failure> onFailure) {
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
