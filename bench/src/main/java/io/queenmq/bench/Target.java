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

/** The server under load, and what of it and its PostgreSQL can be seen from here. */
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
            long serverPid,
            long postmasterPid, Optional<Database> database, String disk) {
        this.address = address;
        this.consumerAddress = consumerAddress;
        this.own = own;
        this.serverPid = serverPid;
        this.postmasterPid = postmasterPid;
        this.database = database;
        this.disk = disk;
    }

    /** A server of our own, which ends when this is closed. */
    static Target start(Path parent) {
        OwnServer own = OwnServer.start(parent);
        RunningPostgres postgres = RunningPostgres.find(own.postgresHome()).orElseThrow(() -> {
            own.close();
            return new BrokenOff("the PostgreSQL of the server cannot be found in " + own.postgresHome());
        });
        InetSocketAddress address = new InetSocketAddress("127.0.0.1", own.port());
        return new Target(address, address, own, own.pid(), postgres.pid(), connect(postgres),
                diskOf(own.postgresHome()));
    }

    /**
     * A server that runs already.
     *
     * @param consumerUrl where waiting consumers pop, if not there; null otherwise
     * @param environment its PG_HOST, PG_PORT and so on say where the server's database is, if the server has not its own
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
                        postgres.map(RunningPostgres::pid).orElse(UNKNOWN),
                        postgres.flatMap(Target::connect), diskOf(home.get()));
            }
            return besideNamedDatabase(address, consumerAddress, serverPid, environment);
        } catch (UnknownHostException e) {
            throw new BrokenOff("there is no host named " + e.getMessage(), e);
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
            long serverPid, Map<String, String> environment)
            throws UnknownHostException {
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

    /** All processes of a PostgreSQL work in its data directory, and the embedded one is a child of its server. */
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

    /** Where waiting consumers pop. */
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

    /** Whether the user has had enough. */
    boolean isEnding() {
        return own != null && own.isEnding();
    }

    /** The kind of file system under PostgreSQL; empty when it cannot be known. */
    String disk() {
        return disk;
    }

    /** Empty when it cannot be known. */
    String postgresVersion() {
        return database.map(Database::version).orElse("");
    }

    Usage usage() {
        return new Usage(serverPid == UNKNOWN ? Double.NaN : ProcessCpu.of(serverPid),
                postmasterPid == UNKNOWN ? Double.NaN : ProcessCpu.withChildren(postmasterPid),
                ProcessCpu.of(ProcessHandle.current().pid()), database.map(Database::commits).orElse(Double.NaN));
    }

    /** Only our own database is ours to tidy up. */
    void tidy() {
        if (isOwn()) {
            database.ifPresent(Database::tidy);
        }
    }

    /** What the server said last, if it is our own. */
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
