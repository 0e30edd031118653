package io.queenmq.examples.modulith;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.client.Delivery;
import io.queenmq.client.Queen;
import io.queenmq.test.TestQueen;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.support.TransactionTemplate;

/** Runs the application with the Spring Modulith for the Spring Boot of the examples. */
@DirtiesContext
@SpringBootTest(classes = ModulithApplication.class)
class ModulithApplicationTest {
    private static final TestQueen SERVER = TestQueen.shared();

    @Autowired
    private Orders orders;

    @Autowired
    private Queen queen;

    @Autowired
    private TransactionTemplate transactions;

    @DynamicPropertySource
    static void queen(DynamicPropertyRegistry registry) {
        registry.add("queen.urls", SERVER::url);
        registry.add("spring.datasource.url", SERVER::jdbcUrl);
        registry.add("spring.datasource.username", SERVER::databaseUser);
        registry.add("spring.datasource.password", SERVER::databasePassword);
    }

    @BeforeAll
    static void createTable() throws SQLException {
        try (var connection = SERVER.connectDatabase(); var statement = connection.createStatement()) {
            statement.execute("create table if not exists modulith_order (number int, customer text)");
        }
    }

    @Test
    void anEventIsPushedWithItsTransaction() {
        transactions.executeWithoutResult(status -> {
            orders.place("customer-1", 1);
            assertThat(SERVER.messages("modulith-orders", "customer-1")).isEmpty();
        });
        transactions.executeWithoutResult(status -> {
            orders.place("customer-1", 2);
            status.setRollbackOnly();
        });

        try (var batch = queen.queue("modulith-orders", OrderPlaced.class).group("g").pop()) {
            Delivery<OrderPlaced> delivery = batch.deliveries().getFirst();
            assertThat(delivery.value()).isEqualTo(new OrderPlaced("customer-1", 1));
            assertThat(delivery.partition()).isEqualTo("customer-1");
            assertThat(delivery.headers()).containsExactly(Map.entry("kind", "placed"));
            assertThat(delivery.transactionId()).isEqualTo("order-1");
        }
        assertThat(SERVER.messages("modulith-orders", "customer-1")).hasSize(1);
    }
}
