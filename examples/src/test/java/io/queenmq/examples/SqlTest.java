package io.queenmq.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.client.Queen;
import io.queenmq.client.operator.QueueOptions;
import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs the SQL of the documents as a user without other rights. */
@QueenTest
class SqlTest {
    private static final Path SCRIPTS = Path.of("src/main/sql");

    private final TestQueen server;
    private final Queen queen;
    private Connection connection;

    SqlTest(Queen queen, TestQueen server) {
        this.server = server;
        this.queen = queen;
    }

    @BeforeEach
    void becomeAShop() throws SQLException, IOException {
        queen.operator().queues().delete("orders");
        queen.operator().queues().configure("orders", QueueOptions.of());
        connection = server.connectDatabase();
        query("create role shop");
        query("create table orders (id int primary key, customer text not null, total numeric not null)");
        query("grant insert on orders to shop");
        run("grant.sql");
        query("set role shop");
    }

    @AfterEach
    void tidyUp() throws SQLException {
        connection.close();
        connection = server.connectDatabase();
        query("drop owned by shop");
        query("drop role shop");
        query("drop table orders");
        connection.close();
    }

    @Test
    void anOrderAndItsMessageAreCommittedTogether() throws SQLException, IOException {
        run("announce.sql");

        assertThat(server.messages("orders", "customer-42")).singleElement().asString()
                .isEqualToIgnoringWhitespace("{\"order\":4711}");
        query("reset role");
        assertThat(query("select customer from orders where id = 4711")).containsExactly("customer-42");
        assertThat(run("read.sql")).containsExactly("0 order-4711 {\"order\": 4711}");
    }

    @Test
    void messagesAreStoredWithAnotherReplicaIdentity() throws SQLException, IOException {
        query("reset role");
        run("replica-identity.sql");
        try {
            assertThat(query("select distinct relreplident from pg_class where relkind = 'r'"
                    + " and relname in ('partition', 'cursor')")).containsExactly("n");
            queen.queue("orders", String.class).partition("a").push("1");
            assertThat(queen.queue("orders", String.class).group("g").pop().ack()).hasSize(1);
        } finally {
            query(Files.readString(SCRIPTS.resolve("replica-identity.sql")).replace("nothing", "full"));
        }
    }

    @Test
    void statementsForOperatorsWork() throws SQLException, IOException {
        query("reset role");
        List<String> keyBefore = query("select key from queen.cluster_key");

        run("cluster-key.sql");
        assertThat(query("select key from queen.cluster_key")).hasSize(1).isNotEqualTo(keyBefore);
        assertThat(run("releases.sql")).isNotEmpty().first().asString().startsWith("1 ");
        assertThat(run("long-transactions.sql")).isEmpty();
    }

    /** Returns the rows of the last statement, values separated by spaces. */
    private List<String> run(String script) throws SQLException, IOException {
        return query(Files.readString(SCRIPTS.resolve(script)));
    }

    private List<String> query(String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (var statement = connection.createStatement()) {
            boolean hasRows = statement.execute(sql);
            while (hasRows || statement.getUpdateCount() >= 0) {
                if (hasRows) {
                    rows = rows(statement.getResultSet());
                }
                hasRows = statement.getMoreResults();
            }
        }
        return rows;
    }

    private static List<String> rows(ResultSet results) throws SQLException {
        List<String> rows = new ArrayList<>();
        int columns = results.getMetaData().getColumnCount();
        while (results.next()) {
            List<String> values = new ArrayList<>();
            for (int i = 1; i <= columns; i++) {
                values.add(results.getString(i));
            }
            rows.add(String.join(" ", values));
        }
        return rows;
    }
}
