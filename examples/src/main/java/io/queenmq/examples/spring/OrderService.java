package io.queenmq.examples.spring;

import io.queenmq.examples.Order;
import io.queenmq.spring.QueenOperations;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Accepts orders. The row and the message are committed together, or neither is. */
// snippet: spring-push
@Service
public class OrderService {
    private final QueenOperations queen;
    private final JdbcTemplate jdbc;

    OrderService(QueenOperations queen, JdbcTemplate jdbc) {
        this.queen = queen;
        this.jdbc = jdbc;
    }

    @Transactional
    public void take(Order order) {
        jdbc.update("insert into web_order (number, customer, total) values (?, ?, ?)", order.number(),
                order.customer(), order.total());
        queen.push("web-orders", order.customer(), order, "order-" + order.number());
    }
}
// end
