package io.queenmq.engine.spool;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.push.SpoolGateway.Decision;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpoolPolicyTest {
    @ParameterizedTest(name = "behind {0}, catching up {1}, unavailable {2}, push off {3}, open {4}: {5}")
    @CsvSource({"false, false, false, false, true, STORE", "false, true, false, false, true, STORE",
        "false, false, false, false, false, STORE", "false, true, false, false, false, STORE",
        "false, false, true, false, true, SPOOL", "false, true, true, false, true, SPOOL",
        "false, false, true, false, false, STORE", "false, true, true, false, false, STORE",
        "false, false, false, true, true, SPOOL", "false, true, false, true, true, SPOOL",
        "false, false, false, true, false, REJECT", "false, true, false, true, false, REJECT",
        "false, false, true, true, true, SPOOL", "false, true, true, true, true, SPOOL",
        "false, false, true, true, false, REJECT", "false, true, true, true, false, REJECT",
        "true, false, false, false, true, SPOOL", "true, true, false, false, true, WAIT",
        "true, false, false, false, false, REJECT", "true, true, false, false, false, WAIT",
        "true, false, true, false, true, SPOOL", "true, true, true, false, true, SPOOL",
        "true, false, true, false, false, REJECT", "true, true, true, false, false, REJECT",
        "true, false, true, true, true, SPOOL", "true, true, true, true, true, SPOOL",
        "true, false, true, true, false, REJECT", "true, true, true, true, false, REJECT",
        "true, false, false, true, true, SPOOL", "true, true, false, true, true, SPOOL",
        "true, false, false, true, false, REJECT", "true, true, false, true, false, REJECT"})
    void aMessageOvertakesNeitherItsPartitionNorAnOperator(boolean isBehind, boolean isCatchingUp,
            boolean isUnavailable, boolean isPushOff, boolean isOpen, Decision course) {
        assertThat(SpoolPolicy.decide(isBehind, isCatchingUp, isUnavailable, isPushOff, isOpen)).isEqualTo(course);
    }
}
