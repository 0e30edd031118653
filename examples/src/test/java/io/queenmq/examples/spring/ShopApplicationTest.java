package io.queenmq.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.examples.Order;
import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.transaction.support.TransactionTemplate;

/** Starts the application with Spring Boot's auto-configuration. It stops after the last test. */
@DirtiesContext
// snippet: spring-test
@QueenTest(dataSource = true)
@SpringBootTest(classes = ShopApplication.class)
class ShopApplicationTest {
    @Autowired
    private OrderService orders;
    // end

    private static final TestQueen SERVER = TestQueen.shared();

    @Autowired
    private JdbcTemplate jdbc;

    @Autowired
    private TransactionTemplate transactions;

    @BeforeAll
    static void createTable() throws SQLException {
        try (var connection = SERVER.connectDatabase(); var statement = connection.createStatement()) {
            statement.execute("create table if not exists web_order (number int primary key, customer text not null,"
                    + " total int not null, is_billed boolean not null default false)");
        }
    }

    @Test
    void anOrderIsAcceptedAndBilled() throws InterruptedException {
        orders.take(new Order(1, "customer-42", 10));

        while (!jdbc.queryForObject("select is_billed from web_order where number = 1", Boolean.class)) {
            Thread.sleep(10);
        }
    }

    @Test
    void aRolledBackOrderHasNoMessage() {
        transactions.executeWithoutResult(status -> {
            orders.take(new Order(2, "customer-7", 20));
            status.setRollbackOnly();
        });

        assertThat(jdbc.queryForList("select number from web_order where number = 2")).isEmpty();
        assertThat(SERVER.messages("web-orders", "customer-7")).isEmpty();
    }
}
