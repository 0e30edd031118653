package io.queenmq.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.queenmq.schema.Schema;
import io.queenmq.server.Server;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.testkit.PatientSettings;
import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestPostgres;
import io.queenmq.testkit.TestShards;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A server for one test class, and commands in this process that use it. */
final class CliServer implements BeforeAllCallback, AfterAllCallback {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final AtomicInteger QUEUES = new AtomicInteger();

    private final Map<String, String> settings;
    private TestDatabase database;
    private Server server;

    CliServer() {
        this(Map.of());
    }

    /** @param settings environment variables beyond those that name the database */
    CliServer(Map<String, String> settings) {
        this.settings = settings;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        int shards = TestShards.count(settings);
        database = TestPostgres.shared().cloneOf("cli-" + shards,
                connection -> Schema.install(connection, OptionalInt.of(shards)));
        Map<String, String> variables = new HashMap<>(PatientSettings.ALL);
        variables.putAll(settings);
        variables.putAll(Map.of("PORT", "0", "HOST", "127.0.0.1", "NUM_WORKERS", "2", "PG_HOST", database.host(),
                "PG_PORT", Integer.toString(database.port()), "PG_DB", database.name(), "PG_USER", database.user(),
                "PG_PASSWORD", database.password()));
        server = Server.start(ConfigReader.read(variables));
    }

    @Override
    public void afterAll(ExtensionContext context) {
        server.close();
        database.close();
    }

    TestDatabase database() {
        return database;
    }

    /** Sends a request that no command sends. */
    JsonNode post(String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url() + path))
                .POST(HttpRequest.BodyPublishers.ofString(body)).build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return JSON.readTree(client.send(request, HttpResponse.BodyHandlers.ofString()).body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    String url() {
        return server.url();
    }

    /** Returns a unique queue name. */
    static String newQueue() {
        return "queue-" + QUEUES.incrementAndGet();
    }

    /** The output and the exit code of a command. */
    record Ran(int code, String out, String err) {
        JsonNode json() {
            try {
                return JSON.readTree(out);
            } catch (JsonProcessingException e) {
                throw new AssertionError(out, e);
            }
        }

        List<String> lines() {
            return out.lines().toList();
        }

        Ran ok() {
            Assertions.assertThat(code).as(err).isZero();
            return this;
        }
    }

    /** Runs a command without a terminal. */
    Ran run(String... args) {
        return run(InputStream.nullInputStream(), false, args);
    }

    Ran runWithInput(String input, String... args) {
        return run(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), false, args);
    }

    /** Runs a command in a terminal with this input. */
    Ran runInTerminal(String typed, String... args) {
        return run(new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)), true, args);
    }

    /** Runs a command with piped input, and with a terminal for its error output. */
    Ran runWatched(String input, String... args) {
        return run(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), false, true, environment(), args);
    }

    /** Starts a command without a terminal. Its error output can be read while it runs. */
    Running start(String... args) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Map<String, String> environment = environment();
        return new Running(err, CompletableFuture
                .supplyAsync(() -> run(InputStream.nullInputStream(), false, false, environment, err, args)));
    }

    /** A running command. */
    record Running(ByteArrayOutputStream error, CompletableFuture<Ran> end) {
        String err() {
            return error.toString(StandardCharsets.UTF_8);
        }
    }

    private Ran run(InputStream in, boolean isTerminal, String... args) {
        return run(in, isTerminal, environment(), args);
    }

    private Map<String, String> environment() {
        return Map.of("QUEEN_URL", url(), "XDG_CONFIG_HOME", "target/no-config");
    }

    static Ran run(InputStream in, boolean isTerminal, Map<String, String> environment, String... args) {
        return run(in, isTerminal, isTerminal, environment, args);
    }

    private static Ran run(InputStream in, boolean isTerminal, boolean isWatched, Map<String, String> environment,
            String... args) {
        return run(in, isTerminal, isWatched, environment, new ByteArrayOutputStream(), args);
    }

    private static Ran run(InputStream in, boolean isTerminal, boolean isWatched, Map<String, String> environment,
            ByteArrayOutputStream err, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int code = Main.run(new Shell(in, new PrintStream(out, false, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8), isTerminal, isWatched, environment), args);
        return new Ran(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
