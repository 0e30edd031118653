package io.queenmq.verify.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
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

    private final List<Release> releases = new ArrayList<>();
    private final Preparation preparation;

    private Cluster(Path home, Preparation preparation) {
        this.home = home;
        this.preparation = preparation;
        this.database = new Database(home.resolve("postgres"));
        // Otherwise the servers would outlive an interrupted command.
        Runtime.getRuntime().addShutdownHook(new Thread(this::kill, "verify-shutdown"));
    }

    /** Prepares the directory of a run for its faults. */
    public interface Preparation {
        /** Returns settings of a server that faults need. */
        Map<String, String> prepare(Path home, int server);

        /** Reverts all preparations, after the servers have ended. */
        void cleanUp(Path home);
    }

    /**
     * Starts PostgreSQL and servers, and returns when they accept requests.
     *
     * @param home an empty directory on the disk to be tested
     * @param program the command that starts a server
     * @param logs the directory for the output of the servers
     * @param releases jar files of other builds; empty to derive two from this build
     */
    public static Cluster start(Path home, List<String> program, int servers, int shards, Path logs,
            List<Path> releases, Preparation preparation) {
        // PostgreSQL does not run as root, and another user must be able to reach its data.
        home.toFile().setExecutable(true, false);
        Cluster cluster = new Cluster(home, preparation);
        releases.forEach(each -> cluster.releases.add(new Release(each.toAbsolutePath().toString())));
        try {
            for (int i = 1; i <= servers; i++) {
                Map<String, String> settings = new HashMap<>(cluster.database.settings());
                settings.putAll(Map.of("HOST", "127.0.0.1", "PORT", "0", "QUEEN_SHARDS", Integer.toString(shards),
                        "QUEEN_DATA", home.resolve("server-" + i).toString(), "DB_UNAVAILABLE_AFTER_MS", "2000",
                        "WORKER_ID", "verify-" + i, "QUEEN_SYNC_PORT", "0", "LOG_LEVEL", "info"));
                settings.putAll(preparation.prepare(home, i));
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

    /** Returns other builds of the server, at least two. */
    public List<Release> otherReleases() {
        for (int i = releases.size(); i < 2; i++) {
            releases.add(Release.derived(home, "release-" + i));
        }
        return releases;
    }

    /** Returns the ports on which servers receive hints of their peers. */
    public List<Integer> peerPorts() throws SQLException {
        return database.select("select distinct substring(ip from '[0-9]+$') from queen.cluster_member").stream()
                .map(Integer::valueOf).toList();
    }

    /** Returns the addresses for clients. */
    public List<URI> urls() {
        return servers.stream().map(ServerProcess::url).toList();
    }

    public Path home() {
        return home;
    }

    private void kill() {
        servers.forEach(ServerProcess::killAtOnce);
        database.killStandby();
        if (Files.exists(home)) {
            preparation.cleanUp(home);
        }
    }

    @Override
    public void close() {
        servers.forEach(ServerProcess::close);
        database.close();
        preparation.cleanUp(home);
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
