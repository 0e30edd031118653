package io.queenmq.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.ToDoubleFunction;

/**
 * Measures what the routine {@code push} costs PostgreSQL: CPU of the backend and of the background processes that work
 * for it, and WAL. PostgreSQL must run on this machine, since the figures come from {@code /proc}.
 *
 * <p>Arguments: the JDBC URL of a maintenance database, its user, its password, and perhaps the number of rounds.
 */
final class PushCost {
    private static final String DATABASE = "queen_push_cost";
    private static final List<Shape> SHAPES = List.of(new Shape(10, 100), new Shape(100, 10), new Shape(500, 1));
    private static final List<String> STORAGES = List.of("pglz", "external", "lz4");
    private static final int VARIANTS = 16;
    private static final int MESSAGES_PER_ROUND = 200_000;
    private static final double TICKS_PER_SECOND = 100;

    record Shape(int lanes, int messages) {
        int total() {
            return lanes * messages;
        }
    }

    record Figures(double backendUs, double backgroundUs, double walBytes, double diskBytes) {}

    private PushCost() {}

    public static void main(String[] args) throws Exception {
        int rounds = args.length > 3 ? Integer.parseInt(args[3]) : 5;
        System.out.println("| storage of body | lanes x messages per call | backend µs per message"
                + " | background µs per message | WAL bytes per message | bytes on disk per message |");
        System.out.println("|---|---|---|---|---|---|");
        for (var storage : storages(args)) {
            for (var shape : SHAPES) {
                var figures = new ArrayList<Figures>();
                for (int round = 0; round < rounds; round++) {
                    figures.add(inNewDatabase(args, storage, shape));
                }
                print(storage, shape, figures);
            }
        }
    }

    /** Those this server knows: it may have been built without lz4. */
    private static List<String> storages(String[] args) throws SQLException {
        try (var maintenance = DriverManager.getConnection(args[0], args[1], args[2])) {
            var methods = Rows.strings(maintenance,
                    "select unnest(enumvals) from pg_settings where name = 'default_toast_compression'");
            return STORAGES.stream().filter(each -> each.equals("external") || methods.contains(each)).toList();
        }
    }

    private static Figures inNewDatabase(String[] args, String storage, Shape shape) throws Exception {
        try (var maintenance = DriverManager.getConnection(args[0], args[1], args[2])) {
            Rows.execute(maintenance, "drop database if exists " + DATABASE);
            Rows.execute(maintenance, "create database " + DATABASE + " encoding 'UTF8' template template0");
            Rows.execute(maintenance, "checkpoint");
            var url = args[0].substring(0, args[0].lastIndexOf('/') + 1) + DATABASE;
            try (var connection = DriverManager.getConnection(url, args[1], args[2])) {
                var api = Api.open(connection, Schema.install(connection).api());
                store(api, storage);
                return measure(api, shape);
            } finally {
                Rows.execute(maintenance, "drop database " + DATABASE + " with (force)");
            }
        }
    }

    private static void store(Api api, String storage) {
        api.execute("alter table queen.segment alter column body set storage "
                + (storage.equals("external") ? "external" : "extended"));
        if (!storage.equals("external")) {
            api.execute("alter table queen.segment alter column body set compression " + storage);
        }
    }

    private static Figures measure(Api api, Shape shape) throws Exception {
        var lanes = lanes(api, shape.lanes());
        var batches = batches(shape);
        int calls = MESSAGES_PER_ROUND / shape.total();
        long head = push(api, lanes, batches, 0, calls / 10);
        var background = backgroundPids(api);
        long walBefore = walBytes(api.connection());
        double backendBefore = cpuSeconds(List.of(api.backendPid()));
        double backgroundBefore = cpuSeconds(background);
        push(api, lanes, batches, head, calls);
        double messages = (double) calls * shape.total();
        return new Figures((cpuSeconds(List.of(api.backendPid())) - backendBefore) / messages * 1e6,
                (cpuSeconds(background) - backgroundBefore) / messages * 1e6,
                (walBytes(api.connection()) - walBefore) / messages,
                Rows.number(api.connection(), "select pg_total_relation_size('queen.segment')")
                        / (messages + head * shape.lanes()));
    }

    private static List<Lane> lanes(Api api, int count) {
        var queue = api.configure("cost", Map.of());
        var lanes = new ArrayList<Lane>();
        for (int i = 0; i < count; i++) {
            var name = "customer-" + i;
            lanes.add(new Lane(queue.id(), queue.name(), api.list(rows -> rows.getObject(1, UUID.class),
                    "select " + api.schema() + ".partition_id(?, ?)", queue.id(), name).getFirst(), name));
        }
        api.catchUp(0, 0, lanes.stream().map(lane -> Api.CatchUp.of(lane, 0)).toArray(Api.CatchUp[]::new));
        return lanes;
    }

    private static long push(Api api, List<Lane> lanes, List<List<Batch>> batches, long head, int calls) {
        long known = head;
        for (int call = 0; call < calls; call++) {
            var variant = batches.get(call % VARIANTS);
            var appends = new Api.Append[lanes.size()];
            for (int i = 0; i < appends.length; i++) {
                appends[i] = new Api.Append(lanes.get(i), known, variant.get(i));
            }
            if (api.push(appends).size() != appends.length) {
                throw new IllegalStateException("a lane was refused");
            }
            known += variant.getFirst().count();
        }
        return known;
    }

    private static List<List<Batch>> batches(Shape shape) {
        var random = new Random(42);
        var variants = new ArrayList<List<Batch>>();
        for (int variant = 0; variant < VARIANTS; variant++) {
            var batches = new ArrayList<Batch>();
            for (int lane = 0; lane < shape.lanes(); lane++) {
                batches.add(batch(random, shape.messages()));
            }
            variants.add(batches);
        }
        return variants;
    }

    private static Batch batch(Random random, int count) {
        var hashes = ByteBuffer.allocate(8 * count);
        var body = new StringBuilder();
        for (int i = 0; i < count; i++) {
            hashes.putLong(random.nextLong());
            body.append("{\"id\":\"").append(uuid(random)).append("\",\"transactionId\":\"").append(uuid(random))
                    .append("\",\"traceId\":null,\"producerSub\":null,\"data\":").append(payload(random)).append("}\n");
        }
        return new Batch(count, hashes.array(), body.toString().getBytes(UTF_8));
    }

    private static UUID uuid(Random random) {
        return new UUID(random.nextLong(), random.nextLong());
    }

    /** 150 bytes that look like an order. */
    private static String payload(Random random) {
        var text = new StringBuilder("{\"orderId\":%d,\"customer\":\"customer-%d\",\"amount\":%.2f,\"currency\":\"EUR\""
                .formatted(random.nextInt(1_000_000_000), random.nextInt(10_000), random.nextDouble() * 1000)
                + ",\"note\":\"");
        while (text.length() < 148) {
            text.append((char) ('a' + random.nextInt(26)));
        }
        return text.append("\"}").toString();
    }

    private static List<Integer> backgroundPids(Api api) {
        return api.list(rows -> rows.getInt(1), """
                select pid from pg_stat_activity
                where backend_type in ('walwriter', 'checkpointer', 'background writer')""");
    }

    private static long walBytes(Connection connection) {
        return Rows.number(connection, "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')");
    }

    private static double cpuSeconds(List<Integer> pids) throws IOException {
        long ticks = 0;
        for (int pid : pids) {
            var stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            ticks += Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
        }
        return ticks / TICKS_PER_SECOND;
    }

    private static void print(String storage, Shape shape, List<Figures> figures) {
        System.out.printf(Locale.ROOT, "| %s | %d x %d | %.2f | %.2f | %.0f | %.0f |%n", storage, shape.lanes(),
                shape.messages(), lowest(figures, Figures::backendUs), lowest(figures, Figures::backgroundUs),
                lowest(figures, Figures::walBytes), lowest(figures, Figures::diskBytes));
    }

    /** Whatever else happens on the machine can only add to a figure. */
    private static double lowest(List<Figures> figures, ToDoubleFunction<Figures> figure) {
        return figures.stream().mapToDouble(figure).min().orElseThrow();
    }
}
