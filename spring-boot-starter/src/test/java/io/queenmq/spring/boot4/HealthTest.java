package io.queenmq.spring.boot4;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.spring.QueenAutoConfiguration;
import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The health indicator of Spring Boot 4. */
@QueenTest
class HealthTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(QueenBoot4AutoConfiguration.class, QueenAutoConfiguration.class));

    @Test
    void aHealthyServerIsUp(TestQueen server) {
        application.withPropertyValues("queen.urls=" + server.url()).run(context -> {
            Health health = context.getBean(HealthIndicator.class).health(true);
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails()).containsEntry("database", "connected").containsKey("version");
        });
    }

    @Test
    void anUnreachableServerIsDown() {
        application.withPropertyValues("queen.urls=http://127.0.0.1:1").run(context -> {
            Health health = context.getBean(HealthIndicator.class).health(true);
            assertThat(health.getStatus()).isEqualTo(Status.DOWN);
            assertThat(health.getDetails().get("error").toString()).contains("127.0.0.1:1");
        });
    }

    @Test
    void healthCanBeDisabled() {
        application.withPropertyValues("management.health.queen.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
    }
}
