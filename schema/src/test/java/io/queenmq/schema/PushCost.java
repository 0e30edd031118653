package io.queenmq.schema;

import io.queenmq.schema.CostDatabase.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Measures the cost of the routine {@code push} in PostgreSQL: CPU of the backend and of its background processes, and
 * WAL. PostgreSQL must run on this machine, since the figures are read from {@code /proc}.
 *
 * <p>Arguments: the JDBC URL of a maintenance database, its user, its password, and optionally the number of rounds.
 */
final class PushCost {
    private static final String DATABASE = "queen_push_cost";
    private static final List<Shape> SHAPES = List.of(new Shape(10, 100), new Shape(100, 10), new Shape(500, 1));
    private static final List<String> STORAGES = List.of("pglz", "external", "lz4");
    private static final int VARIANTS = 16;
    private static final int MESSAGES_PER_ROUND = 200_000;

    record Shape(int partitions, int messages) {
        int total() {
            return partitions * messages;
        }
    }

    record Figures(double backendUs, double backgroundUs, double walBytes, double diskBytes) {}

    private PushCost() {}

    public static void main(String[] args) throws SQLException {
        var server = Server.of(args);
        int rounds = args.length > 3 ? Integer.parseInt(args[3]) : 5;
        System.out.println("| storage of body | partitions x messages per call | backend µs per message"
                + " | background µs per message | WAL bytes per message | bytes on disk per message |");
        System.out.println("|---|---|---|---|---|---|");
        for (var storage : storages(server)) {
            for (var shape : SHAPES) {
                var figures = new ArrayList<Figures>();
                for (int round = 0; round < rounds; round++) {
                    figures.add(inNewDatabase(server, storage, shape));
                }
                print(storage, shape, figures);
            }
        }
    }

    /** Returns the compression methods of this server, which may have been built without lz4. */
    private static List<String> storages(Server server) throws SQLException {
        try (var maintenance = server.connect()) {
            var methods = Rows.strings(maintenance,
                    "select unnest(enumvals) from pg_settings where name = 'default_toast_compression'");
            return STORAGES.stream().filter(each -> each.equals("external") || methods.contains(each)).toList();
        }
    }

    private static Figures inNewDatabase(Server server, String storage, Shape shape) throws SQLException {
        try (var database = new CostDatabase(server, DATABASE)) {
            var api = database.newSession();
            store(api, storage);
            return measure(api, shape);
        }
    }

    private static void store(Api api, String storage) {
        api.execute("alter table queen.segment alter column body set storage "
                + (storage.equals("external") ? "external" : "extended"));
        if (!storage.equals("external")) {
            api.execute("alter table queen.segment alter column body set compression " + storage);
        }
    }

    private static Figures measure(Api api, Shape shape) {
        var partitions = Traffic.partitions(api.configure("cost", Map.of()), IntStream.range(0, shape.partitions()));
        api.catchUp(0, 0,
                partitions.stream().map(partition -> Api.CatchUp.of(partition, 0)).toArray(Api.CatchUp[]::new));
        var traffic = new Traffic(partitions, 0);
        var orders = new SampleMessages();
        var batches = Stream.generate(() -> orders.batches(shape.partitions(), shape.messages())).limit(VARIANTS)
                .toList();
        int calls = MESSAGES_PER_ROUND / shape.total();
        int warmUp = calls / 10;
        push(api, traffic, batches, warmUp);
        var background = backgroundPids(api);
        long walBefore = walBytes(api.connection());
        double backendBefore = ProcessCpu.seconds(api.backendPid());
        double backgroundBefore = ProcessCpu.seconds(background);
        push(api, traffic, batches, calls);
        double messages = (double) calls * shape.total();
        return new Figures((ProcessCpu.seconds(api.backendPid()) - backendBefore) / messages * 1e6,
                (ProcessCpu.seconds(background) - backgroundBefore) / messages * 1e6,
                (walBytes(api.connection()) - walBefore) / messages,
                Rows.number(api.connection(), "select pg_total_relation_size('queen.segment')")
                        / (messages + (double) warmUp * shape.total()));
    }

    private static void push(Api api, Traffic traffic, List<List<Batch>> batches, int calls) {
        for (int call = 0; call < calls; call++) {
            traffic.new Round(0, batches.get(call % VARIANTS)).push(api);
        }
    }

    private static List<Integer> backgroundPids(Api api) {
        return api.list(rows -> rows.getInt(1), """
                select pid from pg_stat_activity
                where backend_type in ('walwriter', 'checkpointer', 'background writer')""");
    }

    private static long walBytes(Connection connection) {
        return Rows.number(connection, "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')");
    }

    private static void print(String storage, Shape shape, List<Figures> figures) {
        System.out.printf(Locale.ROOT, "| %s | %d x %d | %.2f | %.2f | %.0f | %.0f |%n", storage, shape.partitions(),
                shape.messages(), lowest(figures, Figures::backendUs), lowest(figures, Figures::backgroundUs),
                lowest(figures, Figures::walBytes), lowest(figures, Figures::diskBytes));
    }

    /** Other load on the machine can only increase a figure. */
    private static double lowest(List<Figures> figures, ToDoubleFunction<Figures> figure) {
        return figures.stream().mapToDouble(figure).min().orElseThrow();
    }
}
