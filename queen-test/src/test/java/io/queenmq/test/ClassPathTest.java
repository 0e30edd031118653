package io.queenmq.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Collections;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The class path that the kit adds to applications. */
class ClassPathTest {
    @ParameterizedTest
    @ValueSource(strings = {"logback.xml", "logback.groovy", "log4j2.xml", "log4j2.properties", "log4j.properties",
        "logging.properties", "simplelogger.properties", "application.properties", "application.yml"})
    void theKitHasNoLoggingFramework(String configuration) throws IOException {
        assertThat(Collections.list(getClass().getClassLoader().getResources(configuration))).isEmpty();
    }
}
