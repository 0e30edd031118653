package io.queenmq.spring;

import io.queenmq.client.Queen;
import io.queenmq.client.error.QueenException;
import io.queenmq.client.operator.Health;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The health of Queen: up while a server is healthy and no listener is rejected. The starters provide it as a health
 * indicator of their Spring Boot version.
 */
public final class QueenHealth {
    private final Queen queen;
    private final QueenListeners listeners;

    QueenHealth(Queen queen, QueenListeners listeners) {
        this.queen = queen;
        this.listeners = listeners;
    }

    /** Queries a server. */
    public State check() {
        Map<String, Object> details = new LinkedHashMap<>();
        try {
            Health server = queen.operator().health();
            Set<String> failed = listeners.failed();
            details.put("version", server.version());
            details.put("database", server.database());
            if (!failed.isEmpty()) {
                details.put("stoppedListeners", failed);
            }
            return new State(server.isHealthy() && failed.isEmpty(), details);
        } catch (QueenException e) {
            // An outage is an expected state. Report it without a stack trace.
            details.put("error", String.valueOf(e.getMessage()));
            return new State(false, details);
        }
    }

    /** The result of a check. */
    public record State(boolean isUp, Map<String, Object> details) {
        public State {
            details = Map.copyOf(details);
        }
    }
}
