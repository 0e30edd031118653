package io.queenmq.server.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.queenmq.engine.connection.ConnectionPool;
import io.queenmq.engine.connection.Place;
import io.queenmq.engine.connection.Session;
import io.queenmq.schema.Schema;
import io.queenmq.schema.Shards;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestPostgres;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Tuple;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A call succeeds only after its commit. */
class PgSessionsTest {
    private final Vertx vertx = Vertx.vertx();
    private final TestDatabase database = TestPostgres.shared().createDatabase();

    @BeforeEach
    void createTable() throws SQLException {
        try (Connection connection = database.connect(); var statement = connection.createStatement()) {
            statement.execute("""
                    create table kept (code text);
                    create function refuse() returns trigger language plpgsql as $$
                    begin
                        raise exception 'refused at commit' using errcode = new.code;
                    end
                    $$;
                    create constraint trigger refused after insert on kept deferrable initially deferred
                        for each row execute function refuse();
                    create function keep(code text) returns text language plpgsql as $$
                    begin
                        insert into kept values (code);
                        return code;
                    end
                    $$;""");
        }
    }

    @AfterEach
    void drop() {
        vertx.close().await();
        database.close();
    }

    /** The last three are codes of an ended session, which Citus forwards from a worker. */
    @ParameterizedTest
    @ValueSource(strings = {"P0001", "57P01", "57P05", "25P03"})
    void aCallWhoseCommitFailsFails(String code) {
        Session session = open();

        assertThat(catchThrowable(() -> session.call("select keep($1)", Tuple.of(code)).await()))
                .hasMessageContaining("refused at commit");
    }

    /** PostgreSQL may close a connection while its history is read. A failure here would leave the connection attempt open. */
    @Test
    void aSessionThatIsClosedCanBeDropped() {
        Session session = open();
        // The closed channel has no handlers.
        vertx.close().await();

        assertThatNoException().isThrownBy(session::drop);
    }

    private Session open() {
        var config = ConfigReader
                .read(Map.of("PG_HOST", database.host(), "PG_PORT", Integer.toString(database.port()), "PG_DB",
                        database.name(), "PG_USER", database.user(), "PG_PASSWORD", database.password()))
                .storage().database();
        return new PgSessions(vertx, config, new Schema.Installed("public", Shards.ONE, false),
                ConnectionPool.Durability.FLUSHED, UUID.randomUUID(), "public",
                () -> new Place(database.host(), database.port())).open().await();
    }
}
