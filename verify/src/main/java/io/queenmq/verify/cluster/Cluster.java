package io.queenmq.verify.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The servers of a run on one PostgreSQL, with their data in one directory that is deleted at the end. */
public final class Cluster implements AutoCloseable {
    private static final String MAIN = "io.queenmq.server.Main";

    private final Path home;
    private final Database database;
    private final List<ServerProcess> servers = new ArrayList<>();

    private Cluster(Path home) {
        this.home = home;
        this.database = new Database(home.resolve("postgres"));
    }

    /**
     * Starts PostgreSQL and servers, and returns when they accept requests.
     *
     * @param home an empty directory on the disk to be tested
     * @param program the command that starts a server
     * @param logs the directory for the output of the servers
     */
    public static Cluster start(Path home, List<String> program, int servers, int shards, Path logs) {
        // PostgreSQL does not run as root, and another user must be able to reach its data.
        home.toFile().setExecutable(true, false);
        Cluster cluster = new Cluster(home);
        try {
            for (int i = 1; i <= servers; i++) {
                Map<String, String> settings = new HashMap<>(cluster.database.settings());
                settings.putAll(Map.of("HOST", "127.0.0.1", "PORT", "0", "QUEEN_SHARDS", Integer.toString(shards),
                        "QUEEN_DATA", home.resolve("server-" + i).toString(), "DB_UNAVAILABLE_AFTER_MS", "2000",
                        "WORKER_ID", "verify-" + i, "QUEEN_SYNC_PORT", "0", "LOG_LEVEL", "info"));
                cluster.servers.add(new ServerProcess(Integer.toString(i), program, settings,
                        logs.resolve("server-" + i + ".log")));
            }
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** Returns the command that starts a server from the jar files of this process. */
    public static List<String> ownProgram() {
        List<String> command = new ArrayList<>();
        command.add(java());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(each -> !each.startsWith("-agentlib") && !each.startsWith("-javaagent")).toList());
        command.addAll(List.of("-Xmx320m", "-cp", System.getProperty("java.class.path"), MAIN, "serve"));
        return command;
    }

    /** Returns the path of the java program of this process. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    public Database database() {
        return database;
    }

    public List<ServerProcess> servers() {
        return servers;
    }

    /** Returns the addresses for clients. */
    public List<URI> urls() {
        return servers.stream().map(ServerProcess::url).toList();
    }

    public Path home() {
        return home;
    }

    @Override
    public void close() {
        servers.forEach(ServerProcess::close);
        database.close();
        delete(home);
    }

    private static void delete(Path folder) {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + folder, e);
        }
    }
}
