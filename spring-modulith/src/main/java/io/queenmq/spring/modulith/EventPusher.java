package io.queenmq.spring.modulith;

import io.queenmq.client.Message;
import io.queenmq.spring.QueenHeaders;
import io.queenmq.spring.QueenOperations;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.RoutingTarget;
import org.springframework.modulith.events.support.BrokerRouting;

/** Pushes a mapped event: the target is the queue, the key is the partition. Thread-safe. */
final class EventPusher {
    private final QueenOperations queen;
    private final EventExternalizationConfiguration configuration;
    private final StandardEvaluationContext expressions = new StandardEvaluationContext();

    EventPusher(QueenOperations queen, EventExternalizationConfiguration configuration, BeanFactory beans) {
        this.queen = queen;
        this.configuration = configuration;
        expressions.setBeanResolver(new BeanFactoryResolver(beans));
    }

    /**
     * Pushes an event.
     *
     * @param mapped the event after the mapping of the configuration
     * @return false if the partition already has a message with its transactionId
     */
    boolean push(Object mapped, RoutingTarget target) {
        BrokerRouting routing = BrokerRouting.of(target, expressions);
        String queue = routing.getTarget(mapped);
        // Without a key, Modulith returns the target as the key of an expression.
        String partition = target.getKey() == null ? null : routing.getKey(mapped);
        if (target.getKey() != null && (partition == null || partition.isEmpty())) {
            throw new IllegalArgumentException(
                    "the event " + mapped.getClass().getName() + " has no partition: " + target.getKey() + " is empty");
        }
        return queen.push(queue, message(mapped, partition));
    }

    private Message<Object> message(Object mapped, @Nullable String partition) {
        Map<String, Object> headers = new LinkedHashMap<>(configuration.getHeadersFor(mapped));
        Object payload = mapped;
        if (mapped instanceof org.springframework.messaging.Message<?> message) {
            payload = message.getPayload();
            message.getHeaders().forEach((name, value) -> {
                if (!isGenerated(name)) {
                    headers.put(name, value);
                }
            });
        }
        Message<Object> result = Message.of(payload);
        if (partition != null) {
            result = result.partition(partition);
        }
        Object transactionId = headers.remove(QueenHeaders.TRANSACTION_ID);
        if (transactionId != null) {
            result = result.transactionId(transactionId.toString());
        }
        for (Map.Entry<String, Object> each : headers.entrySet()) {
            result = result.header(each.getKey(), String.valueOf(each.getValue()));
        }
        return result;
    }

    /** Returns true for the headers that every Message of spring-messaging has. */
    private static boolean isGenerated(String header) {
        return header.equals(org.springframework.messaging.MessageHeaders.ID)
                || header.equals(org.springframework.messaging.MessageHeaders.TIMESTAMP);
    }
}
