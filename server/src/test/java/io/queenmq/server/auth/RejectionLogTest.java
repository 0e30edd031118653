package io.queenmq.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RejectionLogTest {
    private final RejectionLog log = new RejectionLog();

    @Test
    void oneLineForEachReasonWithCountsAndAddresses() {
        for (int i = 0; i < 15_000; i++) {
            log.add(Rejection.SIGNATURE, "10.0.0.7");
        }
        log.add(Rejection.SIGNATURE, "10.0.0.8");
        log.add(Rejection.EXPIRED, "10.0.0.9");

        assertThat(log.takeLines(0)).containsExactlyInAnyOrder(
                "rejected 15001 requests, reason signature, from 10.0.0.7 (15000), 10.0.0.8 (1)",
                "rejected 1 requests, reason expired, from 10.0.0.9 (1)");
        assertThat(log.takeLines(RejectionLog.WRITE_EVERY_NS)).isEmpty();
    }

    @Test
    void linesAreWrittenOnceAMinute() {
        log.add(Rejection.EXPIRED, "a");
        assertThat(log.takeLines(0)).hasSize(1);
        log.add(Rejection.EXPIRED, "a");

        assertThat(log.takeLines(RejectionLog.WRITE_EVERY_NS - 1)).isEmpty();
        log.add(Rejection.EXPIRED, "a");
        assertThat(log.takeLines(RejectionLog.WRITE_EVERY_NS))
                .containsExactly("rejected 2 requests, reason expired, from a (2)");
    }

    @Test
    void theNumberOfAddressesIsBounded() {
        for (int i = 0; i < 1_000; i++) {
            log.add(Rejection.MALFORMED, "a" + i);
        }

        assertThat(log.takeLines(0)).singleElement().asString().endsWith("a9 (1), other addresses (990)")
                .doesNotContain("a10 ");
    }
}
