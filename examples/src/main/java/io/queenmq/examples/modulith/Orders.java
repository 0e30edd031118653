package io.queenmq.examples.modulith;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Stores orders. Row and message are committed together. */
// snippet: modulith-publish
@Service
public class Orders {
    private final ApplicationEventPublisher events;
    private final JdbcTemplate jdbc;

    Orders(ApplicationEventPublisher events, JdbcTemplate jdbc) {
        this.events = events;
        this.jdbc = jdbc;
    }

    @Transactional
    public void place(String customerId, int number) {
        jdbc.update("insert into modulith_order (number, customer) values (?, ?)", number, customerId);
        events.publishEvent(new OrderPlaced(customerId, number));
    }
}
// end
