package io.queenmq.engine.simulation.store;

import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.schema.Schema;
import io.queenmq.schema.Shards;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

/**
 * The real routines, in a PostgreSQL with a manual clock: a schema before pg_catalog in the search path replaces the
 * functions for the time and for new ids, so that both sides use the same values.
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
                    select c.table_schema, c.table_name, c.column_name from information_schema.columns c
                    where c.table_schema ~ '^queen(_[0-9]+)?$' and c.column_default like '%clock_timestamp()%'
                loop
                    execute format('alter table %I.%I alter %I set default by_hand.clock_timestamp()',
                                   of_time.table_schema, of_time.table_name, of_time.column_name);
                end loop;
                -- Only plays lock rows.
                for of_time in
                    select t.schemaname, t.tablename from pg_tables t where t.schemaname ~ '^queen(_[0-9]+)?$'
                loop
                    execute format('alter table %I.%I set (autovacuum_enabled = off)', of_time.schemaname,
                                   of_time.tablename);
                end loop;
            end $$""";
    /** Routines that work on several shards, or have a search_path of their own, use the same clock and ids. */
    private static final String SHARDS_BY_HAND = """
            create or replace function %1$s.select_shard(shard text) returns void language plpgsql as $$
            begin
                perform set_config('search_path', quote_ident(shard) || ', queen, by_hand, pg_catalog', true);
            end $$;
            do $$
            declare
                of_path record;
            begin
                for of_path in
                    select p.oid::regprocedure as signature from pg_proc p
                    where p.pronamespace = '%1$s'::regnamespace and p.proconfig::text like '%%search_path=queen%%'
                loop
                    execute format('alter function %%s set search_path = queen, by_hand, pg_catalog', of_path.signature);
                end loop;
            end $$""";
    private static final List<String> SHARD_TABLES = List.of("partition", "partition_key", "segment", "cursor",
            "cursor_key", "failure", "dead_letter", "lease_partitions", "partition_upkeep", "queue_upkeep");

    private final TestDatabase database;
    private final String api;
    private final Vertx vertx = Vertx.vertx();
    private final Shards shards;
    private final List<PgConnection> connections = new ArrayList<>();
    private final PgConnection catalog;
    /** The connection of another client, which keeps transactions open. */
    private final PgConnection other;
    private final List<String> queueColumns;
    private Tuple settings = Tuple.of("0", "");
    private boolean isOtherSet;

    RealRoutines(Shards shards) {
        this.shards = shards;
        String[] installed = new String[1];
        database = TestPostgres.shared().createDatabase();
        try (Connection first = database.connect(); var statement = first.createStatement()) {
            installed[0] = Schema.install(first, OptionalInt.of(shards.count())).api();
            statement.execute(BY_HAND);
            statement.execute(SHARDS_BY_HAND.formatted(installed[0]));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        api = installed[0];
        shards.names().forEach(shard -> connections.add(open(shard)));
        catalog = shards.count() == 1 ? connections.getFirst() : open(Shards.ALL);
        other = open(shards.count() == 1 ? Shards.name(0) : Shards.ALL);
        queueColumns = call(ShardConnections.CATALOG, "select * from queen.queue", Tuple.tuple()).columnsNames();
    }

    private PgConnection open(String schema) {
        Map<String, String> settings = new HashMap<>(Schema.SESSION_SETTINGS);
        settings.putAll(Map.of("TimeZone", "UTC", "search_path", searchPath(schema), "lock_timeout", LOCK_TIMEOUT,
                "synchronous_commit", "off", "client_min_messages", "error"));
        return await(PgConnection.connect(vertx,
                new PgConnectOptions().setHost(database.host()).setPort(database.port()).setDatabase(database.name())
                        .setUser(database.user()).setPassword(database.password()).setCachePreparedStatements(true)
                        .setProperties(settings)));
    }

    Shards shards() {
        return shards;
    }

    /** Returns the schema of the routines. */
    String api() {
        return api;
    }

    /** Sets the time, and the text from which the next id is derived. */
    void set(long nowMicros, String id) {
        settings = Tuple.of(Long.toString(nowMicros), id);
        isOtherSet = false;
        connections.forEach(this::applySettings);
        if (shards.count() > 1) {
            applySettings(catalog);
        }
    }

    private void applySettings(PgConnection session) {
        await(session.preparedQuery("select set_config('by_hand.now', $1, false), set_config('by_hand.id', $2, false)")
                .execute(settings));
    }

    private void updateOther() {
        if (!isOtherSet) {
            applySettings(other);
            isOtherSet = true;
        }
    }

    private static String searchPath(String schema) {
        return Shards.path(schema) + ", by_hand, pg_catalog";
    }

    /** @param shard the shard of the session, or the catalog */
    RowSet<Row> call(int shard, String sql, Tuple arguments) {
        PgConnection session = shard == ShardConnections.CATALOG ? catalog : connections.get(shard);
        return await(session.preparedQuery(sql).execute(arguments));
    }

    /** Selects the tables of this shard for the other client, until its transaction ends. */
    void selectShardOfOtherClient(int shard) {
        executeAsOtherClient("set local search_path = " + searchPath(Shards.name(shard)));
    }

    RowSet<Row> callAsOtherClient(String sql, Tuple arguments) {
        updateOther();
        return await(other.preparedQuery(sql).execute(arguments));
    }

    void executeAsOtherClient(String sql) {
        updateOther();
        await(other.query(sql).execute());
    }

    /** Restores the initial state. */
    void empty() {
        String tables = shards.names().stream()
                .flatMap(shard -> SHARD_TABLES.stream().map(table -> shard + "." + table))
                .collect(Collectors.joining(", "));
        executeAsOtherClient(
                "truncate " + tables + ", queen.queue, queen.subscription, queen.revised_partition cascade");
        executeAsOtherClient("""
                update queen.catalog set version = 1, subscription_version = 0, partitions_since = 0;
                update queen.system_state set push_maintenance = false, pop_maintenance = false, encryption_epoch = 0,
                    binds_messages = false""");
    }

    List<String> queueColumns() {
        return queueColumns;
    }

    @Override
    public void close() {
        connections.forEach(each -> await(each.close()));
        if (shards.count() > 1) {
            await(catalog.close());
        }
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
