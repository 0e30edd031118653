package io.queenmq.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Properties configure the client. */
@QueenTest
class PropertiesTest {
    @ParameterizedTest
    @CsvSource({"queen.urls, localhost:6632, http://localhost:6632", "queen.connect-timeout, 0s, connectTimeout",
        "queen.request-timeout, 0s, requestTimeout", "queen.retry-for, -1s, retryFor",
        "queen.requests-max, 0, requestsMax"})
    void anInvalidPropertyFailsTheStart(String property, String value, String message, TestQueen server) {
        Application.of(server, "any").withPropertyValues(property + "=" + value)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining(message));
    }
}
