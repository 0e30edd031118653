package io.queenmq.engine.numbers;

import io.queenmq.engine.time.Clock;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Identifies this server among the servers of a database.
 *
 * @param id unique for each start
 * @param port the configured port; 0 if it listens on any free port
 * @param workerId the name for operators; constant across restarts, unless it listens on any port
 * @param startedNs the time of its start, by the clock of the server
 */
public record ServerIdentity(UUID id, String hostname, int port, String workerId, long pid, String version,
        long startedNs) {

    /** @param workerId the configured name; null if there is none */
    public static ServerIdentity of(String hostname, int port, @Nullable String workerId, String version, Clock clock) {
        UUID id = UUID.randomUUID();
        String name = workerId != null
                ? workerId
                : "worker-" + (port == 0 ? id.toString().substring(0, 8) : Integer.toString(port));
        return new ServerIdentity(id, hostname, port, name, ProcessHandle.current().pid(), version, clock.nowNs());
    }

    /** Returns the name by which servers refer to each other. */
    public String name() {
        return hostname + ":" + workerId;
    }
}
