package io.queenmq.server.auth;

import io.queenmq.server.config.AuthConfig;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The door to this package: says whether a token is genuine. Opened and closed by the server; safe from any thread. */
public final class Authenticator implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Authenticator.class);

    private final AuthConfig config;
    private final PublicKeys keys;
    private final TokenVerifier verifier;

    private Authenticator(AuthConfig config, PublicKeys keys) {
        this.config = config;
        this.keys = keys;
        this.verifier = new TokenVerifier(config, keys);
    }

    /** Waits for published keys as long as the settings allow. That they cannot be had now does not stop the start. */
    public static Authenticator open(AuthConfig config) {
        if (config.publicKey() != null) {
            return new Authenticator(config, PublicKeys.fixed(config.publicKey()));
        }
        if (config.jwksUrl() == null) {
            return new Authenticator(config, null);
        }
        Jwks jwks = new Jwks(config);
        try {
            jwks.firstAttempt().get(config.jwksTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            log.debug("serving without the published keys for now", e);
        } catch (Exception e) {
            jwks.close();
            throw new IllegalStateException(e);
        }
        return new Authenticator(config, jwks);
    }

    /** What may be asked for without a token; one that ends in a slash stands for all below it. */
    public List<String> skipPaths() {
        return config.skipPaths();
    }

    public Verdict verify(String token, long nowMs) {
        return verifier.verify(token, nowMs);
    }

    /** After {@link Verdict.UnknownKey}: completes, on any thread, when it makes sense to verify once more. */
    public CompletableFuture<Void> lookAgain() {
        return keys.lookAgain();
    }

    @Override
    public void close() {
        if (keys != null) {
            keys.close();
        }
    }
}
