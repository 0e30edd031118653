package io.queenmq.schema;

import io.queenmq.schema.CostDatabase.Server;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Measures the cost of numbers in a queue with this number of partitions: counting 1,000 touched partitions, pages with
 * sums, and counting all partitions after a subscription of another group.
 */
final class NumbersGrowth implements AutoCloseable {
    private static final int TOUCHED = 1_000;
    private static final int PARTITIONS_PER_CALL = 100;
    private static final int ROUNDS = 20;
    private static final int READS = 300;

    private final CostDatabase database;
    private final Api api;
    private final int partitions;
    private final Traffic traffic;
    private final List<Partition> busy;
    private final List<Batch> batches;

    NumbersGrowth(Server server, int partitions) throws SQLException {
        this.partitions = partitions;
        database = new CostDatabase(server, "queen_growth");
        api = database.newSession();
        var queue = api.configure("growth", Map.of());
        var orders = new SampleMessages();
        busy = Traffic.partitions(queue, IntStream.range(0, TOUCHED).map(i -> i * (partitions / TOUCHED)));
        traffic = new Traffic(busy, 1);
        batches = Stream.generate(() -> orders.batch(1)).limit(PARTITIONS_PER_CALL).toList();
        new FilledQueue(partitions, 1, 1, 1).store(api, queue, orders);
    }

    void print() throws SQLException {
        var counting = session();
        api.subscribe(Traffic.GROUP, "growth", "", "", "all", null);
        double first = cpu(counting, () -> count(counting));
        api.execute("vacuum analyze");
        row("all partitions, for the first time", first, partitions);

        round(counting);
        double touched = 0;
        for (int i = 0; i < ROUNDS; i++) {
            touched += round(counting);
        }
        row("1,000 partitions pushed to, then 1,000 partitions read", touched / ROUNDS / 2, TOUCHED);
        row("nothing was touched", cpu(counting, () -> repeat(() -> count(counting))) / READS, 0);

        for (var page : List.of("list_queues(10000, 0)", "list_groups(10000, 0)", "overview()",
                "list_lagging(3600, 1000)")) {
            var reading = session();
            row(page,
                    cpu(reading, () -> repeat(
                            () -> reading.list(rows -> rows.getString(1), "select " + reading.schema() + "." + page)))
                            / READS,
                    0);
        }
        api.subscribe("newcomers", "growth", "", "", "all", null);
        row("all partitions, because a group has subscribed", cpu(counting, () -> count(counting)), partitions);
    }

    /** With the settings of sessions for operators. */
    private Api session() throws SQLException {
        var session = database.newSession();
        session.execute("reset all");
        session.execute("set plan_cache_mode = 'force_custom_plan'");
        session.execute("set jit = off");
        return session;
    }

    /** @return the CPU of counting once what was pushed, and once what was leased and acknowledged */
    private double round(Api counting) {
        var rounds = IntStream.range(0, TOUCHED / PARTITIONS_PER_CALL)
                .mapToObj(i -> traffic.new Round(i * PARTITIONS_PER_CALL, batches)).toList();
        rounds.forEach(round -> round.push(api));
        touch();
        double pushed = cpu(counting, () -> count(counting));
        for (var round : rounds) {
            round.lease(api);
            round.ack(api);
        }
        touch();
        return pushed + cpu(counting, () -> count(counting));
    }

    private void touch() {
        api.list(_ -> null, "select " + api.schema() + ".touch_partitions(?, '{}')",
                new Args<>(api.connection(), busy).uuids(Partition::id));
    }

    private static String count(Api session) {
        String answer = "more";
        while (answer.equals("more")) {
            answer = Rows.strings(session.connection(), "select " + session.schema() + ".count_touched(0)").getFirst();
        }
        return answer;
    }

    private static Object repeat(Supplier<?> call) {
        for (int i = 0; i < READS; i++) {
            call.get();
        }
        return READS;
    }

    private static double cpu(Api session, Supplier<?> work) {
        double before = ProcessCpu.seconds(session.backendPid());
        work.get();
        return ProcessCpu.seconds(session.backendPid()) - before;
    }

    private void row(String what, double seconds, int counted) {
        System.out.printf(Locale.ROOT, "| %,d partitions | %s | %.2f ms | %s |%n", partitions, what, seconds * 1e3,
                counted == 0 ? "" : "%.1f µs a partition".formatted(seconds * 1e6 / counted));
    }

    @Override
    public void close() throws SQLException {
        database.close();
    }
}
