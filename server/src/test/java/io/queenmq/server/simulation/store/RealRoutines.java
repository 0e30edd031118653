package io.queenmq.server.simulation.store;

import io.queenmq.schema.Schema;
import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestPostgres;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;

/**
 * The real routines, in a PostgreSQL whose clock is set by hand: a schema in front of pg_catalog has functions of its
 * own for the time and for new ids, so that both can be told what the store is told.
 */
final class RealRoutines implements AutoCloseable {
    private static final String LOCK_TIMEOUT = "40ms";
    private static final String BY_HAND = """
            create schema by_hand;
            create function by_hand.clock_timestamp() returns timestamptz language sql volatile as $$
                select 'epoch'::timestamptz + current_setting('by_hand.now')::bigint * interval '1 microsecond' $$;
            create function by_hand.gen_random_uuid() returns uuid language sql volatile as $$
                select md5(current_setting('by_hand.id'))::uuid $$;
            alter function queen.commit() reset search_path;
            do $$
            declare
                of_time record;
            begin
                for of_time in
                    select c.table_name, c.column_name from information_schema.columns c
                    where c.table_schema = 'queen' and c.column_default like '%clock_timestamp()%'
                loop
                    execute format('alter table queen.%I alter %I set default by_hand.clock_timestamp()',
                                   of_time.table_name, of_time.column_name);
                end loop;
                -- Nobody but a play locks anything.
                for of_time in select t.tablename from pg_tables t where t.schemaname = 'queen' loop
                    execute format('alter table queen.%I set (autovacuum_enabled = off)', of_time.tablename);
                end loop;
            end $$""";

    private final TestDatabase database;
    private final String api;
    private final Vertx vertx = Vertx.vertx();
    private final PgConnection connection;
    /** Of somebody else, who keeps transactions open. */
    private final PgConnection other;
    private final List<String> queueColumns;
    private Tuple settings = Tuple.of("0", "");
    private boolean isOtherTold;

    RealRoutines() {
        String[] installed = new String[1];
        database = TestPostgres.shared().createDatabase();
        try (Connection first = database.connect(); var statement = first.createStatement()) {
            installed[0] = Schema.install(first).api();
            statement.execute(BY_HAND);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        api = installed[0];
        connection = open();
        other = open();
        queueColumns = call("select * from queen.queue", Tuple.tuple()).columnsNames();
    }

    private PgConnection open() {
        Map<String, String> settings = new HashMap<>(Schema.SESSION_SETTINGS);
        settings.putAll(Map.of("TimeZone", "UTC", "search_path", "by_hand, pg_catalog", "lock_timeout", LOCK_TIMEOUT,
                "synchronous_commit", "off", "client_min_messages", "error"));
        return await(PgConnection.connect(vertx, new PgConnectOptions().setHost(database.host())
                .setPort(database.port()).setDatabase(database.name()).setUser(database.user())
                .setPassword(database.password()).setCachePreparedStatements(true).setProperties(settings)));
    }

    /** The schema of the routines. */
    String api() {
        return api;
    }

    /** From now on it is this moment, and the next id is made of this text. */
    void set(long nowMicros, String id) {
        settings = Tuple.of(Long.toString(nowMicros), id);
        isOtherTold = false;
        tell(connection);
    }

    private void tell(PgConnection session) {
        await(session.preparedQuery("select set_config('by_hand.now', $1, false), set_config('by_hand.id', $2, false)")
                .execute(settings));
    }

    private void tellOther() {
        if (!isOtherTold) {
            tell(other);
            isOtherTold = true;
        }
    }

    RowSet<Row> call(String sql, Tuple arguments) {
        return await(connection.preparedQuery(sql).execute(arguments));
    }

    RowSet<Row> callAsSomebodyElse(String sql, Tuple arguments) {
        tellOther();
        return await(other.preparedQuery(sql).execute(arguments));
    }

    void executeAsSomebodyElse(String sql) {
        tellOther();
        await(other.query(sql).execute());
    }

    /** As it was when it was new. */
    void empty() {
        executeAsSomebodyElse(
                """
                truncate queen.queue, queen.partition, queen.partition_key, queen.segment, queen.cursor, queen.cursor_key,
                    queen.failure, queen.dead_letter, queen.subscription, queen.lease_lanes, queen.revised_lane,
                    queen.lane_upkeep, queen.queue_upkeep cascade;
                update queen.catalog set version = 1, subscription_version = 0, lanes_since = 0;
                update queen.system_state set push_maintenance = false, pop_maintenance = false, encryption_epoch = 0""");
    }

    List<String> queueColumns() {
        return queueColumns;
    }

    @Override
    public void close() {
        await(connection.close());
        await(other.close());
        await(vertx.close());
        database.close();
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }
}
