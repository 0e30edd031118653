package io.queenmq.spring;

import io.queenmq.client.Queen;
import io.queenmq.client.error.QueenException;
import io.queenmq.client.operator.Health;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * How Queen is, for the health of the application: up while a server can work and refuses none of the listeners. The starters
 * tell it in the words of their Spring Boot.
 */
public final class QueenHealth {
    private final Queen queen;
    private final QueenListeners listeners;

    QueenHealth(Queen queen, QueenListeners listeners) {
        this.queen = queen;
        this.listeners = listeners;
    }

    /** Asks a server. */
    public State look() {
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
            // What an outage looks like is no surprise that needs a stack trace in the log at each look.
            details.put("error", String.valueOf(e.getMessage()));
            return new State(false, details);
        }
    }

    /** What was found. */
    public record State(boolean isUp, Map<String, Object> details) {
        public State {
            details = Map.copyOf(details);
        }
    }
}
