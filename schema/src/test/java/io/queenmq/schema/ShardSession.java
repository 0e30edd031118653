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
 * A session of the database, and the shards in which its statements run: the search_path says which is meant. SQL that names none
 * runs with the tables of all shards, as that of operators does.
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

    /** That of the routines. */
    final String schema() {
        return schema;
    }

    final Shards shards() {
        return shards;
    }

    final void execute(String sql) {
        // A transaction that failed takes nothing else.
        if (!sql.startsWith("rollback")) {
            enter(Shards.ALL);
        }
        Rows.execute(connection, sql);
    }

    final <T> List<T> list(Rows.Reader<T> reader, String sql, Object... values) {
        enter(Shards.ALL);
        return call(reader, sql, values);
    }

    /** A statement about partitions, for each shard: it names tables without a schema. */
    final void everywhere(String sql) {
        shards.names().forEach(shard -> {
            enter(shard);
            Rows.execute(connection, sql);
        });
    }

    /** A statement about a partition, in its shard: it names tables without a schema. */
    final void in(Partition partition, String sql) {
        enterFor(Stream.of(partition.id()));
        Rows.execute(connection, sql);
    }

    /** What a routine says that is called in the shard of a partition. */
    final <T> List<T> listIn(Partition partition, Rows.Reader<T> reader, String sql, Object... values) {
        enterFor(Stream.of(partition.id()));
        return call(reader, sql, values);
    }

    /** What each shard says, one after the other, as for upkeep. */
    final <T> List<T> everyShard(Rows.Reader<T> reader, String sql, Object... values) {
        return shards.names().stream().flatMap(shard -> {
            enter(shard);
            return call(reader, sql, values).stream();
        }).toList();
    }

    /** On a connection of the catalog, which with one shard is that of the shard. */
    final <T> List<T> inCatalog(Rows.Reader<T> reader, String sql, Object... values) {
        enter(catalog());
        return call(reader, sql, values);
    }

    /** Where a call goes that speaks of these partitions as one unit: their shard, or the catalog when they are in several. */
    final void enterFor(Stream<UUID> partitions) {
        var places = partitions.map(shards::of).distinct().toList();
        enter(places.size() == 1 ? Shards.name(places.getFirst()) : catalog());
    }

    final void enter(String searchPath) {
        Rows.execute(connection, "set search_path = " + Shards.path(searchPath));
    }

    /** In the shard that was entered last. */
    final <T> List<T> call(Rows.Reader<T> reader, String sql, Object... values) {
        return Rows.list(connection, reader, sql, values);
    }

    final <T> Args<T> args(List<T> items) {
        return new Args<>(connection, items);
    }

    /** Reads a row that speaks of the item at this position of the input, counted from 1. */
    interface AnswerReader<A> {
        A read(int index, ResultSet rows) throws SQLException;
    }

    /**
     * A call for each shard that has some of the items, and what they answer, in the order of the items.
     *
     * @param sql answers the position of the item first
     */
    final <C, A> List<A> split(C[] items, Function<C, UUID> partition, AnswerReader<A> reader, String sql,
            Function<Args<C>, List<?>> values) {
        var answers = new TreeMap<Integer, List<A>>();
        for (var part : parts(Arrays.asList(items), partition)) {
            enter(part.shard());
            call(rows -> {
                int index = part.place(rows.getInt(1));
                return answers.computeIfAbsent(index, _ -> new ArrayList<>()).add(reader.read(index, rows));
            }, sql, values.apply(args(part.items())).toArray());
        }
        return answers.values().stream().flatMap(List::stream).toList();
    }

    /** What of a call goes to one shard; places: which items of the whole they are, counted from 1. */
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
