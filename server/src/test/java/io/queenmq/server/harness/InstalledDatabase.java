package io.queenmq.server.harness;

import io.queenmq.schema.Schema;
import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestPostgres;
import io.queenmq.testkit.TestShards;
import java.util.OptionalInt;

/** New databases on which a server of this release has nothing to do. */
public final class InstalledDatabase {
    private InstalledDatabase() {}

    /** One with as many shards as tests have that do not say. */
    public static TestDatabase create() {
        return create(TestShards.COUNT);
    }

    public static TestDatabase create(int shards) {
        return TestPostgres.shared().cloneOf("server-" + shards,
                connection -> Schema.install(connection, OptionalInt.of(shards)));
    }
}
