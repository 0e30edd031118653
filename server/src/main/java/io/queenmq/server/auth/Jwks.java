package io.queenmq.server.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.queenmq.server.config.AuthConfig;
import io.queenmq.server.config.OidcConfig;
import io.queenmq.server.time.Clock;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.PublicKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys that somebody publishes, fetched on a thread of its own: at the start, then at intervals, and when a token names
 * a key that is not known, but for that reason at most once in {@link #LOOK_AGAIN_AFTER}, however many tokens do.
 */
final class Jwks implements PublicKeys {
    static final Duration LOOK_AGAIN_AFTER = Duration.ofSeconds(30);

    private static final Logger log = LoggerFactory.getLogger(Jwks.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int BYTES_MAX = 1024 * 1024;
    private static final long RETRY_MAX_MS = 30_000;

    private final URI url;
    private final String issuer;
    private final Duration refresh;
    private final Duration timeout;
    private final HttpClient client;
    private final ScheduledExecutorService thread;
    private final CompletableFuture<Void> firstAttempt = new CompletableFuture<>();
    private volatile Map<String, List<PublicKey>> byId;
    private CompletableFuture<Void> looking = CompletableFuture.completedFuture(null);
    private long lookedAtNs = Clock.SYSTEM.nowNs() - LOOK_AGAIN_AFTER.toNanos();

    Jwks(AuthConfig config) {
        this.url = config.jwksUrl();
        this.issuer = config.issuer();
        this.refresh = config.jwksRefresh();
        this.timeout = config.jwksTimeout();
        this.client = HttpClient.newBuilder().connectTimeout(timeout).followRedirects(HttpClient.Redirect.NEVER)
                .build();
        this.thread = Executors
                .newSingleThreadScheduledExecutor(
                        task -> Thread.ofPlatform().daemon().name("queen-jwks").unstarted(task));
        thread.execute(() -> fetchForEver(1_000));
    }

    /** Completes when the keys were fetched once, or could not be. */
    CompletableFuture<Void> firstAttempt() {
        return firstAttempt;
    }

    @Override
    public List<PublicKey> of(String keyId) {
        Map<String, List<PublicKey>> known = byId;
        if (known == null) {
            return null;
        }
        return keyId == null
                ? known.values().stream().flatMap(List::stream).toList()
                : known.getOrDefault(keyId, List.of());
    }

    @Override
    public synchronized CompletableFuture<Void> lookAgain() {
        long nowNs = Clock.SYSTEM.nowNs();
        if (looking.isDone() && nowNs - lookedAtNs >= LOOK_AGAIN_AFTER.toNanos()) {
            lookedAtNs = nowNs;
            looking = CompletableFuture.runAsync(this::fetch, thread);
        }
        return looking;
    }

    /** While there are no keys at all, it tries again soon; later ones can wait for the next turn. */
    private void fetchForEver(long retryMs) {
        boolean isFetched = fetch();
        firstAttempt.complete(null);
        long nextMs = isFetched ? refresh.toMillis() : Math.min(retryMs, refresh.toMillis());
        if (!thread.isShutdown()) {
            thread.schedule(() -> fetchForEver(isFetched ? 1_000 : Math.min(retryMs * 2, RETRY_MAX_MS)), nextMs,
                    TimeUnit.MILLISECONDS);
        }
    }

    private boolean fetch() {
        try {
            URI published = OidcConfig.isDiscovery(url) ? OidcMetadata.parse(get(url), issuer).jwksUri() : url;
            byId = keys(JSON.readTree(get(published)));
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        } catch (Throwable e) {
            // The address may hold credentials, so only the host is named; keys fetched before stay in force. Nothing
            // may end the turns, also no error.
            log.warn("the keys of tokens cannot be fetched from {}: {}", url.getHost(), e.toString());
            return false;
        }
    }

    private byte[] get(URI address) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address).timeout(timeout).header("Accept", "application/json")
                .build();
        HttpResponse<InputStream> answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = answer.body()) {
            if (answer.statusCode() != 200) {
                throw new IOException("answered with status " + answer.statusCode());
            }
            byte[] bytes = body.readNBytes(BYTES_MAX + 1);
            if (bytes.length > BYTES_MAX) {
                throw new IOException("answered with more than " + BYTES_MAX + " bytes");
            }
            return bytes;
        }
    }

    private static Map<String, List<PublicKey>> keys(JsonNode document) throws IOException {
        if (document == null || !document.path("keys").isArray()) {
            throw new IOException("answered with something that is no list of keys");
        }
        Map<String, List<PublicKey>> keys = new HashMap<>();
        for (JsonNode each : document.get("keys")) {
            PublicKey key = Jwk.publicKey(each);
            if (key != null) {
                keys.computeIfAbsent(each.path("kid").asText(""), _ -> new ArrayList<>()).add(key);
            }
        }
        return keys;
    }

    @Override
    public void close() {
        thread.shutdownNow();
        client.shutdownNow();
    }
}
