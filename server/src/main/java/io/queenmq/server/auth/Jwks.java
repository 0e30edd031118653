package io.queenmq.server.auth;

import io.queenmq.engine.time.Clock;
import io.queenmq.server.config.AuthConfig;
import io.queenmq.server.config.OidcConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Published keys (JWKS), fetched on a thread of their own: at the start, at intervals, and when a token names an unknown
 * key. At most one fetch is in flight, and each is bounded in time and bytes from the connection to the last byte. Keys that
 * were fetched stay in force while later fetches fail.
 */
final class Jwks implements PublicKeys {
    /** The shortest time between two fetches for unknown keys, however many tokens name one. */
    static final Duration REFRESH_AGAIN_AFTER = Duration.ofSeconds(30);
    /** The same after a fetch that failed. */
    static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    static final int BYTES_MAX = 1024 * 1024;

    private static final Logger log = LoggerFactory.getLogger(Jwks.class);
    private static final Duration LOG_EVERY = Duration.ofMinutes(1);
    private static final long RETRY_MIN_MS = 1_000;
    private static final long RETRY_MAX_MS = 30_000;

    private final URI url;
    private final @Nullable String issuer;
    private final Duration refreshEvery;
    private final Duration timeout;
    private final HttpClient client;
    private final ScheduledExecutorService thread;
    private final CompletableFuture<Void> firstAttempt = new CompletableFuture<>();
    private volatile @Nullable Map<String, List<Key>> byId;
    private volatile boolean isFresh;
    private CompletableFuture<Boolean> refreshing = CompletableFuture.completedFuture(false);
    private long refreshedAtNs = Clock.SYSTEM.nowNs() - REFRESH_AGAIN_AFTER.toNanos();
    /** Used by the thread only. */
    private long loggedAtNs = Clock.SYSTEM.nowNs() - LOG_EVERY.toNanos();

    Jwks(AuthConfig config, URI url) {
        this.url = url;
        this.issuer = config.claims().issuer();
        this.refreshEvery = config.keys().jwksRefresh();
        this.timeout = config.keys().jwksTimeout();
        this.client = HttpClient.newBuilder().connectTimeout(timeout).followRedirects(HttpClient.Redirect.NEVER)
                .build();
        this.thread = Executors.newSingleThreadScheduledExecutor(
                task -> Thread.ofPlatform().daemon().name("queen-jwks").unstarted(task));
        thread.execute(() -> fetchAndSchedule(RETRY_MIN_MS));
    }

    /** Completes when the keys were fetched once, or could not be. */
    CompletableFuture<Void> firstAttempt() {
        return firstAttempt;
    }

    @Override
    public @Nullable List<Key> of(@Nullable String keyId) {
        Map<String, List<Key>> known = byId;
        if (known == null) {
            return null;
        }
        return keyId == null
                ? known.values().stream().flatMap(List::stream).toList()
                : known.getOrDefault(keyId, List.of());
    }

    @Override
    public synchronized CompletableFuture<Boolean> refresh() {
        if (!refreshing.isDone()) {
            return refreshing;
        }
        long nowNs = Clock.SYSTEM.nowNs();
        Duration pause = isFresh ? REFRESH_AGAIN_AFTER : RETRY_AFTER;
        if (nowNs - refreshedAtNs < pause.toNanos() || thread.isShutdown()) {
            return CompletableFuture.completedFuture(isFresh);
        }
        refreshedAtNs = nowNs;
        // A fetch at the usual time may be in flight before it, so the wait has a limit of its own.
        refreshing = CompletableFuture.supplyAsync(this::fetch, thread).completeOnTimeout(false, timeout.toMillis(),
                TimeUnit.MILLISECONDS);
        return refreshing;
    }

    /** Fetches the keys and schedules the next fetch: after the usual interval, or soon if this one failed. */
    private void fetchAndSchedule(long retryMs) {
        boolean isFetched = fetch();
        firstAttempt.complete(null);
        long nextMs = isFetched ? refreshEvery.toMillis() : Math.min(retryMs, refreshEvery.toMillis());
        if (!thread.isShutdown()) {
            thread.schedule(() -> fetchAndSchedule(isFetched ? RETRY_MIN_MS : Math.min(retryMs * 2, RETRY_MAX_MS)),
                    nextMs, TimeUnit.MILLISECONDS);
        }
    }

    /** Returns true if the keys were fetched. Never throws, because that would end the schedule. */
    private boolean fetch() {
        try {
            URI published = OidcConfig.isDiscovery(url) ? OidcMetadata.parse(download(url), issuer).jwksUri() : url;
            byId = KeyDocument.read(download(published));
            isFresh = true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            isFresh = false;
        } catch (Throwable e) {
            isFresh = false;
            logFailure(e);
        }
        return isFresh;
    }

    private byte[] download(URI address) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address).header("Accept", "application/json").build();
        CompletableFuture<HttpResponse<byte[]>> response = client.sendAsync(request,
                BodyHandlers.limiting(BodyHandlers.ofByteArray(), BYTES_MAX));
        try {
            HttpResponse<byte[]> answer = response.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (answer.statusCode() != 200) {
                throw new IOException("status " + answer.statusCode());
            }
            return answer.body();
        } catch (TimeoutException _) {
            throw new IOException("no complete response within " + timeout.toMillis() + " ms");
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()));
        } finally {
            // Closes the connection if the response is not complete.
            response.cancel(true);
        }
    }

    /** The address may contain credentials, so only the host is logged. */
    private void logFailure(Throwable cause) {
        long nowNs = Clock.SYSTEM.nowNs();
        if (nowNs - loggedAtNs >= LOG_EVERY.toNanos() && !thread.isShutdown()) {
            loggedAtNs = nowNs;
            log.warn("published keys cannot be fetched from {}, {}: {}", url.getHost(),
                    byId == null ? "no token that needs them is accepted" : "the keys fetched before stay in force",
                    cause.getMessage());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        client.shutdownNow();
    }
}
