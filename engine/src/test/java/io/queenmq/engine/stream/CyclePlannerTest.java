package io.queenmq.engine.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.stream.CyclePlanner.Next;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CyclePlannerTest {
    private static final String NO_LEASE = "no lease was found";

    static Stream<Arguments> verdicts() {
        return Stream.of(Arguments.of(Verdict.GO, null, new Next.Done()),
                Arguments.of(Verdict.REPEATED, null, new Next.Repeated()),
                Arguments.of(Verdict.REPEATED, NO_LEASE, new Next.Repeated()),
                Arguments.of(Verdict.BUSY, null, new Next.Repeat(Verdict.BUSY.reason())),
                Arguments.of(Verdict.NO_QUERY, null, new Next.UnknownQuery()),
                Arguments.of(Verdict.LEASE_GONE, null, new Next.Rejected(Verdict.LEASE_GONE.reason(), true)),
                Arguments.of(Verdict.LEASE_GONE, NO_LEASE, new Next.Rejected(NO_LEASE, false)),
                Arguments.of(Verdict.NO_PARTITION, null, new Next.Rejected(Verdict.NO_PARTITION.reason(), false)),
                Arguments.of(Verdict.LEASED, null, new Next.Rejected(Verdict.LEASED.reason(), false)),
                Arguments.of(Verdict.STALE, null, new Next.Rejected(Verdict.STALE.reason(), false)));
    }

    @ParameterizedTest(name = "{0}, {1}: {2}")
    @MethodSource("verdicts")
    void aVerdictDecides(Verdict verdict, String refusalOrNull, Next expected) {
        assertThat(CyclePlanner.onVerdict(verdict, refusalOrNull)).isEqualTo(expected);
    }
}
