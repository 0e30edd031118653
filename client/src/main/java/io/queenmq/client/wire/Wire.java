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

/** Sends requests until a server decides about them, or time is up. Safe from any thread. */
public final class Wire implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Wire.class);
    private static final Duration PAUSE_MIN = Duration.ofMillis(50);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(2);

    /** Beyond the time a request has, because it covers the way to the answer's first byte only. */
    private static final Duration BODY_GRACE = Duration.ofSeconds(5);

    private final Endpoints endpoints;
    private final @Nullable Supplier<@Nullable String> token;
    private final Duration requestTimeout;
    private final Duration retryFor;
    private final HttpClient http;
    private final ExecutorService senders;
    private final Semaphore places;
    private volatile boolean isClosed;

    /**
     * @param token called for each request; null for none, and it may return null
     * @param sslContext null for that of the JVM
     * @param retryFor how long to go on trying, counted from the first attempt; zero for one attempt on each server
     * @param requestsMax how many requests may be under way at a time, urgent ones apart; each needs a connection
     */
    public Wire(Endpoints endpoints, @Nullable Supplier<@Nullable String> token, @Nullable SSLContext sslContext,
            Duration connectTimeout, Duration requestTimeout, Duration retryFor, int requestsMax) {
        this.endpoints = endpoints;
        this.token = token;
        this.requestTimeout = requestTimeout;
        this.retryFor = retryFor;
        this.places = new Semaphore(requestsMax, true);
        this.senders = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("queen-http-", 0).factory());
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(connectTimeout).executor(senders);
        if (sslContext != null) {
            builder.sslContext(sslContext);
        }
        this.http = builder.build();
    }

    /** Returns an answer that is not a failure of the server; whether it is a good one is for the caller to see. */
    public Reply send(Call call) {
        return send(call, retryFor);
    }

    /** The same, with its own limit for trying. */
    public Reply send(Call call, Duration retryFor) {
        long deadlineNs = System.nanoTime() + retryFor.toNanos();
        Duration pause = PAUSE_MIN;
        Doubt doubt = new Doubt(call);
        while (true) {
            doubt.isTlsAlone = true;
            for (Iterator<Endpoint> order = endpoints.inOrder(call.affinity(), call.preferred()).iterator(); order
                    .hasNext();) {
                Reply reply = attempt(call, order.next(), doubt);
                if (reply != null) {
                    return reply;
                }
            }
            if (doubt.isTlsAlone) {
                // Certificates do not become valid while a caller waits.
                throw doubt.given(null);
            }
            long pauseNs = Math.max(pause.toNanos() / 2 + ThreadLocalRandom.current().nextLong(pause.toNanos()),
                    doubt.retryAfter.toNanos());
            if (System.nanoTime() + pauseNs - deadlineNs >= 0) {
                throw doubt.given(null);
            }
            sleep(pauseNs, doubt);
            pause = pause.multipliedBy(2).compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : pause.multipliedBy(2);
        }
    }

    /** One attempt on one server; null when it is worth another. */
    private @Nullable Reply attempt(Call call, Endpoint endpoint, Doubt doubt) {
        boolean hasPlace = takePlace(call, doubt);
        @Nullable
        Reply reply;
        try {
            reply = receive(call, endpoint, start(call, endpoint), doubt);
        } finally {
            if (hasPlace) {
                places.release();
            }
        }
        if (reply == null && doubt.mayHaveArrived && call.repeat() == Call.Repeat.NEVER) {
            throw doubt.given(null);
        }
        return reply;
    }

    /** Waits until the request may go; false when it needs no place. */
    private boolean takePlace(Call call, Doubt doubt) {
        if (call.isUrgent()) {
            return false;
        }
        try {
            places.acquire();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw doubt.given(e);
        }
    }

    /** The answer; null when there was none or the server failed, of which the doubt then knows. */
    private @Nullable Reply receive(Call call, Endpoint endpoint, Future<HttpResponse<byte[]>> answer, Doubt doubt) {
        try {
            HttpResponse<byte[]> response = answer.get(patience(call).plus(BODY_GRACE).toMillis(),
                    TimeUnit.MILLISECONDS);
            if (response.statusCode() < 500) {
                endpoint.welcome();
                return new Reply(response.statusCode(), response.body(), endpoint, doubt.mayHaveArrived);
            }
            doubt.onServerFailure(endpoint, response);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CancellationException cancelled) {
                throw cancelled;
            }
            doubt.onNoAnswer(endpoint, e.getCause());
        } catch (TimeoutException e) {
            answer.cancel(true);
            doubt.onNoAnswer(endpoint, e);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            doubt.mayHaveArrived = true;
            throw doubt.given(e);
        }
        endpoint.shun(doubt.last);
        return null;
    }

    /** One attempt on the best server, which can be cancelled; fails like {@link #send} does. */
    public Attempt begin(Call call) {
        Endpoint endpoint = endpoints.inOrder(call.affinity(), call.preferred()).getFirst();
        return new Attempt(call, endpoint, start(call, endpoint));
    }

    /**
     * Not {@code sendAsync}: its futures are completed by the common pool of the JVM, and an application that keeps that
     * busy would lose its leases.
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
                .timeout(patience(call)).method(call.method(),
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

    private Duration patience(Call call) {
        return call.timeout() == null ? requestTimeout : call.timeout();
    }

    private static void sleep(long ns, Doubt doubt) {
        try {
            Thread.sleep(Duration.ofNanos(ns));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw doubt.given(e);
        }
    }

    /** Gives up what is under way. */
    @Override
    public void close() {
        isClosed = true;
        http.shutdownNow();
        senders.shutdownNow();
    }

    /** An attempt under way. */
    public final class Attempt {
        private final Call call;
        private final Endpoint endpoint;
        private final Future<HttpResponse<byte[]>> answer;

        private Attempt(Call call, Endpoint endpoint, Future<HttpResponse<byte[]>> answer) {
            this.call = call;
            this.endpoint = endpoint;
            this.answer = answer;
        }

        /** @return null when it was cancelled */
        public @Nullable Reply await() {
            Doubt doubt = new Doubt(call);
            try {
                Reply reply = receive(call, endpoint, answer, doubt);
                if (reply == null) {
                    throw doubt.given(null);
                }
                return reply;
            } catch (CancellationException e) {
                return null;
            }
        }

        public void cancel() {
            answer.cancel(true);
        }
    }

    /** What is known of a request that has no answer yet. For one thread. */
    private static final class Doubt {
        private final Call call;
        private boolean mayHaveArrived;
        /** True if every server since the flag was set failed in the TLS handshake. */
        private boolean isTlsAlone;
        private Duration retryAfter = Duration.ZERO;
        private String last = "no server was asked";
        private @Nullable Throwable cause;

        Doubt(Call call) {
            this.call = call;
        }

        void onServerFailure(Endpoint endpoint, HttpResponse<byte[]> response) {
            Reply reply = new Reply(response.statusCode(), response.body(), endpoint, false);
            isTlsAlone = false;
            // A server that could not reach PostgreSQL in time does not know either.
            mayHaveArrived |= !reply.isNothingDone();
            last = endpoint + " answered " + response.statusCode() + ": " + reply.error();
            retryAfter = response.headers().firstValue("Retry-After").filter(text -> text.matches("\\d{1,2}"))
                    .map(text -> Duration.ofSeconds(Long.parseLong(text))).orElse(Duration.ZERO);
            log.debug("{}: {}", call, last);
        }

        void onNoAnswer(Endpoint endpoint, @Nullable Throwable failure) {
            cause = failure;
            retryAfter = Duration.ZERO;
            String tls = TlsFailure.reason(failure);
            isTlsAlone &= tls != null;
            mayHaveArrived |= tls == null && !isNotConnected(failure);
            last = endpoint + (tls == null ? reason(failure) : ": TLS handshake failed: " + tls);
            log.debug("{}: {}", call, last);
        }

        /** The JDK's own words leave out what is most wanted. */
        private static String reason(@Nullable Throwable failure) {
            if (isUnknownHost(failure)) {
                return ": the name of the host is not known";
            }
            if (failure instanceof HttpConnectTimeoutException) {
                return " cannot be connected to in time";
            }
            if (failure instanceof TimeoutException || failure instanceof HttpTimeoutException) {
                return " did not answer in time";
            }
            return failure instanceof ConnectException && failure.getMessage() == null
                    ? " cannot be connected to"
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

        RuntimeException given(@Nullable InterruptedException interruption) {
            Throwable why = interruption == null ? cause : interruption;
            String text = call + (interruption == null ? ": " + last : " was interrupted");
            return mayHaveArrived && call.repeat() != Call.Repeat.READ
                    ? new OutcomeUnknownException(text + "; it may or may not have taken effect", why)
                    : new UnavailableException(text, why);
        }
    }
}
