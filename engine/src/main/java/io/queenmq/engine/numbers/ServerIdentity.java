package io.queenmq.engine.numbers;

import io.queenmq.engine.time.Clock;
import java.util.UUID;

/**
 * Who this server is among those that share a database.
 *
 * @param id another one at every start
 * @param port the port it was told to listen on; 0 when it was to find one
 * @param workerId what operators call it; the same after a restart, unless it listens on any port
 * @param startedNs when it was started, by the clock of the server
 */
public record ServerIdentity(UUID id, String hostname, int port, String workerId, long pid, String version,
        long startedNs) {

    /** @param workerId null when operators gave it no name */
    public static ServerIdentity of(String hostname, int port, String workerId, String version, Clock clock) {
        UUID id = UUID.randomUUID();
        String name = workerId != null
                ? workerId
                : "worker-" + (port == 0 ? id.toString().substring(0, 8) : Integer.toString(port));
        return new ServerIdentity(id, hostname, port, name, ProcessHandle.current().pid(), version,
                clock.nowNs());
    }

    /** How one server speaks of another. */
    public String name() {
        return hostname + ":" + workerId;
    }
}
