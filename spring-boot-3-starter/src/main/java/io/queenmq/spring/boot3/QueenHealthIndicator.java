package io.queenmq.spring.boot3;

import io.queenmq.spring.QueenHealth;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;

/** How Queen is, in the words of Spring Boot 3. Only used where its health is on the class path. */
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
