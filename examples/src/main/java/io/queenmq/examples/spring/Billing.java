package io.queenmq.examples.spring;

import io.queenmq.examples.Order;
import io.queenmq.spring.QueenListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/** Bills orders: several customers concurrently, the orders of each customer in order. */
// snippet: spring-listen
@Component
class Billing {
    private final JdbcTemplate jdbc;

    Billing(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @QueenListener(queue = "web-orders", group = "billing", concurrency = "${shop.concurrency:16}")
    void bill(Order order) {
        jdbc.update("update web_order set is_billed = true where number = ?", order.number());
    }
}
// end
