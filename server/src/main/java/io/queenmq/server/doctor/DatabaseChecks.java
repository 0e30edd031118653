package io.queenmq.server.doctor;

import io.queenmq.engine.time.Clock;
import io.queenmq.server.config.DatabaseConfig;
import io.queenmq.server.config.ServerConfig;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The checks of PostgreSQL: version, settings, connections, privileges, clock, standby and encryption. */
final class DatabaseChecks {
    private static final int VERSION_MIN = 15;
    /** The connections of a server with one shard. */
    private static final int CONNECTIONS = 22;
    private static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(2);
    private static final Pattern LOCAL = Pattern.compile("localhost|127\\..*|::1|/.*");

    private final ServerConfig config;
    private final Connection connection;
    private final List<Finding> findings = new ArrayList<>();

    DatabaseChecks(ServerConfig config, Connection connection) {
        this.config = config;
        this.connection = connection;
    }

    List<Finding> run() throws SQLException {
        version();
        settings();
        connections();
        privileges();
        clock();
        standby();
        encryption();
        network();
        return findings;
    }

    private void version() throws SQLException {
        int major = number("select current_setting('server_version_num')::int / 10000");
        String version = text("select current_setting('server_version')");
        findings.add(major >= VERSION_MIN
                ? Finding.ok("PostgreSQL", config.storage().database() + ", version " + version)
                : Finding.problem("PostgreSQL", "the version is " + version,
                        "upgrade PostgreSQL to version " + VERSION_MIN + " or later"));
        if ("t".equals(text("select pg_is_in_recovery()::text").substring(0, 1))) {
            findings.add(
                    Finding.problem("primary", config.storage().database() + " is a standby and cannot store messages",
                            "set PG_HOST to the primary, or promote the standby"));
        }
    }

    private void settings() throws SQLException {
        List<String> unsafe = new ArrayList<>();
        for (String name : List.of("fsync", "full_page_writes", "autovacuum", "track_counts")) {
            if (!text("select current_setting('" + name + "')").equals("on")) {
                unsafe.add(name);
            }
        }
        findings.add(unsafe.isEmpty()
                ? Finding.ok("settings of PostgreSQL", "fsync, full_page_writes, autovacuum and track_counts are on")
                : Finding.warning("settings of PostgreSQL", String.join(", ", unsafe) + " off",
                        "set them to on: without fsync and full_page_writes a crash loses messages, without autovacuum and "
                                + "track_counts tables grow"));
    }

    private void connections() throws SQLException {
        int allowed = number("""
                select least(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
                             nullif(r.rolconnlimit, -1), nullif(d.datconnlimit, -1))
                from pg_roles r cross join pg_database d
                where r.rolname = current_user and d.datname = current_database()""");
        int used = number("select count(*)::int from pg_stat_activity where backend_type = 'client backend'");
        String detail = allowed + " connections are allowed, " + used + " are in use, a server needs " + CONNECTIONS;
        findings.add(allowed - used >= CONNECTIONS
                ? Finding.ok("connections", detail)
                : Finding.warning("connections", detail,
                        "raise max_connections, or the connection limit of the user or the database"));
    }

    private void privileges() throws SQLException {
        String user = text("select current_user");
        boolean isInstalled = isTrue("select to_regnamespace('queen') is not null");
        boolean isOwner = isInstalled
                && isTrue("select pg_has_role(n.nspowner, 'usage') from pg_namespace n where n.nspname = 'queen'");
        boolean canCreate = isTrue("select has_database_privilege(current_database(), 'create')");
        if (isInstalled && !isOwner) {
            findings.add(Finding.problem("privileges", user + " does not own the schema queen",
                    "connect as the role that installed Queen, or make " + user + " a member of it"));
        } else if (!isInstalled && !canCreate) {
            findings.add(Finding.problem("privileges", user + " cannot create schemas, and Queen is not installed",
                    "run: grant create on database " + config.storage().database().database() + " to " + user));
        } else if (!canCreate) {
            findings.add(Finding.warning("privileges", user + " owns the schemas, but cannot create any",
                    "before an upgrade, run: grant create on database " + config.storage().database().database()
                            + " to " + user));
        } else {
            findings.add(Finding.ok("privileges",
                    user + (isInstalled ? " owns the schemas of Queen" : " can install Queen")));
        }
    }

    private void clock() throws SQLException {
        Instant before = Instant.ofEpochMilli(Clock.SYSTEM.epochMs());
        Instant there = Instant.ofEpochMilli(
                Long.parseLong(text("select (extract(epoch from clock_timestamp()) * 1000)::bigint::text")));
        Instant after = Instant.ofEpochMilli(Clock.SYSTEM.epochMs());
        Duration difference = there.isBefore(before)
                ? Duration.between(there, before)
                : there.isAfter(after) ? Duration.between(after, there) : Duration.ZERO;
        findings.add(difference.compareTo(CLOCK_DIFFERENCE) < 0
                ? Finding.ok("clock", "differs from that of PostgreSQL by " + difference.toMillis() + " ms")
                : Finding.warning("clock", "differs from that of PostgreSQL by " + difference.toMillis() + " ms",
                        "synchronize the clocks of both machines, for example with chrony"));
    }

    private void standby() throws SQLException {
        String names = text("select current_setting('synchronous_standby_names')");
        if (names.isEmpty()) {
            findings.add(Finding.ok("standby", "commits wait for no standby"));
            return;
        }
        int standbys = number("select count(*)::int from pg_stat_replication where sync_state in ('sync', 'quorum')");
        findings.add(standbys > 0
                ? Finding.ok("standby", "synchronous standbys are connected: " + standbys)
                : Finding.problem("standby", "commits wait for " + names + ", and no synchronous standby is visible",
                        "start the standby, or change synchronous_standby_names; without the role pg_monitor, standbys are not visible"));
    }

    private void encryption() throws SQLException {
        boolean hasKey = config.access().encryption().key() != null;
        int queues = isTrue("select to_regclass('queen.queue') is not null and coalesce(has_table_privilege("
                + "to_regclass('queen.queue')::oid, 'select'), false)")
                        ? number("select count(*)::int from queen.queue where encryption_enabled")
                        : 0;
        findings.add(queues == 0 || hasKey
                ? Finding.ok("encryption", hasKey ? "this server has a key" : "no queue is encrypted")
                : Finding.problem("encryption", queues + " queues are encrypted, and this server has no key",
                        "set QUEEN_ENCRYPTION_KEY to the key of the other servers"));
    }

    private void network() {
        DatabaseConfig database = config.storage().database();
        String host = String.valueOf(database.host());
        boolean isLocal = LOCAL.matcher(host).matches();
        findings.add(isLocal || database.tls().isVerified()
                ? Finding.ok("TLS to PostgreSQL",
                        isLocal ? "not needed on this machine" : "the certificate is verified")
                : Finding.warning("TLS to PostgreSQL",
                        "the connection to " + host + " is not protected against other servers",
                        "set PG_SSLMODE=verify-full, and PG_SSLROOTCERT if the authority is your own"));
    }

    private int number(String sql) throws SQLException {
        return Integer.parseInt(text(sql));
    }

    private boolean isTrue(String sql) throws SQLException {
        return text(sql).startsWith("t");
    }

    private String text(String sql) throws SQLException {
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() && rows.getString(1) != null ? rows.getString(1) : "";
        }
    }
}
