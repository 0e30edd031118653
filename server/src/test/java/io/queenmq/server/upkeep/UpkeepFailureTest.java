package io.queenmq.server.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.event.Level;

class UpkeepFailureTest {
    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource
    void onlyALostConnectionEndsTheSession(String row, Throwable cause, UpkeepFailure expected) {
        assertThat(UpkeepFailure.of(cause)).isEqualTo(expected);
    }

    static Stream<Arguments> onlyALostConnectionEndsTheSession() {
        return Stream.of(
                arguments("statement rejected", new PgException("bad", "ERROR", "22000", null), UpkeepFailure.SHARD),
                arguments("lock timeout", new PgException("locked", "ERROR", "55P03", null), UpkeepFailure.SHARD),
                arguments("node of the shard away", new PgException("node", "ERROR", "08006", null),
                        UpkeepFailure.SHARD),
                arguments("no response", new TimeoutException(), UpkeepFailure.SESSION),
                arguments("connection closed", ClosedConnectionException.INSTANCE, UpkeepFailure.SESSION),
                arguments("connection refused", new VertxException("refused", true), UpkeepFailure.SESSION),
                arguments("exception of this server", new IllegalStateException(), UpkeepFailure.DEFECT),
                arguments("error of this server", new StackOverflowError(), UpkeepFailure.DEFECT));
    }

    @ParameterizedTest(name = "connected now {0}, before {1}: {2}")
    @CsvSource({"true, true, WARN", "true, false, WARN", "false, true, WARN", "false, false, DEBUG"})
    void anOutageIsLoggedAsAWarningOnce(boolean isConnected, boolean wasConnected, Level level) {
        assertThat(UpkeepFailure.logLevel(isConnected, wasConnected)).isEqualTo(level);
    }
}
