package io.queenmq.examples.spring;

import io.queenmq.client.Outcome;
import io.queenmq.examples.Order;
import io.queenmq.spring.QueenHeaders;
import io.queenmq.spring.QueenListener;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.stereotype.Component;

/** Ships orders, with headers, retry rules and a method for dead letters. */
// snippet: spring-parameters
@Component
class Shipping {
    private static final Logger log = LoggerFactory.getLogger(Shipping.class);

    @QueenListener(queue = "web-orders", group = "shipping", maxAttempts = "3", notRetryable = IllegalArgumentException.class, deadLetter = "reportUndelivered")
    void ship(@Payload Order order, @Header(name = "express", defaultValue = "false") boolean isExpress) {
        log.info("shipping order {}{}", order.number(), isExpress ? " by express" : "");
    }

    void reportUndelivered(Order order, @Header(QueenHeaders.DEAD_LETTER_REASON) String reason) {
        log.warn("order {} is not shipped: {}", order.number(), reason);
    }

    @QueenListener(queue = "web-orders", group = "statistics", batch = "500")
    List<Outcome> count(Collection<Order> orders) {
        return orders.stream().map(order -> order.total() < 0 ? Outcome.deadLetter("negative total") : Outcome.ack())
                .toList();
    }
}
// end
