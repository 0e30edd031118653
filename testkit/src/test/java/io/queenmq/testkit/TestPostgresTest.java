package io.queenmq.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TestPostgresTest {
    private final TestPostgres postgres = TestPostgres.shared();

    @Test
    void oneServerServesTheWholeJvm() {
        assertThat(TestPostgres.shared()).isSameAs(postgres);
    }

    @Test
    void newDatabaseIsEmptyAndUtf8() {
        try (var database = postgres.createDatabase()) {
            assertThat(Sql.strings(database,
                    "select pg_encoding_to_char(encoding) from pg_database where datname = current_database()"))
                    .containsExactly("UTF8");
            assertThat(
                    Sql.strings(database, "select relname from pg_class where relnamespace = 'public'::regnamespace"))
                    .isEmpty();
        }
    }

    @Test
    void templateIsPreparedOnceAndItsCopiesAreIndependent() {
        var preparations = new AtomicInteger();
        try (var first = clone(preparations); var second = clone(preparations)) {
            Sql.execute(first, "insert into greeting values ('only in the first')");
            assertThat(preparations).hasValue(1);
            assertThat(Sql.strings(first, "select text from greeting")).containsExactly("hello", "only in the first");
            assertThat(Sql.strings(second, "select text from greeting")).containsExactly("hello");
        }
    }

    @Test
    void aClosedDatabaseIsDroppedDespiteConnections() throws Exception {
        var database = postgres.createDatabase();
        try (var _ = database.connect()) {
            database.close();
        }
        assertThatThrownBy(database::connect).hasMessageContaining("does not exist");
    }

    private TestDatabase clone(AtomicInteger preparations) {
        return postgres.cloneOf("greeting", connection -> {
            preparations.incrementAndGet();
            try (var statement = connection.createStatement()) {
                statement.execute("create table greeting (text text)");
                statement.execute("insert into greeting values ('hello')");
            } catch (java.sql.SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
