package io.queenmq.server.redrive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RedriveFaultTest {
    @ParameterizedTest(name = "{0}: fault {2}")
    @MethodSource
    void aRedriveIsAtFaultUnlessItOnlyHasToWait(String row, Throwable cause, boolean isFault) {
        assertThat(RedriveFailure.of(cause).isFault()).isEqualTo(isFault);
    }

    static Stream<Arguments> aRedriveIsAtFaultUnlessItOnlyHasToWait() {
        return Stream.of(arguments("left to other servers", new RedriveDeferred("no key"), false),
                arguments("connection lost", new VertxException("closed", true), false),
                arguments("PostgreSQL is shutting down", sql("57P01"), false),
                arguments("disk full", sql("53100"), false), arguments("standby", sql("25006"), false),
                arguments("deadlock", sql("40P01"), false), arguments("lock timeout", sql("55P03"), false),
                arguments("encryption switched on meanwhile", sql("QN003"), false),
                arguments("value rejected", sql("22P02"), true), arguments("queue full", sql("QN004"), true),
                arguments("not possible", sql("QN400"), true), arguments("routine missing", sql("42883"), true),
                arguments("exception of this server", new IllegalStateException(), true));
    }

    @ParameterizedTest(name = "message {0}: {1}")
    @CsvSource(nullValues = "none", value = {"disk full, disk full", "none, java.lang.IllegalStateException"})
    void theReasonIsNeverMissing(String message, String reason) {
        assertThat(RedriveFailure.of(new IllegalStateException(message)).reason()).isEqualTo(reason);
    }

    @ParameterizedTest(name = "continues in {0} ms: next step in {1} ms")
    @CsvSource({"-5, 1", "0, 1", "1, 1", "120, 120", "500, 500", "501, 500", "60000, 500"})
    void theNextStepFollowsWithinThePollInterval(long continuesInMs, long delayMs) {
        assertThat(Redrives.delayMs(continuesInMs)).isEqualTo(delayMs);
    }

    private static PgException sql(String state) {
        return new PgException("failed", "ERROR", state, null);
    }
}
