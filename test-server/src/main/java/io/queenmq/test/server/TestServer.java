package io.queenmq.test.server;

import io.queenmq.embedded.EmbeddedPostgres;
import io.queenmq.server.Server;
import io.queenmq.server.config.ConfigReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The main class of the process. It reads requests from the standard input and writes answers to the standard output; the
 * first answer contains the addresses. It ends with its input, so it cannot outlive the test's JVM.
 *
 * <p>A request and an answer are a list of texts: the number of texts, and for each the number of its bytes and the bytes in
 * UTF-8. The first text of an answer is {@code ok} or {@code error}.
 */
public final class TestServer {
    /** Tests need no durability, and flushing is slow. */
    private static final Map<String, String> POSTGRES = Map.of("fsync", "off");

    private TestServer() {}

    /** Expects the directory of PostgreSQL and the number of shards. */
    public static void main(String[] arguments) throws IOException {
        DataInputStream requests = new DataInputStream(System.in);
        DataOutputStream answers = new DataOutputStream(System.out);
        // A library that prints must not disturb the answers.
        System.setOut(new PrintStream(System.err, true, StandardCharsets.UTF_8));
        System.setIn(InputStream.nullInputStream());
        Path home = Path.of(arguments[0]);
        awaitEarlierServer(home);
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(home, POSTGRES)) {
            TestDatabase database = TestDatabase.createIn(postgres);
            try (Server server = Server.start(ConfigReader.read(settings(database, arguments[1])))) {
                write(answers, List.of("ok", Integer.toString(server.port()), database.jdbcUrl(), database.user(),
                        database.password()));
                serve(database, requests, answers);
            }
        }
        System.exit(0);
    }

    /** Waits for the end of the server of a test JVM that was killed: it ends a moment after its JVM. */
    private static void awaitEarlierServer(Path home) throws IOException {
        try (FileChannel channel = FileChannel.open(home.resolve("lock"), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE); FileLock lock = channel.lock()) {
            if (!lock.isValid()) {
                throw new IOException("cannot lock " + home);
            }
        }
    }

    private static void serve(TestDatabase database, DataInputStream requests, DataOutputStream answers)
            throws IOException {
        while (true) {
            List<String> request;
            try {
                request = read(requests);
            } catch (EOFException _) {
                return;
            }
            write(answers, answer(database, request));
        }
    }

    private static List<String> answer(TestDatabase database, List<String> request) {
        String sql = request.get(1);
        String[] values = request.subList(2, request.size()).toArray(String[]::new);
        List<String> answer = new ArrayList<>(List.of("ok"));
        try {
            switch (request.getFirst()) {
                case "query" -> answer.addAll(database.query(sql, values));
                case "update" -> database.updateShards(sql, values);
                default -> throw new IllegalStateException("unknown request: " + request.getFirst());
            }
            return answer;
        } catch (IllegalStateException e) {
            return List.of("error", sql + " " + Arrays.toString(values) + ": " + e.getMessage());
        }
    }

    private static List<String> read(DataInputStream in) throws IOException {
        int count = in.readInt();
        List<String> texts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            texts.add(new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8));
        }
        return texts;
    }

    private static void write(DataOutputStream out, List<String> texts) throws IOException {
        out.writeInt(texts.size());
        for (String text : texts) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            out.writeInt(bytes.length);
            out.write(bytes);
        }
        out.flush();
    }

    /** Returns the settings of a server without peers and without a spool. */
    private static Map<String, String> settings(TestDatabase database, String shards) {
        Map<String, String> settings = new HashMap<>(
                Map.of("HOST", "127.0.0.1", "PORT", "0", "NUM_WORKERS", "1", "SHUTDOWN_GRACE_MS", "1000",
                        "SPOOL_ENABLED", "false", "QUEEN_SYNC_ENABLED", "false", "QUEEN_SHARDS", shards));
        settings.putAll(Map.of("PG_HOST", database.host(), "PG_PORT", Integer.toString(database.port()), "PG_DB",
                database.name(), "PG_USER", database.user(), "PG_PASSWORD", database.password()));
        return settings;
    }
}
