package io.queenmq.spring;

import io.queenmq.test.TestQueen;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A small application with the starter. */
final class Application {
    private Application() {}

    static ApplicationContextRunner of(TestQueen server, String queue) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(QueenAutoConfiguration.class))
                .withPropertyValues("queen.urls=" + server.url(), "shop.queue=" + queue);
    }
}
