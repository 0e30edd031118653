package io.queenmq.client.wire;

import java.net.URI;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One server: its address and the result of recent requests. Logs once when the server fails or recovers, for all
 * requests. Thread-safe.
 */
public final class Endpoint {
    private static final Logger log = LoggerFactory.getLogger(Endpoint.class);
    private static final long SKIPPED_NS = Duration.ofSeconds(5).toNanos();

    private final String url;
    private volatile long failedAtNs;
    private volatile boolean hasFailed;
    private final FailureLog outage = new FailureLog();

    Endpoint(String url) {
        URI uri = URI.create(url);
        if (uri.getHost() == null || !"http".equals(uri.getScheme()) && !"https".equals(uri.getScheme())) {
            throw new IllegalArgumentException(
                    "the server URL is " + url + "; use a URL such as http://localhost:6632");
        }
        this.url = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    String url() {
        return url;
    }

    /** Records a failure. Other servers are used first for a while. */
    void markFailed(String why) {
        failedAtNs = System.nanoTime();
        hasFailed = true;
        outage.onFailure(failedAtNs).ifPresent(since -> {
            if (since.isZero()) {
                log.warn("server failed, retrying: {}", why);
            } else {
                log.warn("server still failing after {} s, retrying: {}", since.toSeconds(), why);
            }
        });
    }

    void markWorking() {
        if (hasFailed) {
            hasFailed = false;
            outage.onSuccess(System.nanoTime())
                    .ifPresent(away -> log.info("server available again: {}, after {} s", url, away.toSeconds()));
        }
    }

    boolean isHealthy() {
        return !hasFailed || System.nanoTime() - failedAtNs > SKIPPED_NS;
    }

    @Override
    public String toString() {
        return url;
    }
}
