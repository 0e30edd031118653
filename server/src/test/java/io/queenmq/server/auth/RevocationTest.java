package io.queenmq.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.testkit.Await;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Timeout(value = 300, unit = TimeUnit.SECONDS)
@Execution(ExecutionMode.CONCURRENT)
class RevocationTest {
    private static final long NOW_MS = System.currentTimeMillis();
    private static final long NOW = NOW_MS / 1000;

    private final TestAuthStore store = new TestAuthStore();
    private Authenticator authenticator;

    @AfterEach
    void close() {
        authenticator.close();
    }

    @Test
    void aTokenIsRevokedByItsId() {
        open();
        assertAccepted("\"jti\":\"t1\"");
        revoke(Set.of("t1"), Map.of(), 0);

        assertRevoked("\"jti\":\"t1\"");
        assertAccepted("\"jti\":\"t2\"");
        assertAccepted("\"sub\":\"t1\"");
    }

    @Test
    void tokensAreRevokedByTheirIssueTime() {
        open();
        revoke(Set.of(), Map.of(), NOW - 10);

        assertRevoked("\"iat\":" + (NOW - 11));
        assertAccepted("\"iat\":" + (NOW - 10));
        assertRevoked("\"sub\":\"ada\"");
        assertRevoked("\"iat\":null");
    }

    @Test
    void tokensOfASubjectAreRevokedByTheirIssueTime() {
        open();
        revoke(Set.of(), Map.of("ada", (double) NOW), NOW - 100);

        assertRevoked("\"sub\":\"ada\",\"iat\":" + (NOW - 1));
        assertAccepted("\"sub\":\"ada\",\"iat\":" + NOW);
        assertAccepted("\"sub\":\"bob\",\"iat\":" + (NOW - 1));
        assertRevoked("\"sub\":\"bob\",\"iat\":" + (NOW - 101));
        assertRevoked("\"sub\":\"ada\"");
    }

    @Test
    void cachedTokensAreVerifiedAgainAfterARevocation() {
        open();
        TokenCache cache = new TokenCache();
        long before = authenticator.revision();
        cache.add("token", new Identity("ada", Role.ADMIN, Long.MAX_VALUE), NOW_MS, before);
        assertThat(cache.find("token", NOW_MS, authenticator.revision())).isNotNull();

        revoke(Set.of("other"), Map.of(), 0);

        assertThat(cache.find("token", NOW_MS, authenticator.revision())).isNull();
        // Verified with the revocations of before: it does not count as of now.
        cache.add("token", new Identity("ada", Role.ADMIN, Long.MAX_VALUE), NOW_MS, before);
        assertThat(cache.find("token", NOW_MS, authenticator.revision())).isNull();
    }

    @Test
    void untilRevocationsAreLoadedNoTokenIsAccepted() {
        store.failWith(new IllegalStateException("PostgreSQL is away"));
        open();
        assertThat(verify("\"jti\":\"t1\"")).isEqualTo(new Verdict.Refused(Rejection.UNAVAILABLE));

        store.failWith(null);

        Await.until(() -> verify("\"jti\":\"t1\"") instanceof Verdict.Accepted);
    }

    @Test
    void revocationsStayInForceWhileTheyCannotBeLoaded() throws Exception {
        open();
        revoke(Set.of("t1"), Map.of(), 0);
        store.failWith(new IllegalStateException("PostgreSQL is away"));
        store.awaitCall();

        assertRevoked("\"jti\":\"t1\"");
    }

    /** A restored database may have other revocations with the same version. */
    @Test
    void anotherHistoryOfTheDatabaseIsLoadedAsAWhole() {
        open();
        revoke(Set.of("t1"), Map.of(), 0);
        store.revert(Set.of("t2"));
        long before = authenticator.revision();

        authenticator.renew();

        awaitRevisionAfter(before);
        assertAccepted("\"jti\":\"t1\"");
        assertRevoked("\"jti\":\"t2\"");
    }

    private void revoke(Set<String> tokenIds, Map<String, Double> subjects, double issuedBefore) {
        long before = authenticator.revision();
        store.revoke(tokenIds, subjects, issuedBefore);
        awaitRevisionAfter(before);
    }

    private void awaitRevisionAfter(long before) {
        Await.until(() -> authenticator.revision() != before);
    }

    private void assertAccepted(String claims) {
        assertThat(verify(claims)).isInstanceOf(Verdict.Accepted.class);
    }

    private void assertRevoked(String claims) {
        assertThat(verify(claims)).isEqualTo(new Verdict.Refused(Rejection.REVOKED));
    }

    private Verdict verify(String claims) {
        return authenticator.verify(TestTokens.valid("{" + claims + "}"), NOW_MS);
    }

    private void open() {
        authenticator = Authenticator.open(
                ConfigReader.read(Map.of("JWT_ENABLED", "true", "JWT_SECRET", TestTokens.SECRET)).access().auth(),
                store, new SimpleMeterRegistry());
    }
}
