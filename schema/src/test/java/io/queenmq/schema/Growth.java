package io.queenmq.schema;

import io.queenmq.schema.CostDatabase.Server;
import io.queenmq.schema.GrowthBench.Cost;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Measures the cost of calls while something grows: stored messages, partitions, groups, or the age of an open
 * transaction. PostgreSQL must run on this machine, since CPU times are read from {@code /proc}, and with {@code
 * shared_preload_libraries=pg_stat_statements}, which counts the pages of a call.
 *
 * <p>Arguments: the JDBC URL of a maintenance database, its user, its password, and what grows: {@code nothing}, {@code
 * messages}, {@code partitions}, {@code groups}, or {@code pin} and the number of minutes; {@code numbers} measures the
 * cost of counting partitions and of reading the sums.
 */
final class Growth {
    private static final int BATCHES = 1_000;
    private static final int BATCHES_PER_SECOND = 10;

    private Growth() {}

    public static void main(String[] args) throws Exception {
        var server = Server.of(args);
        switch (args[3]) {
            case "nothing" -> compare(server, Map.of("1,000 partitions", new FilledQueue(1_000, 1, 1, 1)));
            case "messages" -> compare(server, Map.of("no messages", new FilledQueue(1_000, 0, 0, 1),
                    "10,000,000 messages", new FilledQueue(1_000, 100, 100, 1)));
            case "partitions" -> compare(server,
                    Map.of("1,000 partitions", new FilledQueue(1_000, 1, 1, 1), "100,000 partitions",
                            new FilledQueue(100_000, 1, 1, 1), "1,000,000 partitions",
                            new FilledQueue(1_000_000, 1, 1, 1)));
            case "groups" -> compare(server, Map.of("1 group", new FilledQueue(1_000, 1, 100, 1), "10 groups",
                    new FilledQueue(1_000, 1, 100, 10)));
            case "numbers" -> numbers(server);
            case "pin" -> pin(server, Integer.parseInt(args[4]));
            default -> throw new IllegalArgumentException("nothing is known to grow with " + args[3]);
        }
    }

    private static void compare(Server server, Map<String, FilledQueue> fillings) throws SQLException {
        System.out.println("| filled with | operation | CPU µs per call | pages per call |");
        System.out.println("|---|---|---|---|");
        for (var name : fillings.keySet().stream().sorted().toList()) {
            try (var database = new CostDatabase(server, "queen_growth")) {
                var bench = new GrowthBench(database, fillings.get(name));
                bench.run(BATCHES / 10);
                bench.costs();
                bench.run(BATCHES);
                print("| " + name, bench.costs());
            }
        }
    }

    private static void numbers(Server server) throws SQLException {
        System.out.println("| | what is done | CPU | |");
        System.out.println("|---|---|---|---|");
        for (int partitions : List.of(1_000, 100_000, 1_000_000)) {
            try (var growth = new NumbersGrowth(server, partitions)) {
                growth.print();
            }
        }
    }

    /** Both databases have the same load at the same time; a transaction keeps old row versions in one only. */
    private static void pin(Server server, int minutes) throws Exception {
        System.out.println("| minute | other transaction | operation | CPU µs per call | pages per call |");
        System.out.println("|---|---|---|---|---|");
        try (var free = new CostDatabase(server, "queen_growth_free");
                var pinned = new CostDatabase(server, "queen_growth_pinned");
                var threads = Executors.newFixedThreadPool(2)) {
            var filling = new FilledQueue(100, 1, 1, 1);
            var benches = List.of(new GrowthBench(free, filling), new GrowthBench(pinned, filling));
            for (var bench : benches) {
                bench.run(BATCHES / 10);
                bench.costs();
            }
            hold(pinned.newSession());
            for (int minute = 1; minute <= minutes; minute++) {
                var runs = benches.stream().map(
                        bench -> threads.submit(() -> bench.runFor(TimeUnit.MINUTES.toNanos(1), BATCHES_PER_SECOND)))
                        .toList();
                for (var run : runs) {
                    run.get();
                }
                print("| " + minute + " | none", benches.getFirst().costs());
                print("| " + minute + " | open", benches.getLast().costs());
            }
        }
    }

    private static void hold(Api session) {
        session.execute("begin isolation level repeatable read");
        session.execute("select count(*) from queen.queue");
    }

    private static void print(String row, List<Cost> costs) {
        for (var cost : costs) {
            System.out.printf(Locale.ROOT, "%s | %s | %.0f | %.0f |%n", row, cost.operation(), cost.cpuUs(),
                    cost.pages());
        }
    }
}
