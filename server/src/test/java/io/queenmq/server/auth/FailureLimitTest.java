package io.queenmq.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.server.config.AuthConfig.FailureLimits;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FailureLimitTest {
    private static final String HERE = "10.0.0.7";
    private static final long SECOND_NS = 1_000_000_000;

    private final AtomicLong clockNs = new AtomicLong(Long.MAX_VALUE - 5 * SECOND_NS); // the clock may overflow
    private final FailureLimit limit = limit(3);

    @Test
    void anAddressIsBlockedForAWhileAfterTooManyFailures() {
        fail(HERE, 2);
        assertThat(limit.blockedNs(HERE, "new")).isZero();
        fail(HERE, 1);

        assertThat(limit.blockedNs(HERE, "new")).isEqualTo(10 * SECOND_NS);
        assertThat(limit.blockedNs("10.0.0.8", "new")).isZero();
        clockNs.addAndGet(10 * SECOND_NS - 1);
        assertThat(limit.blockedNs(HERE, "new")).isEqualTo(1);
        clockNs.addAndGet(1);
        assertThat(limit.blockedNs(HERE, "new")).isZero();
        fail(HERE, 2);
        assertThat(limit.blockedNs(HERE, "new")).isZero();
    }

    @Test
    void failuresCountWithinTheWindowOnly() {
        fail(HERE, 2);
        clockNs.addAndGet(60 * SECOND_NS);
        fail(HERE, 2);

        assertThat(limit.blockedNs(HERE, "new")).isZero();
    }

    @Test
    void failuresWhileBlockedDoNotProlongTheBlock() {
        fail(HERE, 3);
        clockNs.addAndGet(9 * SECOND_NS);
        fail(HERE, 3);

        assertThat(limit.blockedNs(HERE, "new")).isEqualTo(SECOND_NS);
    }

    /** Many clients may share an address: those with tokens that were accepted are not blocked with the attacker. */
    @Test
    void tokensThatWereAcceptedBeforeAreVerifiedUntilTheyFail() {
        limit.accepted("known");
        fail(HERE, 3);
        assertThat(limit.blockedNs(HERE, "known")).isZero();

        limit.failed(HERE, "known");

        assertThat(limit.blockedNs(HERE, "known")).isPositive();
    }

    @Test
    void withoutALimitNothingIsBlocked() {
        FailureLimit none = limit(0);
        for (int i = 0; i < 1_000; i++) {
            none.failed(HERE, "bad");
        }

        assertThat(none.blockedNs(HERE, "new")).isZero();
        assertThat(none.addresses()).isZero();
    }

    @Test
    void theTableOfAddressesIsBounded() {
        for (int i = 0; i < FailureLimit.ADDRESSES_MAX + 1_000; i++) {
            limit.failed("10." + i / 65_536 + "." + i / 256 % 256 + "." + i % 256, "bad");
        }

        assertThat(limit.addresses()).isEqualTo(FailureLimit.ADDRESSES_MAX);
    }

    @Test
    void addressesOfAnIpv6NetworkCountTogether() {
        assertThat(FailureLimit.network("2001:db8:1:2:3:4:5:6")).isEqualTo(FailureLimit.network("2001:db8:1:2::1"))
                .isNotEqualTo(FailureLimit.network("2001:db8:1:3::1"));
        assertThat(FailureLimit.network("10.0.0.7")).isEqualTo("10.0.0.7");
        assertThat(FailureLimit.network("unknown")).isEqualTo("unknown");
        fail("2001:db8::1", 2);
        fail("2001:db8::2", 1);

        assertThat(limit.blockedNs("2001:db8::3", "new")).isPositive();
    }

    private void fail(String address, int times) {
        for (int i = 0; i < times; i++) {
            limit.failed(address, "bad " + i);
        }
    }

    private FailureLimit limit(int max) {
        return new FailureLimit(new FailureLimits(max, Duration.ofSeconds(60), Duration.ofSeconds(10)), clockNs::get);
    }
}
