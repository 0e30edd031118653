package io.queenmq.examples.spring;

import io.queenmq.examples.Order;
import io.queenmq.spring.QueenTemplate;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Takes orders: the row and the message are written together, or neither is. */
// snippet: spring-push
@Service
public class OrderDesk {
    private final QueenTemplate queen;
    private final JdbcTemplate jdbc;

    OrderDesk(QueenTemplate queen, JdbcTemplate jdbc) {
        this.queen = queen;
        this.jdbc = jdbc;
    }

    @Transactional
    public void take(Order order) {
        jdbc.update("insert into web_order (number, customer, total) values (?, ?, ?)",
                order.number(), order.customer(), order.total());
        queen.push("web-orders", order.customer(), order, "order-" + order.number());
    }
}
// end
