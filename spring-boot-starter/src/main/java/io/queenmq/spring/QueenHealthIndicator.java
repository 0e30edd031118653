package io.queenmq.spring;

import io.queenmq.client.Queen;
import io.queenmq.client.error.QueenException;
import java.util.Set;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Up while a server can work and refuses none of the listeners. Only used where Spring's health is on the class path. */
final class QueenHealthIndicator extends AbstractHealthIndicator {
    private final Queen queen;
    private final QueenListeners listeners;

    QueenHealthIndicator(Queen queen, QueenListeners listeners) {
        super("Queen cannot be asked how it is");
        this.queen = queen;
        this.listeners = listeners;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        try {
            io.queenmq.client.operator.Health server = queen.operator().health();
            Set<String> failed = listeners.failed();
            builder.withDetail("version", server.version()).withDetail("database", server.database());
            if (!failed.isEmpty()) {
                builder.withDetail("stoppedListeners", failed);
            }
            if (server.isHealthy() && failed.isEmpty()) {
                builder.up();
            } else {
                builder.down();
            }
        } catch (QueenException e) {
            // What an outage looks like is no surprise that needs a stack trace in the log at each look.
            builder.down().withDetail("error", String.valueOf(e.getMessage()));
        }
    }
}
