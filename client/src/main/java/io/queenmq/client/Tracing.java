package io.queenmq.client;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Propagates trace context from producers to handlers in the headers of messages. Set in the builder of {@link Queen};
 * the Spring Boot starters provide one for Micrometer. Must be thread-safe.
 */
public interface Tracing {
    /** Propagates nothing. */
    Tracing NONE = new Tracing() {
        @Override
        public PushTrace startPush(String queue, @Nullable String partition, int messages) {
            return PushTrace.NONE;
        }

        @Override
        public <R> R handling(Delivery<?> delivery, Callable<R> handler) throws Exception {
            return handler.call();
        }

        @Override
        public <R> R handlingAll(List<? extends Delivery<?>> partition, Callable<R> handler) throws Exception {
            return handler.call();
        }
    };

    /**
     * Starts the trace of a push on the thread that calls the client. Its end is reported when the outcome is known.
     *
     * @param partition null if the messages name their partitions
     */
    PushTrace startPush(String queue, @Nullable String partition, int messages);

    /** Calls the handler of one message on this thread within the trace of its headers. */
    <R> R handling(Delivery<?> delivery, Callable<R> handler) throws Exception;

    /**
     * Calls the handler of several messages of one partition, which may belong to different traces.
     *
     * @param partition messages of one queue and group; at least one
     */
    <R> R handlingAll(List<? extends Delivery<?>> partition, Callable<R> handler) throws Exception;

    /** The trace of one push, from the call to its outcome. */
    interface PushTrace {
        /** A trace without headers. */
        PushTrace NONE = new PushTrace() {
            @Override
            public Map<String, String> headers() {
                return Map.of();
            }

            @Override
            public void end(@Nullable Throwable failure) {}
        };

        /** Returns the trace headers of the messages. Headers that a message already has take precedence. */
        Map<String, String> headers();

        /**
         * Ends the trace: a push by HTTP when the server has responded, a buffered push when its message is stored, a
         * push in a transaction when the transaction has ended. Called once, on any thread.
         *
         * @param failure null if the messages are stored
         */
        void end(@Nullable Throwable failure);
    }
}
