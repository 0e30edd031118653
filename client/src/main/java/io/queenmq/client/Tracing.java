package io.queenmq.client;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;

/**
 * Carries what belongs to a trace from those who push to those who handle, in the headers of messages. Given to the builder of
 * {@link Queen}; the starters for Spring Boot give one for Micrometer. Safe from any thread.
 */
public interface Tracing {
    /** Nothing is carried. */
    Tracing NONE = new Tracing() {
        @Override
        public <R> R pushing(String queue, Function<Map<String, String>, R> push) {
            return push.apply(Map.of());
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

    /** Calls the push, on this thread, with the headers that its messages are to carry; what a message has itself goes first. */
    <R> R pushing(String queue, Function<Map<String, String>, R> push);

    /** Calls the handler of one message, on this thread, as a part of the trace that its headers name. */
    <R> R handling(Delivery<?> delivery, Callable<R> handler) throws Exception;

    /**
     * The same for a handler that gets several messages of one partition at a time, which may be of different traces.
     *
     * @param partition all of one queue and group; at least one
     */
    <R> R handlingAll(List<? extends Delivery<?>> partition, Callable<R> handler) throws Exception;
}
