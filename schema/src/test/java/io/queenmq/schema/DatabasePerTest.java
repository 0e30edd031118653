package io.queenmq.schema;

import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A database for a single test, which may change its tables. It is created when the test first uses it. */
final class DatabasePerTest implements AfterEachCallback {
    private final Supplier<TestDatabase> source;
    private TestDatabase database;
    private Connection connection;

    private DatabasePerTest(Supplier<TestDatabase> source) {
        this.source = source;
    }

    static DatabasePerTest empty() {
        return new DatabasePerTest(() -> TestPostgres.shared().createDatabase());
    }

    /** Opens a database with the schema installed. */
    static DatabasePerTest ofShards(int count) {
        return new DatabasePerTest(() -> SchemaDatabase.copy(new Shards(count)));
    }

    TestDatabase database() {
        if (database == null) {
            database = source.get();
        }
        return database;
    }

    /** The session that the whole test shares. */
    Connection connection() {
        if (connection == null) {
            connection = database().connect();
        }
        return connection;
    }

    @Override
    public void afterEach(ExtensionContext context) throws SQLException {
        if (connection != null) {
            connection.close();
            connection = null;
        }
        if (database != null) {
            database.close();
            database = null;
        }
    }
}
