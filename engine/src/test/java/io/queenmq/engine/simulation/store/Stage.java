package io.queenmq.engine.simulation.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.schema.Shards;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Executes each step on the real routines and on the store, at the same time of the clock, and compares the results. */
final class Stage {
    /** More partitions than a play has: the store processes all of them in one call. */
    static final int PARTITIONS_MAX = 2_000;

    /** Routines that return rows of queen.queue. */
    private static final Set<String> ROUTINES_OF_QUEUES = Set.of("create_queues", "configure");
    private static final long[] JUMPS_S = {5, 30, 30, 90, 90, 4_000};
    private static final long START = 1_767_225_600L * Moments.SECOND;

    private final RealRoutines real;
    private final Store store;
    private final List<String> steps = new ArrayList<>();
    private final Set<String> events;
    private long now = START;
    private int ids;

    /**
     * @param real an empty database
     * @param events receives a short name of each event
     */
    Stage(RealRoutines real, Set<String> events) {
        this.real = real;
        this.events = events;
        this.store = new Store(real.shards(), () -> now, () -> Picks.md5(Integer.toString(ids)));
    }

    RealRoutines real() {
        return real;
    }

    Store store() {
        return store;
    }

    /** Returns the steps so far. */
    List<String> steps() {
        return steps;
    }

    void met(String event) {
        events.add(event);
    }

    long now() {
        return now;
    }

    void advanceTime(SplittableRandom random) {
        pass(JUMPS_S[random.nextInt(JUMPS_S.length)] * Moments.SECOND);
        steps.add("time passes");
    }

    void pass(long micros) {
        now += micros;
        ids++;
        real.set(now, Integer.toString(ids));
    }

    Shards shards() {
        return real.shards();
    }

    /** Calls the routine on both sides, compares, and returns the rows of the store. */
    List<Row> call(String routine, Object... arguments) {
        return compare(routine, shardOf(routine, arguments), statement(routine), arguments);
    }

    /** Returns the session for a call, like a server. Calls without a partition use the shards in turn. */
    private int shardOf(String routine, Object... arguments) {
        Set<Integer> meant = new ShardGuard(shards())
                .shardsOf(new Arguments(Signature.of(routine).parameters(), tuple(arguments)));
        if (ShardGuard.isOfCatalog(routine) || meant.size() > 1) {
            return ShardConnections.CATALOG;
        }
        return meant.isEmpty() ? ids % shards().count() : meant.iterator().next();
    }

    /** Executes a query of the catalog. */
    List<Row> compare(String what, String sql, Object... arguments) {
        return compare(what, ShardConnections.CATALOG, sql, arguments);
    }

    private List<Row> compare(String routine, int shard, String sql, Object... arguments) {
        steps.add(routine + Arrays.stream(arguments).map(Stage::argumentText).toList());
        Outcome expected = Outcome.of(() -> real.call(shard, sql, tuple(arguments)));
        Outcome actual = Outcome.of(() -> store.call(shard, sql, tuple(arguments)));
        if (shard == ShardConnections.CATALOG && expected.isRefused() && actual.isRefused()) {
            // If there are obstacles in several shards, the first one is reported.
            actual.events().forEach(event -> events.add(routine + " " + event));
            return List.of();
        }
        assertThat(actual.text()).as("%s at %s", steps.getLast(), Moments.of(now)).isEqualTo(expected.text());
        actual.events().forEach(event -> events.add(routine + " " + event));
        return actual.rows();
    }

    private String statement(String routine) {
        String sql = Signature.of(routine).statement(real.api());
        return ROUTINES_OF_QUEUES.contains(routine)
                ? sql.replace("select", "select " + String.join(", ", real.queueColumns()) + " from")
                : sql;
    }

    static Tuple tuple(Object... arguments) {
        Tuple tuple = Tuple.tuple();
        for (Object argument : arguments) {
            tuple.addValue(argument);
        }
        return tuple;
    }

    private static String argumentText(Object argument) {
        return argument instanceof Object[] array
                ? Arrays.stream(array).map(value -> value instanceof Buffer bytes ? bytes.length() + " bytes" : value)
                        .toList().toString()
                : String.valueOf(argument);
    }

    /** Executes an operation of operators or upkeep on both sides. */
    void both(String what, String sql, Tuple arguments, Runnable onStore) {
        both(what, ShardConnections.CATALOG, sql, arguments, onStore);
    }

    /** @param shard the shard of the real session */
    void both(String what, int shard, String sql, Tuple arguments, Runnable onStore) {
        steps.add(what);
        String expected = errorOf(() -> real.call(shard, sql, arguments));
        assertThat(errorOf(onStore)).as(what).isEqualTo(expected);
        events.add(what.substring(0, what.indexOf(' ')) + " " + expected.split(" ")[0]);
    }

    private static String errorOf(Runnable call) {
        try {
            call.run();
            return "none";
        } catch (PgException e) {
            return e.getSqlState() + " " + e.getErrorMessage();
        }
    }

    List<Row> call(String routine, Tuple arguments) {
        Object[] values = IntStream.range(0, arguments.size()).mapToObj(arguments::getValue).toArray();
        return call(routine, values);
    }

    /** Passes the arguments that the routine has. */
    List<Row> callByName(String routine, Map<String, Object> arguments) {
        return call(routine, Signature.of(routine).parameters().stream().map(arguments::get).toArray());
    }
}
