package io.queenmq.schema;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.queenmq.testkit.CitusCluster;
import io.queenmq.testkit.CitusDatabase;
import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestPostgres;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A separate database for one test class, with the schema installed. Tests are isolated by using different queues. The
 * number of shards is {@code -Dqueen.shards}, unless the class sets it. With {@code -Dqueen.citus=true}, databases of
 * several shards are on the cluster at {@code CITUS_URL}, and shared by all classes of a JVM, because their creation is
 * slow.
 */
final class SchemaDatabase implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    private static final Map<Shards, CitusDatabase> ON_CITUS = new ConcurrentHashMap<>();
    private static final AtomicInteger QUEUES = new AtomicInteger();
    private final ConcurrentLinkedQueue<Api> sessions = new ConcurrentLinkedQueue<>();
    private final Shards shards;
    private boolean isOnCitus;
    private TestDatabase database;
    private String schema;
    private Api api;

    SchemaDatabase() {
        this(new Shards(Integer.getInteger("queen.shards", 1)));
    }

    private SchemaDatabase(Shards shards) {
        this.shards = shards;
    }

    /** For tests of tables, pages or plans, which require one shard. */
    static SchemaDatabase ofOneShard() {
        return new SchemaDatabase(Shards.ONE);
    }

    static SchemaDatabase of(int shards) {
        return new SchemaDatabase(new Shards(shards));
    }

    /** Returns a database with the schema installed, for the caller alone. */
    static TestDatabase copy(Shards shards) {
        return TestPostgres.shared().cloneOf("schema of " + shards.count(),
                connection -> Schema.install(connection, OptionalInt.of(shards.count())));
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        if (isNested(context)) {
            return;
        }
        if (Boolean.getBoolean("queen.citus") && shards.count() > 1) {
            isOnCitus = true;
            database = ON_CITUS.computeIfAbsent(shards, SchemaDatabase::createOnCitus).coordinator();
        } else {
            database = copy(shards);
        }
        schema = Release.load().routines().name();
        api = open();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        while (!sessions.isEmpty()) {
            sessions.remove().close();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (isNested(context)) {
            return;
        }
        api.close();
        if (!isOnCitus) {
            database.close();
        }
    }

    /** For a test of the processing of one call or one table. */
    void assumeOneShard() {
        assumeTrue(shards.count() == 1, "with one shard only");
    }

    /** The session that all tests of the class share. */
    Api api() {
        return api;
    }

    /** Opens another session until the end of the test. */
    Api newSession() {
        var session = open();
        sessions.add(session);
        return session;
    }

    /** Returns a partition of a new queue without a retry delay. */
    Partition newPartition() {
        return newPartitions(1).getFirst();
    }

    Partition newPartition(Map<String, Object> options) {
        return newPartitions(1, options).getFirst();
    }

    List<Partition> newPartitions(int count) {
        return newPartitions(count, Map.of("retry_delay_ms", 0));
    }

    /** Partitions of one new queue, ascending by name. */
    List<Partition> newPartitions(int count, Map<String, Object> options) {
        var queue = api.configure("queue-" + QUEUES.incrementAndGet(), options);
        var partitions = new ArrayList<Partition>();
        for (int i = 0; i < count; i++) {
            partitions.add(partition(queue.id(), queue.name(), "partition-%05d".formatted(i)));
        }
        api.catchUp(0, 0,
                partitions.stream().map(partition -> Api.CatchUp.of(partition, 0)).toArray(Api.CatchUp[]::new));
        return partitions;
    }

    /** A partition of each shard, in their order; the queue has more of them. */
    List<Partition> newPartitionInEachShard() {
        var partitions = newPartitions(12 * shards.count());
        return IntStream.range(0, shards.count()).mapToObj(shard -> partitions.stream()
                .filter(partition -> shards.of(partition.id()) == shard).findFirst().orElseThrow()).toList();
    }

    /** Partitions of one new queue that are in one shard, ascending by name: one lease may be over all of them. */
    List<Partition> newPartitionsTogether(int count) {
        return newPartitionsTogether(count, Map.of("retry_delay_ms", 0));
    }

    List<Partition> newPartitionsTogether(int count, Map<String, Object> options) {
        var partitions = newPartitions(shards.count() == 1 ? count : count * shards.count() * 6, options);
        var shard = shards.of(partitions.getFirst().id());
        return partitions.stream().filter(partition -> shards.of(partition.id()) == shard).limit(count).toList();
    }

    /**
     * Returns a partition of a new queue with this number of messages, and a cursor of the group {@code workers} at its
     * start.
     */
    Partition newPartitionWith(int messages) {
        return newPartitionWith(messages, Map.of("retry_delay_ms", 0));
    }

    Partition newPartitionWith(int messages, Map<String, Object> options) {
        var partition = newPartition(options);
        api.push(new Api.Append(partition, 0, Batch.ofSize(messages)));
        api.openCursors(new Api.Opening(partition.id(), "workers", null));
        return partition;
    }

    Partition partition(UUID queueId, String queue, String name) {
        var id = Rows.list(api.connection(), rows -> rows.getObject(1, UUID.class),
                "select " + schema + ".partition_id(?, ?)", queueId, name).getFirst();
        return new Partition(queueId, queue, id, name);
    }

    /** JUnit reports nested classes, too; they share the database of the outermost one. */
    private static boolean isNested(ExtensionContext context) {
        return context.getRequiredTestClass().isMemberClass();
    }

    private static CitusDatabase createOnCitus(Shards shards) {
        var created = CitusCluster.fromEnvironment().createDatabase();
        Runtime.getRuntime().addShutdownHook(new Thread(created::close, "queen-test-citus-drop"));
        try (var connection = created.coordinator().connect()) {
            Schema.install(connection, OptionalInt.of(shards.count()));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return created;
    }

    private Api open() {
        var settings = new Schema.Installed(schema, shards, isOnCitus).sessionSettings();
        return Api.open(database.connect(), schema, shards, settings);
    }
}
