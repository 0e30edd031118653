package io.queenmq.server.postgres;

import io.queenmq.engine.time.Clock;
import io.queenmq.schema.Schema;
import io.queenmq.schema.SchemaException;
import io.queenmq.server.config.DatabaseConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs the routines of this release again when calls report that they are missing. Another release or an operator may have
 * dropped them. At most one attempt runs at a time, on a thread of its own. Safe from any thread.
 */
public final class RoutineRepair {
    private static final Logger log = LoggerFactory.getLogger(RoutineRepair.class);
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final DataSource sessions;
    private boolean isUnderWay;
    private boolean wasTried;
    private long triedNs;
    private @Nullable String failure;

    public RoutineRepair(DatabaseConfig database) {
        this.sessions = JdbcSessions.of(database);
    }

    /**
     * Starts an attempt unless one is running or ended less than five seconds ago.
     *
     * @param cause the error text of PostgreSQL
     * @return the state of the database, for operators
     */
    public synchronized String request(String cause) {
        if (!isUnderWay && (!wasTried || Clock.SYSTEM.nowNs() - triedNs >= PAUSE.toNanos())) {
            isUnderWay = true;
            Thread.ofVirtual().name("queen-routines").start(this::repair);
        }
        return "routines or tables of this release are missing from the database (" + cause + "); "
                + (failure == null ? "this server installs its routines again" : failure);
    }

    private void repair() {
        @Nullable
        String outcome = null;
        try (Connection connection = sessions.getConnection()) {
            if (!Schema.restoreRoutines(connection)) {
                outcome = "the routines are complete, so a table or another object that they use was dropped or changed:"
                        + " restore it, or restart this server if another release was installed";
            }
        } catch (SQLException | SchemaException e) {
            outcome = "this server cannot install its routines again: " + e.getMessage();
        }
        if (outcome != null) {
            log.error("routines or tables of this release are missing: {}", outcome);
        }
        ended(outcome);
    }

    private synchronized void ended(@Nullable String outcome) {
        failure = outcome;
        isUnderWay = false;
        wasTried = true;
        triedNs = Clock.SYSTEM.nowNs();
    }
}
