package io.queenmq.server.doctor;

import io.queenmq.server.config.ConfigException;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.server.config.ServerConfig;
import io.queenmq.server.postgres.JdbcSessions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs all checks. Changes nothing, except that a probe file in the directory of the data, or of its parent, is created and deleted. Blocks. */
public final class Doctor {
    private Doctor() {}

    /** @param environment the environment variables with the settings of the server */
    public static List<Finding> examine(Map<String, String> environment) {
        List<Finding> findings = new ArrayList<>();
        ServerConfig config;
        try {
            config = ConfigReader.read(environment);
        } catch (ConfigException e) {
            e.problems().forEach(problem -> findings
                    .add(Finding.problem("settings", problem, "correct the setting; `queen config` shows all values")));
            return findings;
        }
        config.operations().logging().warnings().forEach(warning -> findings
                .add(Finding.warning("settings", warning, "see `queen serve --help`, and correct the setting")));
        if (config.operations().logging().warnings().isEmpty()) {
            findings.add(Finding.ok("settings", "valid"));
        }
        HostChecks host = new HostChecks(config);
        findings.addAll(host.run());
        if (config.storage().isEmbedded()) {
            findings.add(Finding.ok("PostgreSQL", "embedded, in " + config.storage().data().resolve("postgres")));
        } else {
            findings.addAll(ofDatabase(config));
        }
        return findings;
    }

    private static List<Finding> ofDatabase(ServerConfig config) {
        try (Connection connection = JdbcSessions.of(config.storage().database()).getConnection()) {
            return new DatabaseChecks(config, connection).run();
        } catch (SQLException e) {
            return List.of(
                    Finding.problem("PostgreSQL", config.storage().database() + ": " + e.getMessage(), remedyOf(e)));
        }
    }

    private static String remedyOf(SQLException e) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        return switch (state) {
            case "28000", "28P01" -> "correct PG_USER and PG_PASSWORD, or pg_hba.conf";
            case "3D000" -> "create the database, or correct PG_DB";
            case "53300" -> "raise max_connections, or the connection limit of the user or the database";
            default ->
                "start PostgreSQL, and check PG_HOST, PG_PORT, PG_SSLMODE and the network. A server that is started now spools pushes";
        };
    }
}
