package io.queenmq.client.wire;

import java.net.URI;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One server: its address, and whether it was well when somebody last tried. It is the one who writes to the log when a server
 * goes and comes back, however many requests find out. Safe from any thread.
 */
public final class Endpoint {
    private static final Logger log = LoggerFactory.getLogger(Endpoint.class);
    private static final long SHUNNED_NS = Duration.ofSeconds(5).toNanos();

    private final String url;
    private volatile long shunnedAtNs;
    private volatile boolean isShunned;
    private final Episode outage = new Episode();

    Endpoint(String url) {
        URI uri = URI.create(url);
        if (uri.getHost() == null || !"http".equals(uri.getScheme()) && !"https".equals(uri.getScheme())) {
            throw new IllegalArgumentException("a server's URL looks like http://localhost:6632, not like " + url);
        }
        this.url = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    String url() {
        return url;
    }

    /** It failed: others are asked first for a while. */
    void shun(String why) {
        shunnedAtNs = System.nanoTime();
        isShunned = true;
        outage.onFailure(shunnedAtNs).ifPresent(since -> {
            if (since.isZero()) {
                log.warn("{}; requests are repeated", why);
            } else {
                log.warn("{}, for {} s now; requests are repeated", why, since.toSeconds());
            }
        });
    }

    void welcome() {
        if (isShunned) {
            isShunned = false;
            outage.onSuccess(System.nanoTime())
                    .ifPresent(away -> log.info("{} works again, after {} s", url, away.toSeconds()));
        }
    }

    boolean isWell() {
        return !isShunned || System.nanoTime() - shunnedAtNs > SHUNNED_NS;
    }

    @Override
    public String toString() {
        return url;
    }
}
