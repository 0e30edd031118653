package io.queenmq.spring.boot4;

import io.queenmq.spring.QueenHealth;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** The health indicator of Queen for Spring Boot 4. Used only if its health is on the class path. */
final class QueenHealthIndicator extends AbstractHealthIndicator {
    private final QueenHealth queen;

    QueenHealthIndicator(QueenHealth queen) {
        super("health check of Queen failed");
        this.queen = queen;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        QueenHealth.State state = queen.check();
        (state.isUp() ? builder.up() : builder.down()).withDetails(state.details());
    }
}
