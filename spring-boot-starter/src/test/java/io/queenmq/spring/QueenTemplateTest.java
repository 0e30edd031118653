package io.queenmq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.Delivery;
import io.queenmq.client.Message;
import io.queenmq.client.Queen;
import io.queenmq.client.operator.QueueDefinition;
import io.queenmq.client.operator.QueueOptions;
import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Messages and rows of one transaction. */
@QueenTest
class QueenTemplateTest {
    private final TestQueen server;
    private final Queen queen;
    private final String queue;
    private final ApplicationContextRunner application;

    QueenTemplateTest(Queen queen, TestQueen server) {
        this.server = server;
        this.queen = queen;
        this.queue = server.newQueue();
        this.application = Application.of(server, queue).withUserConfiguration(Database.class).withBean(Shop.class)
                .withPropertyValues("shop.jdbc=" + server.jdbcUrl(), "shop.user=" + server.databaseUser(),
                        "shop.password=" + server.databasePassword());
    }

    @BeforeEach
    void createTables() throws Exception {
        queen.operator().queues().configure(queue, QueueOptions.of());
        try (var connection = server.connectDatabase(); var statement = connection.createStatement()) {
            statement.execute("drop table if exists shop_order");
            statement.execute("create table shop_order (number int primary key)");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Database {
        @Bean
        DataSource dataSource(Environment environment) {
            return new DriverManagerDataSource(environment.getProperty("shop.jdbc"),
                    environment.getProperty("shop.user"), environment.getProperty("shop.password"));
        }

        @Bean
        JdbcTransactionManager transactionManager(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        JdbcTemplate jdbc(DataSource dataSource) {
            return new JdbcTemplate(dataSource);
        }
    }

    static class Shop {
        private final QueenTemplate queen;
        private final JdbcTemplate jdbc;
        private final String queue;

        Shop(QueenTemplate queen, JdbcTemplate jdbc, Environment environment) {
            this.queen = queen;
            this.jdbc = jdbc;
            this.queue = environment.getProperty("shop.queue");
        }

        @Transactional
        public void order(int number, boolean isAffordable) {
            jdbc.update("insert into shop_order values (?)", number);
            queen.push(queue, "orders", number, "order-" + number);
            queen.pushAll(queue, "parcels", List.of(number * 10, number * 10 + 1));
            if (!isAffordable) {
                throw new IllegalArgumentException("no money");
            }
        }

        @Transactional
        public void announceOnly(int number) {
            queen.push(queue, "orders", number);
            throw new IllegalArgumentException("too late");
        }
    }

    @Test
    void theMessageAndTheRowAreCommittedTogether() {
        application.run(context -> {
            context.getBean(Shop.class).order(1, true);
            assertThat(orders(context.getBean(JdbcTemplate.class))).containsExactly(1);
        });
        assertThat(server.messages(queue, "orders")).containsExactly("1");
        assertThat(server.messages(queue, "parcels")).containsExactly("10", "11");
    }

    /** Counts the statements that the application prepares. */
    static final class CountingDataSource extends DelegatingDataSource {
        private final AtomicInteger statements = new AtomicInteger();

        CountingDataSource(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection target = super.getConnection();
            return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[]{Connection.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().startsWith("prepare") || method.getName().equals("createStatement")) {
                            statements.incrementAndGet();
                        }
                        return method.invoke(target, arguments);
                    });
        }
    }

    @Test
    void pushAllInATransactionIsOneStatement() {
        CountingDataSource counting = new CountingDataSource(
                new DriverManagerDataSource(server.jdbcUrl(), server.databaseUser(), server.databasePassword()));
        List<Integer> values = IntStream.range(0, 2_000).boxed().toList();
        Application.of(server, queue).withBean(DataSource.class, () -> counting)
                .withBean(JdbcTransactionManager.class, () -> new JdbcTransactionManager(counting))
                .run(context -> new TransactionTemplate(context.getBean(JdbcTransactionManager.class))
                        .executeWithoutResult(
                                status -> context.getBean(QueenOperations.class).pushAll(queue, "a", values)));
        assertThat(counting.statements).hasValue(1);
        assertThat(server.messages(queue, "a"))
                .containsExactlyElementsOf(values.stream().map(String::valueOf).toList());
    }

    @Test
    void aPushInAnotherTransactionIsDetached() {
        application.run(context -> {
            QueenOperations operations = context.getBean(QueenOperations.class);
            assertThat(operations.isDetachedFromTransaction()).isFalse();
            new TransactionTemplate(context.getBean(JdbcTransactionManager.class))
                    .executeWithoutResult(status -> assertThat(operations.isDetachedFromTransaction()).isFalse());
            JdbcTransactionManager other = new JdbcTransactionManager(
                    new DriverManagerDataSource(server.jdbcUrl(), server.databaseUser(), server.databasePassword()));
            new TransactionTemplate(other)
                    .executeWithoutResult(status -> assertThat(operations.isDetachedFromTransaction()).isTrue());
        });
    }

    @Test
    void aRollbackDiscardsMessageAndRow() {
        application.run(context -> {
            assertThatThrownBy(() -> context.getBean(Shop.class).order(1, false)).hasMessage("no money");
            assertThat(orders(context.getBean(JdbcTemplate.class))).isEmpty();
        });
        assertThat(server.messages(queue, "orders")).isEmpty();
        assertThat(server.messages(queue, "parcels")).isEmpty();
    }

    static class Warehouse {
        private final QueenTemplate queen;
        private final JdbcTemplate jdbc;
        private final Seen seen;

        Warehouse(QueenTemplate queen, JdbcTemplate jdbc, Seen seen) {
            this.queen = queen;
            this.jdbc = jdbc;
            this.seen = seen;
        }

        @Transactional
        @QueenListener(queue = "${shop.queue}", group = "warehouse", batch = "1")
        public void pack(Delivery<Integer> order) {
            if (order.partition().equals("orders")) {
                jdbc.update("insert into shop_order values (?)", order.value());
                queen.push(order.queue(), "parcels", "attempt " + order.attempt());
                if (order.attempt() == 1) {
                    throw new IllegalStateException("out of paper");
                }
                seen.add(order.value());
            }
        }
    }

    @Test
    void aListenerMayBeTransactional() {
        queen.operator().queues().configure(queue, QueueOptions.of().retryDelay(Duration.ZERO));
        queen.queue(queue, Integer.class).partition("orders").push(7);
        application.withBean(Seen.class).withBean(Warehouse.class).run(context -> {
            assertThat(context.getBean(Seen.class).next()).isEqualTo("7");
            context.getBean(QueenListeners.class).stop();
            assertThat(orders(context.getBean(JdbcTemplate.class))).containsExactly(7);
        });
        assertThat(server.messages(queue, "parcels")).containsExactly("\"attempt 2\"");
    }

    @Test
    void outsideOfTransactionsAPushIsStoredAtOnce() {
        application.run(context -> {
            QueenTemplate template = context.getBean(QueenTemplate.class);
            assertThat(template.push(queue, "a", "1", "t1")).isTrue();
            assertThat(template.push(queue, "a", "1", "t1")).isFalse();
            template.push(queue, "a", "2");
            template.pushAll(queue, "a", List.of("3", "4"));
        });
        assertThat(server.messages(queue, "a")).containsExactly("\"1\"", "\"2\"", "\"3\"", "\"4\"");
    }

    @Test
    void withoutJoiningTransactionsAPushIsStoredAtOnce() {
        application.withPropertyValues("queen.join-transactions=false")
                .run(context -> assertThatThrownBy(() -> context.getBean(Shop.class).announceOnly(1))
                        .hasMessage("too late"));
        assertThat(server.messages(queue, "orders")).containsExactly("1");
    }

    @Test
    void aDatabaseWithoutQueenIsReported() {
        String other = server.jdbcUrl().replaceFirst("/[^/]*$", "/postgres");
        application.withPropertyValues("shop.jdbc=" + other)
                .run(context -> assertThatThrownBy(() -> context.getBean(Shop.class).announceOnly(1))
                        .isInstanceOf(InvalidDataAccessResourceUsageException.class)
                        .hasMessageContaining("queen.join-transactions=false"));
        assertThat(server.messages(queue, "orders")).isEmpty();
    }

    @Test
    void aMissingQueueIsReportedWithAdvice() {
        application.withPropertyValues("shop.queue=no-such-queue")
                .run(context -> assertThatThrownBy(() -> context.getBean(Shop.class).announceOnly(1))
                        .isInstanceOf(InvalidDataAccessResourceUsageException.class)
                        .hasMessageContaining("there is no queue \"no-such-queue\"")
                        .hasMessageContaining("QueueDefinition").message().doesNotContain("PL/pgSQL"));
    }

    @Test
    void anUnsupportedQueueIsReported() {
        queen.operator().queues().configure(queue, QueueOptions.of().maxSize(10));
        application.run(context -> assertThatThrownBy(() -> context.getBean(Shop.class).announceOnly(1))
                .isInstanceOf(InvalidDataAccessResourceUsageException.class).hasMessageContaining("has a maxSize")
                .hasMessageContaining("through a server").message().doesNotContain("QueueDefinition", "PL/pgSQL"));
    }

    static class Needs {
        @Bean
        QueueDefinition orders(Environment environment) {
            return QueueDefinition.of(environment.getProperty("shop.queue")).options(QueueOptions.of().retryLimit(7));
        }
    }

    @Test
    void queueDefinitionsAreAppliedAtStartup() {
        String defined = server.newQueue();
        application.withUserConfiguration(Needs.class).withPropertyValues("shop.queue=" + defined)
                .run(context -> context.getBean(Shop.class).order(3, true));
        assertThat(server.messages(defined, "orders")).containsExactly("3");
        assertThat(queen.operator().queues().find(defined).orElseThrow().options().retryLimit()).isEqualTo(7);
    }

    @Test
    void aMissingRequiredQueueFailsTheStart() {
        application.withBean("needed", QueueDefinition.class, () -> QueueDefinition.of("no-such-queue").required())
                .run(context -> assertThat(context).getFailure().hasMessageContaining("no-such-queue")
                        .isInstanceOfSatisfying(QueenStartupException.class,
                                failure -> assertThat(failure.action()).contains("queen.define-queues=false")));
        application.withBean("needed", QueueDefinition.class, () -> QueueDefinition.of("no-such-queue").required())
                .withPropertyValues("queen.define-queues=false").run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aMessageKeepsItsIds() {
        application.run(context -> {
            QueenTemplate template = context.getBean(QueenTemplate.class);
            assertThat(template.push(queue, "a", Message.of("x").transactionId("t"))).isTrue();
            assertThat(template.push(queue, Message.of("x").transactionId("t").partition("a"))).isFalse();
            new TransactionTemplate(context.getBean(JdbcTransactionManager.class)).executeWithoutResult(status -> {
                assertThat(template.push(queue, "a", Message.of("y").transactionId("t"))).isFalse();
                assertThat(template.push(queue, Message.of("y").transactionId("u").partition("a"))).isTrue();
            });
        });
        assertThat(server.messages(queue, "a")).containsExactly("\"x\"", "\"y\"");
    }

    @Test
    void aMessageIsAcknowledgedWithTheTransaction() {
        queen.queue(queue, Integer.class).partition("orders").push(7);
        application.run(context -> {
            QueenTemplate template = context.getBean(QueenTemplate.class);
            TransactionTemplate transactions = new TransactionTemplate(context.getBean(JdbcTransactionManager.class));
            try (var batch = queen.queue(queue, Integer.class).group("g").pop()) {
                Delivery<Integer> delivery = batch.deliveries().getFirst();
                assertThatThrownBy(() -> template.ack(delivery)).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("no transaction");
                transactions.executeWithoutResult(status -> {
                    template.ack(delivery);
                    status.setRollbackOnly();
                });
                assertThat(server.pending(queue, "g")).isOne();
                transactions.executeWithoutResult(status -> template.ack(delivery));
                assertThat(server.pending(queue, "g")).isZero();
            }
        });
    }

    @Test
    void aLostLeaseFailsTheAcknowledgment() {
        queen.queue(queue, Integer.class).partition("orders").push(7);
        application.run(context -> {
            QueenTemplate template = context.getBean(QueenTemplate.class);
            Delivery<Integer> delivery = queen.queue(queue, Integer.class).group("g").pop().deliveries().getFirst();
            server.expireLeases(queue);
            assertThatThrownBy(() -> new TransactionTemplate(context.getBean(JdbcTransactionManager.class))
                    .executeWithoutResult(status -> template.ack(delivery)))
                    .isInstanceOf(OptimisticLockingFailureException.class).hasMessageContaining("lease");
        });
        assertThat(server.pending(queue, "g")).isOne();
    }

    @Test
    void withoutADataSourceTheTemplatePushesOverHttp() {
        Application.of(server, queue).run(context -> context.getBean(QueenTemplate.class).push(queue, "a", "1"));
        assertThat(server.messages(queue, "a")).containsExactly("\"1\"");
    }

    private static List<Integer> orders(JdbcTemplate jdbc) {
        return jdbc.queryForList("select number from shop_order", Integer.class);
    }
}
