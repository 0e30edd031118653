package io.queenmq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.Delivery;
import io.queenmq.client.Queen;
import io.queenmq.client.operator.QueueOptions;
import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.NestedTransactionNotSupportedException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A push is part of the transaction until the transaction commits, and is sent over HTTP in every callback after that, for each
 * kind of transaction manager and whether or not connections commit automatically.
 */
@QueenTest
class TransactionPhaseTest {
    private final TestQueen server;
    private final Queen queen;
    private final String queue;
    private final ApplicationContextRunner application;

    TransactionPhaseTest(Queen queen, TestQueen server) {
        this.server = server;
        this.queen = queen;
        this.queue = server.newQueue();
        this.application = Application.of(server, queue).withUserConfiguration(Database.class, Jdbc.class, Jpa.class)
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
            boolean isAutoCommit = environment.getRequiredProperty("shop.auto-commit", Boolean.class);
            return new DriverManagerDataSource(environment.getProperty("shop.jdbc"),
                    environment.getProperty("shop.user"), environment.getProperty("shop.password")) {
                @Override
                public Connection getConnection() throws SQLException {
                    Connection connection = super.getConnection();
                    connection.setAutoCommit(isAutoCommit);
                    return connection;
                }
            };
        }

        @Bean
        JdbcTemplate jdbc(DataSource dataSource) {
            return new JdbcTemplate(dataSource);
        }

        @Bean
        Phases phases() {
            return new Phases();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "shop.manager", havingValue = "jdbc")
    static class Jdbc {
        @Bean
        JdbcTransactionManager transactionManager(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "shop.manager", havingValue = "jpa")
    static class Jpa {
        @Bean
        LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource dataSource) {
            LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
            factory.setDataSource(dataSource);
            factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
            factory.setPackagesToScan("io.queenmq.spring.entities");
            return factory;
        }

        @Bean
        JpaTransactionManager transactionManager(EntityManagerFactory factory) {
            return new JpaTransactionManager(factory);
        }
    }

    /** An event that runs a task in one phase of the transaction in which it is published. */
    record Task(TransactionPhase phase, Runnable work) {}

    static class Phases {
        @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
        void beforeCommit(Task task) {
            run(task, TransactionPhase.BEFORE_COMMIT);
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
        void afterCommit(Task task) {
            run(task, TransactionPhase.AFTER_COMMIT);
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_ROLLBACK)
        void afterRollback(Task task) {
            run(task, TransactionPhase.AFTER_ROLLBACK);
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMPLETION)
        void afterCompletion(Task task) {
            run(task, TransactionPhase.AFTER_COMPLETION);
        }

        private static void run(Task task, TransactionPhase phase) {
            if (task.phase == phase) {
                task.work.run();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"jdbc,true", "jdbc,false", "jpa,true", "jpa,false"})
    void aPushBeforeTheCommitIsPartOfTheTransaction(String manager, boolean isAutoCommit) {
        run(manager, isAutoCommit, shop -> {
            shop.transaction(true, () -> {
                shop.push("inside", 1);
                shop.at(TransactionPhase.BEFORE_COMMIT, () -> shop.push("before commit", 1));
                shop.required(() -> shop.push("participating", 1));
                assertThat(messages("inside")).isEmpty();
            });
            assertThat(messages("inside")).containsExactly("1");
            assertThat(messages("participating")).containsExactly("1");
            assertThat(messages("before commit")).containsExactly("1");

            shop.transaction(false, () -> shop.push("inside", 2));
            shop.push("outside", 3);
            assertThat(messages("inside")).containsExactly("1");
            assertThat(messages("outside")).containsExactly("3");
        });
    }

    @ParameterizedTest
    @CsvSource({"jdbc,true", "jdbc,false", "jpa,true", "jpa,false"})
    void aPushAfterTheEndOfTheTransactionIsStoredAtOnce(String manager, boolean isAutoCommit) {
        run(manager, isAutoCommit, shop -> {
            List<String> seen = new ArrayList<>();
            Consumer<String> push = partition -> {
                shop.push(partition, 1);
                seen.addAll(messages(partition).isEmpty() ? List.of() : List.of(partition));
            };
            shop.transaction(true, () -> {
                shop.at(TransactionPhase.AFTER_COMMIT, () -> push.accept("after commit"));
                shop.at(TransactionPhase.AFTER_COMPLETION, () -> push.accept("after completion"));
                shop.afterCommit(() -> push.accept("callback"));
            });
            assertThat(seen).containsExactly("callback", "after commit", "after completion");

            seen.clear();
            shop.transaction(true, () -> {
                shop.push("inside", 1);
                shop.afterCommit(() -> push.accept("callback of a transaction with a push"));
            });
            assertThat(seen).containsExactly("callback of a transaction with a push");

            seen.clear();
            shop.transaction(false, () -> {
                shop.at(TransactionPhase.AFTER_ROLLBACK, () -> push.accept("after rollback"));
                shop.at(TransactionPhase.AFTER_COMPLETION, () -> push.accept("after a rolled back completion"));
            });
            assertThat(seen).containsExactlyInAnyOrder("after rollback", "after a rolled back completion");
        });
    }

    @ParameterizedTest
    @CsvSource({"jdbc,true", "jdbc,false", "jpa,true", "jpa,false"})
    void aNewTransactionAfterTheCommitIsJoined(String manager, boolean isAutoCommit) {
        run(manager, isAutoCommit, shop -> {
            List<Integer> seen = new ArrayList<>();
            Runnable both = () -> {
                shop.requiresNew(true, () -> {
                    shop.push("new", 1);
                    seen.add(messages("new").size());
                });
                shop.requiresNew(false, () -> shop.push("new", 2));
                // The new transaction has ended, and the old one is bound again.
                shop.push("old", 3);
            };
            shop.transaction(true, () -> shop.at(TransactionPhase.AFTER_COMMIT, both));
            shop.transaction(true, () -> shop.afterCommit(both));
            shop.transaction(true, () -> shop.requiresNew(true, () -> shop.push("new", 4)));

            assertThat(seen).containsExactly(0, 1);
            assertThat(messages("new")).containsExactly("1", "1", "4");
            assertThat(messages("old")).containsExactly("3", "3");
        });
    }

    @ParameterizedTest
    @CsvSource({"jdbc,true", "jdbc,false", "jpa,true", "jpa,false"})
    void readOnlyAndNestedTransactions(String manager, boolean isAutoCommit) {
        run(manager, isAutoCommit, shop -> {
            assertThatThrownBy(() -> shop.readOnly(() -> shop.push("read-only", 1)))
                    .isInstanceOf(InvalidDataAccessResourceUsageException.class)
                    .hasMessageContaining("the transaction is read-only")
                    .hasMessageContaining("queen.join-transactions=false");
            assertThat(messages("read-only")).isEmpty();

            if (manager.equals("jpa")) {
                assertThatThrownBy(() -> shop.transaction(true, () -> shop.nested(() -> shop.push("nested", 1))))
                        .isInstanceOf(NestedTransactionNotSupportedException.class);
                return;
            }
            shop.transaction(true, () -> {
                shop.push("nested", 1);
                assertThatThrownBy(() -> shop.nested(() -> {
                    shop.push("nested", 2);
                    throw new IllegalArgumentException("to the savepoint");
                })).hasMessage("to the savepoint");
                shop.nested(() -> shop.push("nested", 3));
                shop.push("nested", 4);
            });
            assertThat(messages("nested")).containsExactly("1", "3", "4");
        });
    }

    @ParameterizedTest
    @CsvSource({"jdbc,true", "jdbc,false", "jpa,true", "jpa,false"})
    void nothingIsAcknowledgedInATransactionThatHasEnded(String manager, boolean isAutoCommit) {
        queen.queue(queue, Integer.class).partition("a").push(7);
        Delivery<Integer> delivery = queen.queue(queue, Integer.class).group("g").pop().deliveries().getFirst();
        run(manager, isAutoCommit, shop -> {
            List<Throwable> failures = new ArrayList<>();
            shop.transaction(true, () -> shop.afterCommit(() -> {
                try {
                    shop.template.ack(delivery);
                } catch (IllegalStateException e) {
                    failures.add(e);
                }
            }));
            assertThat(failures).singleElement().extracting(Throwable::getMessage).asString().contains("has ended");
        });
        assertThat(server.pending(queue, "g")).isOne();
    }

    private List<String> messages(String partition) {
        return server.messages(queue, partition);
    }

    private void run(String manager, boolean isAutoCommit, Consumer<Shop> work) {
        application.withPropertyValues("shop.manager=" + manager, "shop.auto-commit=" + isAutoCommit)
                .run(context -> work.accept(new Shop(context)));
    }

    /** The transactions of an application. */
    private final class Shop {
        private final ApplicationContext context;
        private final QueenTemplate template;
        private final PlatformTransactionManager manager;
        private int orders;

        Shop(ApplicationContext context) {
            this.context = context;
            this.template = context.getBean(QueenTemplate.class);
            this.manager = context.getBean(PlatformTransactionManager.class);
        }

        void push(String partition, int value) {
            template.push(queue, partition, value);
        }

        /** Runs a transaction that writes a row, and commits it or rolls it back. */
        void transaction(boolean isCommitted, Runnable work) {
            int order = execute(TransactionDefinition.PROPAGATION_REQUIRED, isCommitted, work);
            assertThat(context.getBean(JdbcTemplate.class)
                    .queryForList("select number from shop_order where number = ?", Integer.class, order))
                    .hasSize(isCommitted ? 1 : 0);
        }

        void required(Runnable work) {
            new TransactionTemplate(manager).executeWithoutResult(_ -> work.run());
        }

        void requiresNew(boolean isCommitted, Runnable work) {
            execute(TransactionDefinition.PROPAGATION_REQUIRES_NEW, isCommitted, work);
        }

        void nested(Runnable work) {
            TransactionTemplate transactions = new TransactionTemplate(manager);
            transactions.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
            transactions.executeWithoutResult(_ -> work.run());
        }

        void readOnly(Runnable work) {
            TransactionTemplate transactions = new TransactionTemplate(manager);
            transactions.setReadOnly(true);
            transactions.executeWithoutResult(_ -> work.run());
        }

        private int execute(int propagation, boolean isCommitted, Runnable work) {
            TransactionTemplate transactions = new TransactionTemplate(manager);
            transactions.setPropagationBehavior(propagation);
            int order = ++orders;
            transactions.executeWithoutResult(status -> {
                insert(order);
                work.run();
                if (!isCommitted) {
                    status.setRollbackOnly();
                }
            });
            return order;
        }

        private void insert(int order) {
            EntityManagerFactory factory = context.getBeanProvider(EntityManagerFactory.class).getIfAvailable();
            if (factory == null) {
                context.getBean(JdbcTemplate.class).update("insert into shop_order values (?)", order);
            } else {
                SharedEntityManagerCreator.createSharedEntityManager(factory)
                        .createNativeQuery("insert into shop_order values (" + order + ")").executeUpdate();
            }
        }

        void at(TransactionPhase phase, Runnable work) {
            context.publishEvent(new Task(phase, work));
        }

        void afterCommit(Runnable work) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    work.run();
                }
            });
        }
    }
}
