package io.queenmq.verify.cluster;

import io.queenmq.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The PostgreSQL of a run. The servers reach its primary through a proxy; faults connect to it directly. */
public final class Database implements AutoCloseable {
    static final int CONNECTIONS_MAX = 120;

    private static final Duration ACCEPTS_WITHIN = Duration.ofSeconds(30);

    private final Path home;
    private final EmbeddedPostgres postgres;
    private final TcpProxy proxy;
    private int standbys;
    /** The standby that was promoted last; null while the first primary works. */
    private volatile @Nullable Standby promoted;

    Database(Path home) {
        this.home = home;
        postgres = EmbeddedPostgres.start(home, Map.of("max_connections", Integer.toString(CONNECTIONS_MAX),
                "shared_buffers", "128MB", "wal_keep_size", "512MB"));
        proxy = new TcpProxy(new InetSocketAddress(postgres.host(), postgres.port()));
    }

    /** Returns the proxy between the servers and PostgreSQL. */
    public TcpProxy proxy() {
        return proxy;
    }

    /** Returns the process id of the postmaster. */
    public long pid() {
        Standby now = promoted;
        return now == null ? postgres.pid() : now.pid();
    }

    /** Starts PostgreSQL again after its end. */
    public void restart() {
        Standby now = promoted;
        if (now == null) {
            postgres.restart();
        } else {
            now.restart();
        }
    }

    private int port() {
        Standby now = promoted;
        return now == null ? postgres.port() : now.port();
    }

    /** Starts PostgreSQL again if it has ended. */
    public void restartIfEnded() {
        if (ProcessHandle.of(pid()).filter(ProcessHandle::isAlive).isEmpty()) {
            restart();
        }
    }

    /** Waits until PostgreSQL accepts connections. If it does not, because one of its processes hangs, it is started again. */
    public void revive() throws InterruptedException {
        restartIfEnded();
        pids().forEach(pid -> Signals.send(pid, "CONT"));
        long untilNs = System.nanoTime() + ACCEPTS_WITHIN.toNanos();
        while (!accepts(port())) {
            if (System.nanoTime() > untilNs) {
                pids().reversed().forEach(pid -> Signals.send(pid, "KILL"));
                restart();
                return;
            }
            Thread.sleep(200);
        }
    }

    /** Returns the process ids of PostgreSQL, the postmaster first. */
    public List<Long> pids() {
        List<Long> all = new ArrayList<>();
        all.add(pid());
        ProcessHandle.of(pid()).ifPresent(each -> each.children().map(ProcessHandle::pid).forEach(all::add));
        return all;
    }

    Path data() {
        Standby now = promoted;
        return now == null ? home.resolve("pgdata") : now.data();
    }

    /** Copies the primary to a new standby, and returns when the standby receives its changes. */
    public Standby createStandby() throws SQLException, InterruptedException {
        return Standby.create(this, home, data(), home.resolve("standby-" + ++standbys));
    }

    /** Writes a base backup and returns its directory. */
    public Path backUp() throws SQLException, InterruptedException {
        Path backup = home.resolve("backup-" + ++standbys);
        Standby.copy(this, data(), backup);
        return backup;
    }

    /** Kills PostgreSQL and starts the backup instead. */
    public void restore(Path backup) throws InterruptedException {
        Signals.send(pid(), "KILL");
        failOverTo(Standby.start(this, home, backup, Map.of()));
    }

    /**
     * Ends PostgreSQL and starts it again with another time of day.
     *
     * @param seconds the difference to the true time
     */
    public void restartWithClock(long seconds) throws InterruptedException {
        Path data = data();
        Standby now = promoted;
        if (now == null) {
            postgres.close();
        } else {
            now.stop();
        }
        failOverTo(Standby.start(this, home, data, seconds == 0 ? Map.of() : FakeClock.environment(seconds)));
    }

    /** Puts PgBouncer between the proxy and PostgreSQL until it is closed. */
    public PgBouncer startPgBouncer() throws IOException, InterruptedException {
        PgBouncer bouncer = PgBouncer.start(this, home);
        proxy.setTarget(new InetSocketAddress("127.0.0.1", bouncer.port()));
        proxy.closeConnections();
        return bouncer;
    }

    /** Connects the servers to PostgreSQL without a program in between. */
    public void connectDirectly() {
        proxy.setTarget(new InetSocketAddress("127.0.0.1", port()));
        proxy.closeConnections();
    }

    boolean accepts(int port) {
        try (Connection connection = connect(port)) {
            return connection.isValid(2);
        } catch (SQLException _) {
            return false;
        }
    }

    /** Makes a promoted standby the primary. The servers reach it when they connect again. */
    public void failOverTo(Standby standby) {
        promoted = standby;
        proxy.setTarget(new InetSocketAddress("127.0.0.1", standby.port()));
        proxy.closeConnections();
    }

    /** Returns the settings with which a server connects through the proxy. */
    Map<String, String> settings() {
        return Map.of("PG_HOST", "127.0.0.1", "PG_PORT", Integer.toString(proxy.port()), "PG_DB", postgres.database(),
                "PG_USER", postgres.user(), "PG_PASSWORD", postgres.password());
    }

    /** Returns how a standby connects to the primary. */
    String replicationSettings() {
        return "host=127.0.0.1 port=" + port() + " user=" + postgres.user() + " password=" + postgres.password();
    }

    /** Opens a connection to the primary that does not use the proxy. */
    public Connection connect() throws SQLException {
        return connect(port());
    }

    Connection connect(int port) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", postgres.user());
        properties.setProperty("password", postgres.password());
        properties.setProperty("ApplicationName", "queen-verify");
        properties.setProperty("loginTimeout", "5");
        properties.setProperty("connectTimeout", "5");
        properties.setProperty("socketTimeout", "60");
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/" + postgres.database(),
                properties);
    }

    /** Returns the first column of a query. */
    public List<String> select(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        }
    }

    /** Executes a statement in a transaction of its own. */
    public void execute(String sql) throws SQLException {
        try (Connection connection = connect(); Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Returns the process ids of the connections of servers. */
    public List<Long> serverBackends() throws SQLException {
        return select("select pid from pg_stat_activity where backend_type = 'client backend'"
                + " and application_name <> 'queen-verify' order by pid").stream().map(Long::valueOf).toList();
    }

    /** Kills a promoted standby. The first primary ends with this process by itself. */
    void killStandby() {
        Standby now = promoted;
        if (now != null) {
            Signals.send(now.pid(), "KILL");
        }
    }

    @Override
    public void close() {
        Signals.send(pid(), "CONT");
        proxy.close();
        Standby now = promoted;
        if (now != null) {
            now.close();
        }
        postgres.close();
    }
}
