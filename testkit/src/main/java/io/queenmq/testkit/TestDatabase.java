package io.queenmq.testkit;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A database of the test server. Closing it drops it, even with open connections. */
public record TestDatabase(String host, int port, String name, String user, String password) implements AutoCloseable {
    private static final String MAINTENANCE = "postgres";
    private static final String CONNECT_MAX_S = "120";

    /** Opens a connection. The caller closes it. */
    public Connection connect() {
        try {
            var properties = new Properties();
            properties.putAll(Map.of("user", user, "password", password, "connectTimeout", CONNECT_MAX_S));
            return DriverManager.getConnection(jdbcUrl(), properties);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot connect to " + jdbcUrl() + ": " + e.getMessage(), e);
        }
    }

    public String jdbcUrl() {
        return "jdbc:postgresql://" + host + ":" + port + "/" + name;
    }

    /** Runs a statement in each shard of the Queen in this database; see {@link TestShards#everywhere}. */
    public int everywhere(String sql, Object... values) {
        try (Connection connection = connect()) {
            return TestShards.everywhere(connection, sql, values);
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }

    /** Returns names of partitions of one shard, so that one pop can lease all of them. The queue must exist. */
    public List<String> partitionsTogether(String queue, int count) {
        return partitions(queue).filter(partition -> partition.shard == 0).limit(count).map(Partition::name).toList();
    }

    /** Returns the name of one partition in each shard. The queue must exist. */
    public List<String> partitionOfEachShard(String queue) {
        Map<Integer, String> names = new TreeMap<>();
        partitions(queue).forEach(partition -> names.putIfAbsent(partition.shard, partition.name));
        return List.copyOf(names.values());
    }

    private record Partition(String name, int shard) {}

    /**
     * Returns possible partitions. The id of a partition is the name-based UUID of the queue id and the name; its first
     * byte determines the shard.
     */
    private Stream<Partition> partitions(String queue) {
        String sql = """
                select 'partition-' || i || ' ' || get_byte(decode(md5(uuid_send(q.id) || convert_to('partition-' || i, 'UTF8')), 'hex'), 0)
                           % (select count(*) from queen.shard)
                from queen.queue q, generate_series(1, 1000) i where q.name = '""" + queue + "' order by i";
        return Sql.strings(this, sql).stream().map(row -> row.split(" "))
                .map(parts -> new Partition(parts[0], Integer.parseInt(parts[1])));
    }

    @Override
    public void close() {
        var other = new TestDatabase(host, port, MAINTENANCE, user, password);
        Sql.execute(other, "drop database if exists " + name + " with (force)");
    }
}
