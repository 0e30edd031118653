package io.queenmq.spring;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import io.queenmq.client.Delivery;
import io.queenmq.client.Tracing;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;

/**
 * Traces by Micrometer: pushes and handlers are observations, and whoever traces those writes into the headers, and reads from
 * them, what names the trace ({@code traceparent}). Only used where Micrometer is on the class path.
 */
final class ObservedTracing implements Tracing {
    private static final String SERVICE = "queen";
    private static final String QUEUE = "queen.queue";
    private static final String GROUP = "queen.group";
    private static final String MESSAGES = "queen.messages";

    private final ObservationRegistry registry;

    ObservedTracing(ObservationRegistry registry) {
        this.registry = registry;
    }

    @Override
    @SuppressWarnings("NullAway") // what is observed returns what it returns
    public <R> R pushing(String queue, Function<Map<String, String>, R> push) {
        Map<String, String> headers = new LinkedHashMap<>();
        SenderContext<Map<String, String>> context = new SenderContext<>(
                (carrier, name, value) -> headers.put(name, value),
                Kind.PRODUCER);
        context.setCarrier(headers);
        context.setRemoteServiceName(SERVICE);
        return Observation.createNotStarted("queen.push", () -> context, registry)
                .contextualName(queue + " push").lowCardinalityKeyValue(QUEUE, queue)
                .observe(() -> push.apply(headers));
    }

    @Override
    public <R> R handling(Delivery<?> delivery, Callable<R> handler) throws Exception {
        return observed(delivery, delivery.headers(), 1, handler);
    }

    /** What all of them carry names the trace that all of them belong to; messages of several traces are handled in a new one. */
    @Override
    public <R> R handlingAll(List<? extends Delivery<?>> partition, Callable<R> handler) throws Exception {
        Map<String, String> shared = new LinkedHashMap<>(partition.getFirst().headers());
        partition.forEach(each -> shared.entrySet().retainAll(each.headers().entrySet()));
        return observed(partition.getFirst(), shared, partition.size(), handler);
    }

    @SuppressWarnings("NullAway") // as above
    private <R> R observed(Delivery<?> first, Map<String, String> headers, int messages, Callable<R> handler)
            throws Exception {
        ReceiverContext<Map<String, String>> context = new ReceiverContext<>((carrier, name) -> headers.get(name),
                Kind.CONSUMER);
        context.setCarrier(headers);
        context.setRemoteServiceName(SERVICE);
        String group = first.group();
        Observation observation = Observation.createNotStarted("queen.handle", () -> context, registry)
                .contextualName(first.queue() + " handle").lowCardinalityKeyValue(QUEUE, first.queue())
                .lowCardinalityKeyValue(GROUP, group == null ? "none" : group)
                .highCardinalityKeyValue(MESSAGES, Integer.toString(messages));
        return observation.<R, Exception>observeChecked(handler::call);
    }
}
