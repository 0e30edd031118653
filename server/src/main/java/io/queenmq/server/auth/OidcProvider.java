package io.queenmq.server.auth;

import io.queenmq.server.config.OidcConfig;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
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
 * Holds the discovery document of the OpenID Connect provider and fetches it on a thread of its own: every second until it
 * was fetched, then every hour. A document that was fetched stays in use while later attempts fail. Safe from any thread.
 */
public final class OidcProvider implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(OidcProvider.class);
    private static final Duration REFRESH = Duration.ofHours(1);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final int BYTES_MAX = 1024 * 1024;

    private final OidcConfig config;
    private final HttpClient client;
    private final ScheduledExecutorService thread;
    private volatile @Nullable OidcMetadata metadata;
    private @Nullable String lastFailure;

    private OidcProvider(OidcConfig config) {
        this.config = config;
        this.client = HttpClient.newBuilder().connectTimeout(config.timeout())
                .followRedirects(HttpClient.Redirect.NEVER).build();
        this.thread = Executors.newSingleThreadScheduledExecutor(
                task -> Thread.ofPlatform().daemon().name("queen-oidc").unstarted(task));
    }

    /** Starts to fetch and returns at once: a provider that is unavailable does not delay the start of the server. */
    public static OidcProvider start(OidcConfig config) {
        OidcProvider provider = new OidcProvider(config);
        provider.thread.execute(provider::fetchRepeatedly);
        return provider;
    }

    public OidcConfig config() {
        return config;
    }

    /** Returns null until the document was fetched once. */
    public @Nullable OidcMetadata metadata() {
        return metadata;
    }

    private void fetchRepeatedly() {
        try {
            metadata = OidcMetadata.parse(fetch(), config.issuer());
            lastFailure = null;
        } catch (InterruptedException _) {
            return; // closed
        } catch (Exception e) {
            logOnce(e.getMessage() == null ? e.toString() : e.getMessage());
        }
        if (!thread.isShutdown()) {
            thread.schedule(this::fetchRepeatedly, (metadata == null ? RETRY : REFRESH).toMillis(),
                    TimeUnit.MILLISECONDS);
        }
    }

    private byte[] fetch() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(config.discoveryUrl()).header("Accept", "application/json")
                .build();
        CompletableFuture<HttpResponse<byte[]>> response = client.sendAsync(request,
                BodyHandlers.limiting(BodyHandlers.ofByteArray(), BYTES_MAX));
        try {
            // Limits the whole response: the timeout of a request ends with its headers.
            HttpResponse<byte[]> answer = response.get(config.timeout().toMillis(), TimeUnit.MILLISECONDS);
            if (answer.statusCode() != 200) {
                throw new IOException("status " + answer.statusCode());
            }
            return answer.body();
        } catch (TimeoutException _) {
            throw new IOException("no complete response within " + config.timeout().toMillis() + " ms");
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        } finally {
            response.cancel(true);
        }
    }

    /** Logs a failure when it is not the same as the one before, because attempts are frequent. */
    private void logOnce(String failure) {
        if (!failure.equals(lastFailure)) {
            lastFailure = failure;
            log.warn("discovery document of the OpenID Connect provider {} cannot be fetched, will retry: {}",
                    config.discoveryUrl().getHost(), failure);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        client.shutdownNow();
    }
}
