package io.queenmq.server.auth;

import io.micrometer.core.instrument.MeterRegistry;
import io.queenmq.server.config.AuthConfig;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entry point of this package: verifies tokens. Opened and closed by the
 * server; safe from any thread.
 */
public final class Authenticator implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Authenticator.class);
    private static final long FIRST_LOAD_WITHIN_MS = 5_000;

    private final AuthConfig config;
    private final @Nullable PublicKeys keys;
    private final AuthUpdates updates;
    private final TokenVerifier verifier;
    private final Rejections rejections;

    private Authenticator(AuthConfig config, @Nullable PublicKeys keys, AuthStore store, MeterRegistry registry) {
        this.config = config;
        this.keys = keys;
        this.rejections = new Rejections(config.failures(), registry);
        this.updates = new AuthUpdates(store, rejections);
        this.verifier = new TokenVerifier(config, keys, updates::revocations);
    }

    /**
     * Waits for published keys and revoked tokens as long as the settings allow. If they cannot be loaded now, the server
     * starts without them, rejects the tokens that need them with 503, and retries.
     *
     * @param store closed with this object
     */
    public static Authenticator open(AuthConfig config, AuthStore store, MeterRegistry registry) {
        URI jwksUrl = config.keys().jwksUrl();
        Jwks jwks = jwksUrl == null ? null : new Jwks(config, jwksUrl);
        PublicKeys keys = config.keys().publicKey() == null ? jwks : PublicKeys.fixed(config.keys().publicKey());
        Authenticator authenticator = new Authenticator(config, keys, store, registry);
        try {
            if (jwks != null) {
                await(jwks.firstAttempt(), config.keys().jwksTimeout().toMillis());
            }
            await(authenticator.updates.firstLoad(), FIRST_LOAD_WITHIN_MS);
            return authenticator;
        } catch (InterruptedException | ExecutionException e) {
            authenticator.close();
            throw new IllegalStateException(e);
        }
    }

    private static void await(CompletableFuture<Void> step, long withinMs)
            throws InterruptedException, ExecutionException {
        try {
            step.get(withinMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            log.debug("starting without the published keys or the revoked tokens", e);
        }
    }

    public Rejections rejections() {
        return rejections;
    }

    /** Paths that need no token; one that ends in a slash includes everything below it. */
    public List<String> skipPaths() {
        return config.skipPaths();
    }

    /** Changes after each change of the revoked tokens. The result of an earlier verification must not be used after that. */
    public long revision() {
        return updates.revision();
    }

    public Verdict verify(String token, long nowMs) {
        return verifier.verify(token, nowMs);
    }

    /**
     * Fetches the published keys after {@link Verdict.UnknownKey}, so that the token can be verified again. Completes on any
     * thread, within {@code JWT_JWKS_TIMEOUT_MS} and never with a failure; with false if the keys cannot be fetched.
     */
    public CompletableFuture<Boolean> refreshKeys() {
        return keys == null ? CompletableFuture.completedFuture(true) : keys.refresh();
    }

    /** Loads the revoked tokens again: the database has another history. */
    public void renew() {
        updates.renew();
    }

    @Override
    public void close() {
        updates.close();
        if (keys != null) {
            keys.close();
        }
    }
}
