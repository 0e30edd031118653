package io.queenmq.spring.boot4;

import io.queenmq.spring.QueenHealth;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** How Queen is, in the words of Spring Boot 4. Only used where its health is on the class path. */
final class QueenHealthIndicator extends AbstractHealthIndicator {
    private final QueenHealth queen;

    QueenHealthIndicator(QueenHealth queen) {
        super("Queen cannot be asked how it is");
        this.queen = queen;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        QueenHealth.State state = queen.look();
        (state.isUp() ? builder.up() : builder.down()).withDetails(state.details());
    }
}
