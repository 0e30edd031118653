package io.queenmq.client.wire;

import io.queenmq.client.error.OutcomeUnknownException;
import io.queenmq.client.error.UnavailableException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends requests and retries them until a server responds or the retry time is over. Thread-safe. */
public final class Wire implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Wire.class);
    private static final Duration PAUSE_MIN = Duration.ofMillis(50);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(2);

    /**
     * The additional time for the body. The timeout of a request covers only the time to the first byte of the
     * response.
     */
    private static final Duration BODY_GRACE = Duration.ofSeconds(5);

    private final Endpoints endpoints;
    private final @Nullable Supplier<@Nullable String> token;
    private final Duration requestTimeout;
    private final Duration retryFor;
    private final HttpClient http;
    private final ExecutorService senders;
    private final Semaphore permits;
    private volatile boolean isClosed;

    /**
     * @param token called for each request; null for none, and it may return null
     * @param sslContext null for that of the JVM
     * @param retryFor how long to retry, counted from the first attempt; zero for one attempt on each server
     * @param requestsMax maximum requests in flight, not counting urgent ones; each needs a connection
     */
    public Wire(Endpoints endpoints, @Nullable Supplier<@Nullable String> token, @Nullable SSLContext sslContext,
            Duration connectTimeout, Duration requestTimeout, Duration retryFor, int requestsMax) {
        this.endpoints = endpoints;
        this.token = token;
        this.requestTimeout = requestTimeout;
        this.retryFor = retryFor;
        this.permits = new Semaphore(requestsMax, true);
        this.senders = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("queen-http-", 0).factory());
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(connectTimeout).executor(senders);
        if (sslContext != null) {
            builder.sslContext(sslContext);
        }
        this.http = builder.build();
    }

    /** Returns a response that is not a failure of the server. The caller must check its status. */
    public Reply send(Call call) {
        return send(call, retryFor);
    }

    /** Sends a request with its own retry time. */
    public Reply send(Call call, Duration retryFor) {
        long deadlineNs = System.nanoTime() + retryFor.toNanos();
        Duration pause = PAUSE_MIN;
        Failures failures = new Failures(call);
        while (true) {
            failures.isPermanent = true;
            for (Iterator<Endpoint> order = endpoints.inOrder(call.affinity(), call.preferred()).iterator(); order
                    .hasNext();) {
                Reply reply = attempt(call, order.next(), failures);
                if (reply != null) {
                    return reply;
                }
            }
            if (failures.isPermanent) {
                // Certificates and URLs do not become valid while a caller waits.
                throw failures.toException(null);
            }
            long pauseNs = Math.max(pause.toNanos() / 2 + ThreadLocalRandom.current().nextLong(pause.toNanos()),
                    failures.retryAfter.toNanos());
            if (System.nanoTime() + pauseNs - deadlineNs >= 0) {
                throw failures.toException(null);
            }
            sleep(pauseNs, failures);
            pause = pause.multipliedBy(2).compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : pause.multipliedBy(2);
        }
    }

    /** Makes one attempt on one server. Returns null if another attempt is useful. */
    private @Nullable Reply attempt(Call call, Endpoint endpoint, Failures failures) {
        boolean hasPermit = acquirePermit(call, failures);
        @Nullable
        Reply reply;
        try {
            reply = receive(call, endpoint, start(call, endpoint), failures);
        } finally {
            if (hasPermit) {
                permits.release();
            }
        }
        if (reply == null && failures.mayHaveArrived && call.repeat() == Call.Repeat.NEVER) {
            throw failures.toException(null);
        }
        return reply;
    }

    /** Waits for a permit. Returns false if the request needs none. */
    private boolean acquirePermit(Call call, Failures failures) {
        if (call.isUrgent()) {
            return false;
        }
        try {
            permits.acquire();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failures.toException(e);
        }
    }

    /** Returns the response; null if there was none or the server failed, which is then recorded in the failures. */
    private @Nullable Reply receive(Call call, Endpoint endpoint, Future<HttpResponse<byte[]>> sent,
            Failures failures) {
        try {
            HttpResponse<byte[]> response = sent.get(timeout(call).plus(BODY_GRACE).toMillis(), TimeUnit.MILLISECONDS);
            String foreign = ForeignResponse.reason(response);
            if (foreign != null) {
                failures.onForeignServer(endpoint, foreign);
            } else if (response.statusCode() < 500) {
                endpoint.markWorking();
                return new Reply(response.statusCode(), response.body(), endpoint, failures.mayHaveArrived);
            } else {
                failures.onServerFailure(endpoint, response);
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CancellationException cancellation) {
                throw cancellation;
            }
            failures.onNoResponse(endpoint, e.getCause());
        } catch (TimeoutException e) {
            sent.cancel(true);
            failures.onNoResponse(endpoint, e);
        } catch (InterruptedException e) {
            sent.cancel(true);
            Thread.currentThread().interrupt();
            failures.mayHaveArrived = true;
            throw failures.toException(e);
        }
        endpoint.markFailed(failures.last);
        return null;
    }

    /** Begins one attempt on the best server, which can be canceled. Fails like {@link #send}. */
    public Attempt begin(Call call) {
        Endpoint endpoint = endpoints.inOrder(call.affinity(), call.preferred()).getFirst();
        return new Attempt(call, endpoint, start(call, endpoint));
    }

    /**
     * Does not use {@code sendAsync}: its futures are completed by the common pool of the JVM, and an application that
     * blocks that pool would lose its leases.
     */
    private Future<HttpResponse<byte[]>> start(Call call, Endpoint endpoint) {
        requireOpen();
        HttpRequest request = request(call, endpoint);
        return senders.submit(() -> http.send(request, BodyHandlers.ofByteArray()));
    }

    public void requireOpen() {
        if (isClosed) {
            throw new IllegalStateException("this client is closed");
        }
    }

    public boolean isClosed() {
        return isClosed;
    }

    private HttpRequest request(Call call, Endpoint endpoint) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(endpoint.url() + call.path()))
                .timeout(timeout(call)).method(call.method(),
                        call.body() == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(call.body()));
        if (call.body() != null) {
            builder.header("Content-Type", "application/json");
        }
        String bearer = token == null ? null : token.get();
        if (bearer != null) {
            builder.header("Authorization", "Bearer " + bearer);
        }
        return builder.build();
    }

    private Duration timeout(Call call) {
        return call.timeout() == null ? requestTimeout : call.timeout();
    }

    private static void sleep(long ns, Failures failures) {
        try {
            Thread.sleep(Duration.ofNanos(ns));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failures.toException(e);
        }
    }

    /** Cancels the requests in flight. */
    @Override
    public void close() {
        isClosed = true;
        http.shutdownNow();
        senders.shutdownNow();
    }

    /** An attempt in flight. */
    public final class Attempt {
        private final Call call;
        private final Endpoint endpoint;
        private final Future<HttpResponse<byte[]>> sent;

        private Attempt(Call call, Endpoint endpoint, Future<HttpResponse<byte[]>> sent) {
            this.call = call;
            this.endpoint = endpoint;
            this.sent = sent;
        }

        /** @return null if it was canceled */
        public @Nullable Reply await() {
            Failures failures = new Failures(call);
            try {
                Reply reply = receive(call, endpoint, sent, failures);
                if (reply == null) {
                    throw failures.toException(null);
                }
                return reply;
            } catch (CancellationException e) {
                return null;
            }
        }

        public void cancel() {
            sent.cancel(true);
        }
    }

    /** The failures of a request that has no response yet. Not thread-safe. */
    private static final class Failures {
        private final Call call;
        private boolean mayHaveArrived;
        /** True if every attempt since the flag was set failed because of certificates or URLs. */
        private boolean isPermanent;
        private Duration retryAfter = Duration.ZERO;
        private String last = "no server was tried";
        private @Nullable Throwable cause;

        Failures(Call call) {
            this.call = call;
        }

        void onServerFailure(Endpoint endpoint, HttpResponse<byte[]> response) {
            Reply reply = new Reply(response.statusCode(), response.body(), endpoint, false);
            isPermanent = false;
            // A server that could not reach PostgreSQL in time does not know the outcome, either.
            mayHaveArrived |= !reply.isNothingDone();
            last = endpoint + " responded with " + response.statusCode() + ": " + reply.error();
            retryAfter = response.headers().firstValue("Retry-After").filter(text -> text.matches("\\d{1,2}"))
                    .map(text -> Duration.ofSeconds(Long.parseLong(text))).orElse(Duration.ZERO);
            log.debug("{}: {}", call, last);
        }

        /** The server is not Queen, so it did not execute the request. */
        void onForeignServer(Endpoint endpoint, String reason) {
            retryAfter = Duration.ZERO;
            last = endpoint + " is not a Queen server: " + reason + "; check the URL";
            log.debug("{}: {}", call, last);
        }

        void onNoResponse(Endpoint endpoint, @Nullable Throwable failure) {
            cause = failure;
            retryAfter = Duration.ZERO;
            String tls = TlsFailure.reason(failure);
            isPermanent &= tls != null;
            mayHaveArrived |= tls == null && !isNotConnected(failure);
            last = endpoint + (tls == null ? reason(failure) : ": TLS handshake failed: " + tls);
            log.debug("{}: {}", call, last);
        }

        /** The messages of the JDK omit the most important detail. */
        private static String reason(@Nullable Throwable failure) {
            if (isUnknownHost(failure)) {
                return ": unknown host";
            }
            if (failure instanceof HttpConnectTimeoutException) {
                return ": connection timed out";
            }
            if (failure instanceof TimeoutException || failure instanceof HttpTimeoutException) {
                return " did not respond in time";
            }
            return failure instanceof ConnectException && failure.getMessage() == null
                    ? ": connection refused"
                    : ": " + failure;
        }

        private static boolean isNotConnected(@Nullable Throwable failure) {
            return failure instanceof ConnectException || failure instanceof HttpConnectTimeoutException
                    || isUnknownHost(failure);
        }

        private static boolean isUnknownHost(@Nullable Throwable failure) {
            return failure instanceof UnresolvedAddressException || failure instanceof UnknownHostException
                    || failure != null && failure.getCause() != null && isUnknownHost(failure.getCause());
        }

        RuntimeException toException(@Nullable InterruptedException interruption) {
            Throwable why = interruption == null ? cause : interruption;
            String text = call + (interruption == null ? ": " + last : " was interrupted");
            return mayHaveArrived && call.repeat() != Call.Repeat.READ
                    ? new OutcomeUnknownException(text + "; it may or may not have taken effect", why)
                    : new UnavailableException(text, why);
        }
    }
}
