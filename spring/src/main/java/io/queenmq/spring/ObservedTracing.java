package io.queenmq.spring;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import io.queenmq.client.Delivery;
import io.queenmq.client.Tracing;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Propagates traces with Micrometer: pushes and handlers are observations, and a tracing library writes and reads the
 * headers that identify the trace ({@code traceparent}). Names and attributes follow the messaging conventions of
 * OpenTelemetry. Used only if Micrometer is on the class path.
 */
final class ObservedTracing implements Tracing {
    static final String PUSH = "messaging.client.operation.duration";
    static final String PROCESS = "messaging.process.duration";

    private static final String SYSTEM = "messaging.system";
    private static final String QUEEN = "queen";
    private static final String OPERATION = "messaging.operation.name";
    private static final String OPERATION_TYPE = "messaging.operation.type";
    private static final String DESTINATION = "messaging.destination.name";
    private static final String GROUP = "messaging.consumer.group.name";
    private static final String PARTITION = "messaging.destination.partition.id";
    private static final String MESSAGE_ID = "messaging.message.id";
    private static final String MESSAGES = "messaging.batch.message_count";

    private final ObservationRegistry registry;

    ObservedTracing(ObservationRegistry registry) {
        this.registry = registry;
    }

    /** The observation ends with the outcome of the push. It is not the current one of the thread in the meantime. */
    @Override
    public PushTrace startPush(String queue, @Nullable String partition, int messages) {
        Map<String, String> headers = new LinkedHashMap<>();
        SenderContext<Map<String, String>> context = new SenderContext<>(
                (carrier, name, value) -> headers.put(name, value), Kind.PRODUCER);
        context.setCarrier(headers);
        context.setRemoteServiceName(QUEEN);
        Observation observation = Observation.createNotStarted(PUSH, () -> context, registry)
                .contextualName("push " + queue).lowCardinalityKeyValue(SYSTEM, QUEEN)
                .lowCardinalityKeyValue(OPERATION, "push").lowCardinalityKeyValue(OPERATION_TYPE, "send")
                .lowCardinalityKeyValue(DESTINATION, queue);
        if (partition != null) {
            observation.highCardinalityKeyValue(PARTITION, partition);
        }
        if (messages > 1) {
            observation.highCardinalityKeyValue(MESSAGES, Integer.toString(messages));
        }
        observation.start();
        return new ObservedPush(observation, headers);
    }

    @Override
    public <R> R handling(Delivery<?> delivery, Callable<R> handler) throws Exception {
        return observed(List.of(delivery), delivery.headers(), handler);
    }

    /** Uses the headers that all messages share. Messages of several traces are handled in a new trace. */
    @Override
    public <R> R handlingAll(List<? extends Delivery<?>> partition, Callable<R> handler) throws Exception {
        Map<String, String> shared = new LinkedHashMap<>(partition.getFirst().headers());
        partition.forEach(each -> shared.entrySet().retainAll(each.headers().entrySet()));
        return observed(partition, shared, handler);
    }

    @SuppressWarnings("NullAway") // observe returns the result of the handler, null included
    private <R> R observed(List<? extends Delivery<?>> deliveries, Map<String, String> headers, Callable<R> handler)
            throws Exception {
        ProcessContext context = new ProcessContext(headers, deliveries.stream().map(Delivery::headers).toList());
        context.setCarrier(headers);
        context.setRemoteServiceName(QUEEN);
        Delivery<?> first = deliveries.getFirst();
        String group = first.group();
        Observation observation = Observation.createNotStarted(PROCESS, () -> context, registry)
                .contextualName("process " + first.queue()).lowCardinalityKeyValue(SYSTEM, QUEEN)
                .lowCardinalityKeyValue(OPERATION, "process").lowCardinalityKeyValue(OPERATION_TYPE, "process")
                .lowCardinalityKeyValue(DESTINATION, first.queue())
                .lowCardinalityKeyValue(GROUP, group == null ? "none" : group)
                .highCardinalityKeyValue(PARTITION, first.partition());
        if (deliveries.size() == 1) {
            observation.highCardinalityKeyValue(MESSAGE_ID, first.messageId());
        } else {
            observation.highCardinalityKeyValue(MESSAGES, Integer.toString(deliveries.size()));
        }
        return observation.<R, Exception>observeChecked(handler::call);
    }

    private record ObservedPush(Observation observation, Map<String, String> headers) implements PushTrace {
        @Override
        public void end(@Nullable Throwable failure) {
            if (failure != null) {
                observation.error(failure);
            }
            observation.stop();
        }
    }
}
