package io.queenmq.spring.modulith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.Queen;
import io.queenmq.client.operator.QueueOptions;
import io.queenmq.spring.QueenHeaders;
import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.Externalized;
import org.springframework.modulith.events.core.EventPublicationRegistry;
import org.springframework.modulith.events.core.EventPublicationRepository;
import org.springframework.modulith.events.support.OutboxEventExternalizer;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.ClassUtils;

/** Events of a transaction become messages of that transaction. */
@QueenTest
class ModulithTest {
    private static final String QUEUE = "modulith-orders";

    private final TestQueen server;
    private final Queen queen;
    private final ApplicationContextRunner application;
    /** Each test has its own partition of the queue. */
    private final String customer;

    ModulithTest(Queen queen, TestQueen server) {
        this.server = server;
        this.queen = queen;
        this.customer = server.newQueue();
        this.application = new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(autoConfigurations()))
                .withUserConfiguration(Shop.class).withPropertyValues("queen.urls=" + server.url(),
                        "shop.jdbc=" + server.jdbcUrl(), "shop.user=" + server.databaseUser(),
                        "shop.password=" + server.databasePassword());
    }

    private static Class<?>[] autoConfigurations() {
        ClassLoader loader = ModulithTest.class.getClassLoader();
        List<Class<?>> found = new ArrayList<>();
        for (String each : ImportCandidates.load(AutoConfiguration.class, loader)) {
            if (each.startsWith("io.queenmq.") || each.startsWith("org.springframework.modulith.")
                    || each.endsWith(".JacksonAutoConfiguration")) {
                found.add(ClassUtils.resolveClassName(each, loader));
            }
        }
        return found.toArray(Class<?>[]::new);
    }

    @Externalized(QUEUE + "::#{customerId()}")
    record OrderPlaced(String customerId, int number) {}

    record OrderNoted(String customerId) {}

    @Configuration(proxyBeanMethods = false)
    @AutoConfigurationPackage
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Shop {
        @Bean
        DataSource dataSource(Environment environment) {
            return new DriverManagerDataSource(environment.getProperty("shop.jdbc"),
                    environment.getProperty("shop.user"), environment.getProperty("shop.password"));
        }

        @Bean
        @Primary
        JdbcTransactionManager transactionManager(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        TransactionTemplate transactions(JdbcTransactionManager transactionManager) {
            return new TransactionTemplate(transactionManager);
        }

        @Bean
        JdbcTemplate jdbc(DataSource dataSource) {
            return new JdbcTemplate(dataSource);
        }
    }

    @BeforeEach
    void createTable() throws Exception {
        queen.operator().queues().configure(QUEUE, QueueOptions.of());
        try (var connection = server.connectDatabase(); var statement = connection.createStatement()) {
            statement.execute("create table if not exists placed (customer text, number int, position serial)");
        }
    }

    @Test
    void theEventIsCommittedWithItsRow() {
        application.run(context -> {
            transactions(context).executeWithoutResult(status -> {
                place(context, 1);
                assertThat(messages()).as("before the commit").isEmpty();
            });
            assertThat(messages()).containsExactly(json(1));
            assertThat(rows(context)).containsExactly(1);
        });
    }

    @Test
    void aRollbackDiscardsTheEvent() {
        application.run(context -> {
            transactions(context).executeWithoutResult(status -> {
                place(context, 1);
                status.setRollbackOnly();
            });
            assertThat(messages()).isEmpty();
            assertThat(rows(context)).isEmpty();
        });
    }

    /** The transaction that began first commits last. */
    @Test
    void messagesAreInTheOrderOfTheCommits() {
        application.run(context -> {
            transactions(context).executeWithoutResult(status -> {
                context.getBean(JdbcTemplate.class).queryForObject("select txid_current()", Long.class);
                inThread(() -> transactions(context).executeWithoutResult(other -> place(context, 2)));
                place(context, 1);
            });
            assertThat(messages()).containsExactly(json(2), json(1));
        });
    }

    /** Each row gets its number after the event is published, while the partition is locked. */
    @Test
    void concurrentTransactionsOfOneCustomerAreOrdered() {
        int threads = 4;
        int each = 10;
        application.run(context -> {
            AtomicInteger numbers = new AtomicInteger();
            CountDownLatch start = new CountDownLatch(1);
            try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
                List<Future<?>> running = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    running.add(executor.submit(() -> {
                        start.await();
                        for (int j = 0; j < each; j++) {
                            transactions(context)
                                    .executeWithoutResult(status -> place(context, numbers.incrementAndGet()));
                        }
                        return true;
                    }));
                }
                start.countDown();
                for (Future<?> one : running) {
                    one.get();
                }
            }
            assertThat(messages()).hasSize(threads * each)
                    .containsExactlyElementsOf(rows(context).stream().map(this::json).toList());
        });
    }

    @Test
    void theEventPublicationRegistryStoresNothing() {
        List<String> calls = new ArrayList<>();
        EventPublicationRepository registry = (EventPublicationRepository) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[]{EventPublicationRepository.class},
                (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "create" -> calls.add(String.valueOf(arguments[0]));
                        case "hashCode" -> {
                            return 1;
                        }
                        case "equals" -> {
                            return proxy == arguments[0];
                        }
                        default -> {
                        }
                    }
                    return method.getReturnType() == List.class ? List.of() : null;
                });
        application.withBean(EventPublicationRepository.class, () -> registry).run(context -> {
            transactions(context).executeWithoutResult(status -> place(context, 1));
            assertThat(messages()).containsExactly(json(1));
            assertThat(calls).isEmpty();
            assertThat(context).hasSingleBean(EventPublicationRegistry.class);
        });
    }

    @Test
    void otherEventsAreNotPushed() {
        application.run(context -> {
            transactions(context).executeWithoutResult(status -> context.publishEvent(new OrderNoted(customer)));
            assertThat(messages()).isEmpty();
        });
    }

    @Test
    void withoutATransactionTheEventIsPushedAtOnce() {
        application.run(context -> {
            context.publishEvent(new OrderPlaced(customer, 1));
            assertThat(messages()).containsExactly(json(1));
        });
    }

    @Test
    void anEmptyKeyIsRejected() {
        application.run(context -> assertThatThrownBy(() -> context.publishEvent(new OrderPlaced("", 1)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("has no partition"));
    }

    static class Mapped {
        @Bean
        EventExternalizationConfiguration externalization() {
            return EventExternalizationConfiguration.externalizing().selectByType(OrderPlaced.class)
                    .headers(OrderPlaced.class,
                            event -> Map.of("kind", "placed", QueenHeaders.TRANSACTION_ID, "order-" + event.number()))
                    .build();
        }
    }

    @Test
    void headersAndTheTransactionIdAreThoseOfTheConfiguration() {
        application.withUserConfiguration(Mapped.class).run(context -> {
            transactions(context).executeWithoutResult(status -> {
                context.publishEvent(new OrderPlaced(customer, 1));
                context.publishEvent(new OrderPlaced(customer, 1));
            });
            assertThat(messages()).containsExactly(json(1));
            var delivery = queen.queue(QUEUE, OrderPlaced.class).partition(customer).group("g").pop().deliveries()
                    .getFirst();
            assertThat(delivery.transactionId()).isEqualTo("order-1");
            assertThat(delivery.headers()).containsExactly(Map.entry("kind", "placed"));
        });
    }

    static class OtherDatabase {
        @Bean
        JdbcTransactionManager other(Environment environment) {
            return new JdbcTransactionManager(new DriverManagerDataSource(environment.getProperty("shop.jdbc"),
                    environment.getProperty("shop.user"), environment.getProperty("shop.password")));
        }
    }

    @Test
    void aTransactionOnAnotherDataSourceIsRejected() {
        application.withUserConfiguration(OtherDatabase.class).run(context -> {
            TransactionTemplate other = new TransactionTemplate(context.getBean("other", JdbcTransactionManager.class));
            assertThatThrownBy(() -> other.executeWithoutResult(status -> place(context, 1)))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("queen.join-transactions=false");
            assertThat(messages()).isEmpty();
        });
    }

    @Test
    void withoutJoiningTransactionsModulithPushesAfterTheCommit() {
        application.withPropertyValues("queen.join-transactions=false").run(context -> {
            transactions(context).executeWithoutResult(status -> {
                place(context, 1);
                status.setRollbackOnly();
            });
            transactions(context).executeWithoutResult(status -> place(context, 2));
            while (messages().isEmpty()) {
                Thread.sleep(10);
            }
            assertThat(messages()).containsExactly(json(2));
        });
    }

    @Test
    void inTheOutboxModeTheOutboxPushes() {
        application.withPropertyValues("spring.modulith.events.externalization.mode=outbox").run(context -> {
            transactions(context).executeWithoutResult(status -> place(context, 1));
            assertThat(messages()).as("the outbox stores the event").isEmpty();
            context.getBean(OutboxEventExternalizer.class).externalizeBlocking(new OrderPlaced(customer, 1));
            assertThat(messages()).containsExactly(json(1));
            transactions(context).executeWithoutResult(status -> {
                context.getBean(OutboxEventExternalizer.class).externalizeBlocking(new OrderPlaced(customer, 2));
                status.setRollbackOnly();
            });
            assertThat(messages()).as("the push is part of the transaction of the outbox").containsExactly(json(1));
        });
    }

    @Test
    void externalizationCanBeDisabled() {
        application.withPropertyValues("spring.modulith.events.externalization.enabled=false").run(context -> {
            transactions(context).executeWithoutResult(status -> place(context, 1));
            assertThat(messages()).isEmpty();
        });
    }

    private void place(ApplicationContext context, int number) {
        context.publishEvent(new OrderPlaced(customer, number));
        context.getBean(JdbcTemplate.class).update("insert into placed (customer, number) values (?, ?)", customer,
                number);
    }

    private static TransactionTemplate transactions(ApplicationContext context) {
        return context.getBean(TransactionTemplate.class);
    }

    private static void inThread(Runnable task) {
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            executor.submit(task).get();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private List<Integer> rows(ApplicationContext context) {
        return context.getBean(JdbcTemplate.class).queryForList(
                "select number from placed where customer = ? order by position", Integer.class, customer);
    }

    private List<String> messages() {
        return server.messages(QUEUE, customer);
    }

    private String json(int number) {
        return "{\"customerId\":\"" + customer + "\",\"number\":" + number + "}";
    }
}
