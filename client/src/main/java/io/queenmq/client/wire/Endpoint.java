package io.queenmq.client.wire;

import java.net.URI;
import java.time.Duration;

/** One server: its address, and whether it was well when somebody last tried. Safe from any thread. */
public final class Endpoint {
    private static final long SHUNNED_NS = Duration.ofSeconds(5).toNanos();

    private final String url;
    private volatile long shunnedAtNs;
    private volatile boolean isShunned;

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
    void shun() {
        shunnedAtNs = System.nanoTime();
        isShunned = true;
    }

    void welcome() {
        isShunned = false;
    }

    boolean isWell() {
        return !isShunned || System.nanoTime() - shunnedAtNs > SHUNNED_NS;
    }

    @Override
    public String toString() {
        return url;
    }
}
