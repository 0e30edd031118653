package io.queenmq.server.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.queenmq.engine.reply.Failure;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FailedCallTest {
    private static final FailedCall REFUSED = new FailedCall.Failed(new Failure.Refused("failed"));
    private static final FailedCall UNAVAILABLE = new FailedCall.Failed(new Failure.Unavailable("failed"));

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void aCallThatMaySucceedLaterIsUnavailableAndAnyOtherRejected(String row, Throwable cause, FailedCall expected) {
        assertThat(FailedCall.of(cause)).isEqualTo(expected);
    }

    static Stream<Arguments> aCallThatMaySucceedLaterIsUnavailableAndAnyOtherRejected() {
        return Stream.of(
                arguments("not possible", sql("QN400"),
                        new FailedCall.Rejected(new OperatorOutcome.Impossible("failed"))),
                arguments("not allowed", sql("QN403"), REFUSED), arguments("queue full", sql("QN004"), REFUSED),
                arguments("value rejected", sql("22P02"), REFUSED),
                arguments("exception of this server", new IllegalStateException("failed"), REFUSED),
                arguments("connection lost", new VertxException("failed", true),
                        new FailedCall.Failed(new Failure.Unavailable("PostgreSQL is unavailable: failed"))),
                arguments("disk full", sql("53100"), UNAVAILABLE),
                arguments("routine missing", sql("42883"), UNAVAILABLE),
                arguments("deadlock", sql("40P01"), UNAVAILABLE),
                arguments("partition moved", sql("QN001"), UNAVAILABLE),
                arguments("lease gone", sql("QN002"), UNAVAILABLE),
                arguments("catalog outdated", sql("QN003"), UNAVAILABLE),
                arguments("cursor in use", sql("QN006"), UNAVAILABLE));
    }

    private static PgException sql(String state) {
        return new PgException("failed", "ERROR", state, null);
    }
}
