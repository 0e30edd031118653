package io.queenmq.bench;

import io.queenmq.embedded.RunningPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The server under load, with the processes of it and its PostgreSQL if they are on this machine. */
final class Target implements AutoCloseable {
    private static final long UNKNOWN = -1;
    private static final String POSTGRES = "postgres";
    private static final String JAVA = "java";

    private final InetSocketAddress address;
    private final InetSocketAddress consumerAddress;
    private final @Nullable OwnServer own;
    private final long serverPid;
    private final long postmasterPid;
    private final Optional<Database> database;
    private final String disk;

    private Target(InetSocketAddress address, InetSocketAddress consumerAddress, @Nullable OwnServer own,
            long serverPid, long postmasterPid, Optional<Database> database, String disk) {
        this.address = address;
        this.consumerAddress = consumerAddress;
        this.own = own;
        this.serverPid = serverPid;
        this.postmasterPid = postmasterPid;
        this.database = database;
        this.disk = disk;
    }

    /** Starts a server, which ends when the target is closed. */
    static Target start(Path parent) {
        OwnServer own = OwnServer.start(parent);
        RunningPostgres postgres = RunningPostgres.find(own.postgresHome()).orElseThrow(() -> {
            own.close();
            return new BenchAbortedException("the PostgreSQL of the server cannot be found in " + own.postgresHome());
        });
        InetSocketAddress address = new InetSocketAddress("127.0.0.1", own.port());
        return new Target(address, address, own, own.pid(), postgres.pid(), connect(postgres),
                diskOf(own.postgresHome()));
    }

    /**
     * Returns a running server.
     *
     * @param consumerUrl server of waiting consumers; null for the same server
     * @param environment PG_HOST, PG_PORT and so on of the server's database, unless the server has an embedded one
     */
    static Target running(URI url, @Nullable URI consumerUrl, Map<String, String> environment) {
        try {
            InetSocketAddress address = addressOf(url);
            InetSocketAddress consumerAddress = consumerUrl == null ? address : addressOf(consumerUrl);
            long serverPid = Listeners.find(address.getAddress(), address.getPort(), JAVA).orElse(UNKNOWN);
            Optional<Path> home = embeddedHome(serverPid);
            if (home.isPresent()) {
                Optional<RunningPostgres> postgres = home.flatMap(RunningPostgres::find);
                return new Target(address, consumerAddress, null, serverPid,
                        postgres.map(RunningPostgres::pid).orElse(UNKNOWN), postgres.flatMap(Target::connect),
                        diskOf(home.get()));
            }
            return besideNamedDatabase(address, consumerAddress, serverPid, environment);
        } catch (UnknownHostException e) {
            throw new BenchAbortedException("unknown host " + e.getMessage(), e);
        }
    }

    private static InetSocketAddress addressOf(URI url) throws UnknownHostException {
        try {
            return new InetSocketAddress(InetAddress.getByName(url.getHost()), url.getPort());
        } catch (UnknownHostException _) {
            throw new UnknownHostException(url.getHost());
        }
    }

    private static Target besideNamedDatabase(InetSocketAddress address, InetSocketAddress consumerAddress,
            long serverPid, Map<String, String> environment) throws UnknownHostException {
        String host = environment.getOrDefault("PG_HOST", "");
        if (host.isEmpty()) {
            return new Target(address, consumerAddress, null, serverPid, UNKNOWN, Optional.empty(), "");
        }
        int port = portOf(environment.getOrDefault("PG_PORT", "5432"));
        long postmasterPid = Listeners.find(InetAddress.getByName(host), port, POSTGRES).orElse(UNKNOWN);
        Optional<Database> database = Database.connect(host, port, environment.getOrDefault("PG_DB", "postgres"),
                environment.getOrDefault("PG_USER", "postgres"), environment.getOrDefault("PG_PASSWORD", "postgres"));
        return new Target(address, consumerAddress, null, serverPid, postmasterPid, database, "");
    }

    private static int portOf(String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException _) {
            throw new BadArguments("PG_PORT must be a number, not \"" + value + "\"");
        }
    }

    /** Finds the home by the working directory of PostgreSQL, which is a child process of its server if embedded. */
    private static Optional<Path> embeddedHome(long serverPid) {
        return ProcessHandle.of(serverPid).stream().flatMap(ProcessHandle::children).map(ProcessHandle::pid)
                .filter(pid -> Listeners.programOf(pid).equals(POSTGRES)).findFirst().flatMap(pid -> {
                    try {
                        return Optional.ofNullable(Path.of("/proc", pid.toString(), "cwd").toRealPath().getParent());
                    } catch (IOException _) {
                        return Optional.empty();
                    }
                });
    }

    private static Optional<Database> connect(RunningPostgres postgres) {
        return Database.connect(postgres.host(), postgres.port(), postgres.database(), postgres.user(),
                postgres.password());
    }

    private static String diskOf(Path folder) {
        try {
            return Files.getFileStore(folder).type();
        } catch (IOException _) {
            return "";
        }
    }

    InetSocketAddress address() {
        return address;
    }

    /** Returns the address for waiting consumers. */
    InetSocketAddress consumerAddress() {
        return consumerAddress;
    }

    String host() {
        return address.getHostString() + ":" + address.getPort();
    }

    String url() {
        return "http://" + host();
    }

    boolean isOwn() {
        return own != null;
    }

    /** Returns true if this process is ending. */
    boolean isEnding() {
        return own != null && own.isEnding();
    }

    /** Returns the type of the file system of PostgreSQL, or an empty text if unknown. */
    String disk() {
        return disk;
    }

    /** Returns an empty text if unknown. */
    String postgresVersion() {
        return database.map(Database::version).orElse("");
    }

    Usage usage() {
        return new Usage(serverPid == UNKNOWN ? Double.NaN : ProcessCpu.of(serverPid),
                postmasterPid == UNKNOWN ? Double.NaN : ProcessCpu.withChildren(postmasterPid),
                ProcessCpu.of(ProcessHandle.current().pid()), database.map(Database::commits).orElse(Double.NaN));
    }

    /** Cleans up the database, only if this process has started the server. */
    void cleanUp() {
        if (isOwn()) {
            database.ifPresent(Database::tidy);
        }
    }

    /** Returns the last output of the server if this process has started it. */
    String serverOutput() {
        return own == null ? "" : own.output();
    }

    @Override
    public void close() {
        database.ifPresent(Database::close);
        if (own != null) {
            own.close();
        }
    }
}
