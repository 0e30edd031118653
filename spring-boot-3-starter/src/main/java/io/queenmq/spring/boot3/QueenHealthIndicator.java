package io.queenmq.spring.boot3;

import io.queenmq.spring.QueenHealth;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;

/** The health indicator of Queen for Spring Boot 3. Used only if its health is on the class path. */
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
