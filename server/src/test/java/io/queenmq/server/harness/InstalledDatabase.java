package io.queenmq.server.harness;

import io.queenmq.schema.Schema;
import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestPostgres;
import io.queenmq.testkit.TestShards;
import java.util.OptionalInt;

/** Creates databases in which the schema of this release is installed. */
public final class InstalledDatabase {
    private InstalledDatabase() {}

    /** Creates a database with the default number of shards of the tests. */
    public static TestDatabase create() {
        return create(TestShards.COUNT);
    }

    public static TestDatabase create(int shards) {
        return TestPostgres.shared().cloneOf("server-" + shards,
                connection -> Schema.install(connection, OptionalInt.of(shards)));
    }
}
