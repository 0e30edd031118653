package io.queenmq.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.client.Queen;
import io.queenmq.examples.Order;
import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Runs the application as a process: it runs as long as its listener, and stops at SIGTERM. */
@QueenTest
class ShopProcessTest {
    private static final int TERMINATED = 128 + 15;
    private static final int PATIENCE_S = 120;

    @Test
    void theApplicationRunsUntilSigterm(Queen queen, TestQueen server) throws Exception {
        try (Connection connection = server.connectDatabase(); Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists web_order (number int primary key, customer text not null,"
                    + " total int not null, is_billed boolean not null default false)");
            statement.execute("insert into web_order (number, customer, total) values (101, 'c', 1), (102, 'c', 1)");
            Process application = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp", System.getProperty("java.class.path"), ShopApplication.class.getName(),
                    "--queen.urls=" + server.url(), "--spring.datasource.url=" + server.jdbcUrl(),
                    "--spring.datasource.username=" + server.databaseUser(),
                    "--spring.datasource.password=" + server.databasePassword(), "--shop.concurrency=2").inheritIO()
                    .start();
            try {
                var orders = queen.queue("web-orders", Order.class).partition("c");
                orders.push(new Order(101, "c", 1));
                awaitBilled(statement, 101, application);
                // Without the listener the JVM would have ended by now.
                assertThat(application.waitFor(1, TimeUnit.SECONDS)).isFalse();
                orders.push(new Order(102, "c", 1));
                awaitBilled(statement, 102, application);

                application.destroy();
                assertThat(application.waitFor(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
                assertThat(application.exitValue()).isEqualTo(TERMINATED);
            } finally {
                application.destroyForcibly();
            }
        }
        assertThat(server.pending("web-orders", "billing")).isZero();
    }

    @Test
    void aMistakeInTheConfigurationIsDescribed() throws Exception {
        Process application = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp", System.getProperty("java.class.path"), ShopApplication.class.getName(),
                "--queen.urls=localhost:6632", "--spring.datasource.url=jdbc:postgresql://localhost/any")
                .redirectErrorStream(true).start();
        try {
            String output = new String(application.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(application.waitFor()).isEqualTo(1);
            assertThat(output)
                    .contains("APPLICATION FAILED TO START", "localhost:6632", "Correct the properties queen.*")
                    .doesNotContain("\tat io.queenmq");
        } finally {
            application.destroyForcibly();
        }
    }

    private static void awaitBilled(Statement statement, int number, Process application)
            throws SQLException, InterruptedException {
        for (int tries = 0; tries < PATIENCE_S * 10; tries++) {
            try (var rows = statement.executeQuery("select is_billed from web_order where number = " + number)) {
                rows.next();
                if (rows.getBoolean(1)) {
                    return;
                }
            }
            assertThat(application.isAlive()).as("the application has ended").isTrue();
            Thread.sleep(100);
        }
        throw new AssertionError("order " + number + " was not billed");
    }
}
