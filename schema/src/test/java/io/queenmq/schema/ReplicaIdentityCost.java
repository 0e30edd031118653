package io.queenmq.schema;

import io.queenmq.schema.CostDatabase.Server;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Measures the cost of {@code replica identity full} for a push, a lease and an ack: CPU of the backend, and WAL.
 * PostgreSQL must run on this machine, since the figures are read from {@code /proc}; only {@code wal_level = logical}
 * makes a difference.
 *
 * <p>Arguments: the JDBC URL of a maintenance database, its user, its password, and optionally the number of rounds.
 */
final class ReplicaIdentityCost {
    private static final String DATABASE = "queen_replica_identity_cost";
    private static final List<String> IDENTITIES = List.of("nothing", "full");
    private static final int PARTITIONS = 100;
    private static final int ROUNDS = 300;

    private record Figures(double us, double walBytes) {
        static Figures lowest(List<Figures> all) {
            return new Figures(all.stream().mapToDouble(Figures::us).min().orElseThrow(),
                    all.stream().mapToDouble(Figures::walBytes).min().orElseThrow());
        }
    }

    private ReplicaIdentityCost() {}

    public static void main(String[] args) throws SQLException {
        var server = Server.of(args);
        int rounds = args.length > 3 ? Integer.parseInt(args[3]) : 5;
        System.out.println("| replica identity | push µs | push WAL bytes | lease µs | lease WAL bytes | ack µs"
                + " | ack WAL bytes |");
        System.out.println("|---|---|---|---|---|---|---|");
        for (var identity : IDENTITIES) {
            var pushes = new ArrayList<Figures>();
            var leases = new ArrayList<Figures>();
            var acks = new ArrayList<Figures>();
            for (int round = 0; round < rounds; round++) {
                try (var database = new CostDatabase(server, DATABASE)) {
                    measure(database.newSession(), identity, pushes, leases, acks);
                }
            }
            print(identity, Figures.lowest(pushes), Figures.lowest(leases), Figures.lowest(acks));
        }
    }

    private static void measure(Api api, String identity, List<Figures> pushes, List<Figures> leases,
            List<Figures> acks) {
        for (var table : List.of("partition", "cursor", "catalog")) {
            api.execute("alter table queen." + table + " replica identity " + identity);
        }
        var partitions = Traffic.partitions(api.configure("cost", Map.of()), IntStream.range(0, PARTITIONS));
        api.catchUp(0, 0,
                partitions.stream().map(partition -> Api.CatchUp.of(partition, 0)).toArray(Api.CatchUp[]::new));
        api.openCursors(partitions.stream().map(partition -> new Api.Opening(partition.id(), Traffic.GROUP, null))
                .toArray(Api.Opening[]::new));
        var traffic = new Traffic(partitions, 0);
        var orders = new SampleMessages();
        var rounds = new ArrayList<Traffic.Round>();
        for (int i = 0; i < ROUNDS + ROUNDS / 10; i++) {
            rounds.add(traffic.new Round(0, orders.batches(PARTITIONS, 1)));
        }
        rounds.subList(0, ROUNDS / 10).forEach(round -> round(api, round, new double[3], new double[3]));
        var us = new double[3];
        var wal = new double[3];
        rounds.subList(ROUNDS / 10, rounds.size()).forEach(round -> round(api, round, us, wal));
        double rows = (double) ROUNDS * PARTITIONS;
        pushes.add(new Figures(us[0] / rows, wal[0] / rows));
        leases.add(new Figures(us[1] / rows, wal[1] / rows));
        acks.add(new Figures(us[2] / rows, wal[2] / rows));
    }

    private static void round(Api api, Traffic.Round round, double[] us, double[] wal) {
        List<Consumer<Api>> steps = List.of(round::push, round::lease, round::ack);
        for (int i = 0; i < steps.size(); i++) {
            double before = ProcessCpu.seconds(api.backendPid());
            long walBefore = walBytes(api);
            steps.get(i).accept(api);
            us[i] += (ProcessCpu.seconds(api.backendPid()) - before) * 1e6;
            wal[i] += walBytes(api) - walBefore;
        }
    }

    private static long walBytes(Api api) {
        return Rows.number(api.connection(), "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')");
    }

    private static void print(String identity, Figures push, Figures lease, Figures ack) {
        System.out.printf(Locale.ROOT, "| %s | %.1f | %.0f | %.1f | %.0f | %.1f | %.0f |%n", identity, push.us,
                push.walBytes, lease.us, lease.walBytes, ack.us, ack.walBytes);
    }
}
