package io.queenmq.schema;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A session of the database, and the shards in which its statements run: the search_path selects the shard. SQL without
 * a shard uses the tables of all shards, as SQL of operators does.
 */
class ShardSession implements AutoCloseable {
    private final Connection connection;
    private final String schema;
    private final Shards shards;

    ShardSession(Connection connection, String schema, Shards shards) {
        this.connection = connection;
        this.schema = schema;
        this.shards = shards;
    }

    final Connection connection() {
        return connection;
    }

    /** The schema of the routines. */
    final String schema() {
        return schema;
    }

    final Shards shards() {
        return shards;
    }

    final void execute(String sql) {
        // A failed transaction accepts no further statement.
        if (!sql.startsWith("rollback")) {
            selectShard(Shards.ALL);
        }
        Rows.execute(connection, sql);
    }

    final <T> List<T> list(Rows.Reader<T> reader, String sql, Object... values) {
        selectShard(Shards.ALL);
        return call(reader, sql, values);
    }

    /** Executes a statement on partitions in each shard: it uses table names without a schema. */
    final void everywhere(String sql) {
        shards.names().forEach(shard -> {
            selectShard(shard);
            Rows.execute(connection, sql);
        });
    }

    /** Executes a statement on a partition in its shard: it uses table names without a schema. */
    final void in(Partition partition, String sql) {
        selectShardOf(Stream.of(partition.id()));
        Rows.execute(connection, sql);
    }

    /** Returns the result of a routine called in the shard of a partition. */
    final <T> List<T> listIn(Partition partition, Rows.Reader<T> reader, String sql, Object... values) {
        selectShardOf(Stream.of(partition.id()));
        return call(reader, sql, values);
    }

    /** Returns the results of each shard in order, as for upkeep. */
    final <T> List<T> everyShard(Rows.Reader<T> reader, String sql, Object... values) {
        return shards.names().stream().flatMap(shard -> {
            selectShard(shard);
            return call(reader, sql, values).stream();
        }).toList();
    }

    /** Calls on a connection of the catalog, which with one shard is that of the shard. */
    final <T> List<T> inCatalog(Rows.Reader<T> reader, String sql, Object... values) {
        selectShard(catalog());
        return call(reader, sql, values);
    }

    /** Selects the shard of these partitions, or the catalog if they are in several. */
    final void selectShardOf(Stream<UUID> partitions) {
        var places = partitions.map(shards::of).distinct().toList();
        selectShard(places.size() == 1 ? Shards.name(places.getFirst()) : catalog());
    }

    final void selectShard(String searchPath) {
        Rows.execute(connection, "set search_path = " + Shards.path(searchPath));
    }

    /** Calls in the shard that was selected last. */
    final <T> List<T> call(Rows.Reader<T> reader, String sql, Object... values) {
        return Rows.list(connection, reader, sql, values);
    }

    final <T> Args<T> args(List<T> items) {
        return new Args<>(connection, items);
    }

    /** Reads a row for the item at this position of the input, counted from 1. */
    interface AnswerReader<A> {
        A read(int index, ResultSet rows) throws SQLException;
    }

    /**
     * Calls a routine in each shard that has some of the items, and returns the results in the order of the items.
     *
     * @param sql returns the position of the item in its first column
     */
    final <C, A> List<A> split(C[] items, Function<C, UUID> partition, AnswerReader<A> reader, String sql,
            Function<Args<C>, List<?>> values) {
        var answers = new TreeMap<Integer, List<A>>();
        for (var part : parts(Arrays.asList(items), partition)) {
            selectShard(part.shard());
            call(rows -> {
                int index = part.place(rows.getInt(1));
                return answers.computeIfAbsent(index, _ -> new ArrayList<>()).add(reader.read(index, rows));
            }, sql, values.apply(args(part.items())).toArray());
        }
        return answers.values().stream().flatMap(List::stream).toList();
    }

    /** The part of a call for one shard; places: the positions of its items, counted from 1. */
    record Part<C>(String shard, List<C> items, List<Integer> places) {
        int place(int index) {
            return places.get(index - 1);
        }
    }

    final <C> List<Part<C>> parts(List<C> items, Function<C, UUID> partition) {
        if (items.isEmpty()) {
            return List.of(new Part<>(Shards.name(0), items, List.of()));
        }
        var parts = new TreeMap<Integer, Part<C>>();
        for (int i = 0; i < items.size(); i++) {
            var part = parts.computeIfAbsent(shards.of(partition.apply(items.get(i))),
                    shard -> new Part<>(Shards.name(shard), new ArrayList<>(), new ArrayList<>()));
            part.items().add(items.get(i));
            part.places().add(i + 1);
        }
        return List.copyOf(parts.values());
    }

    final int backendPid() {
        return (int) Rows.number(connection, "select pg_backend_pid()");
    }

    @Override
    public final void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private String catalog() {
        return shards.count() == 1 ? Shards.name(0) : Shards.ALL;
    }
}
