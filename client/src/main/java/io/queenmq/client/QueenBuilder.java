package io.queenmq.client;

import static java.util.Objects.requireNonNull;

import io.queenmq.client.wire.Endpoints;
import io.queenmq.client.wire.Wire;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Configures and creates a client. Not thread-safe. */
public final class QueenBuilder {
    private List<String> urls = List.of();
    private @Nullable Supplier<@Nullable String> token;
    private @Nullable SSLContext sslContext;
    private Duration connectTimeout = Duration.ofSeconds(5);
    private Duration requestTimeout = Duration.ofSeconds(15);
    private Duration retryFor = Duration.ofSeconds(30);
    private int requestsMax = 64;
    private @Nullable Codec codec;
    private Tracing tracing = Tracing.NONE;

    QueenBuilder() {}

    public QueenBuilder url(String url) {
        return urls(List.of(url));
    }

    /**
     * Sets several servers of one database. Requests for the same partition and group start with the same server. If it
     * fails, the next one is used, and the failed one is skipped for five seconds.
     */
    public QueenBuilder urls(List<String> urls) {
        this.urls = List.copyOf(urls);
        return this;
    }

    /** Sets the supplier of the bearer token. It is called before each request, so the token can change. */
    public QueenBuilder token(@Nullable Supplier<@Nullable String> token) {
        this.token = token;
        return this;
    }

    /**
     * Sets the trusted authorities and the client certificate of HTTPS connections; unless set, those of the JVM. The host name in
     * a server's certificate is always verified. A failed handshake is an {@link io.queenmq.client.error.UnavailableException}:
     * the request was not executed.
     */
    public QueenBuilder sslContext(@Nullable SSLContext sslContext) {
        this.sslContext = sslContext;
        return this;
    }

    /** Sets the maximum time to connect (default: 5 seconds). */
    public QueenBuilder connectTimeout(Duration connectTimeout) {
        this.connectTimeout = requirePositive(connectTimeout, "connectTimeout");
        return this;
    }

    /** Sets the maximum time of one attempt, not counting the wait of a pop (default: 15 seconds). */
    public QueenBuilder requestTimeout(Duration requestTimeout) {
        this.requestTimeout = requirePositive(requestTimeout, "requestTimeout");
        return this;
    }

    /**
     * Sets how long a call is retried while servers fail or do not respond (default: 30 seconds; zero for one attempt
     * on each server). Requests that could take effect twice are not repeated. Must be far below one hour, because
     * servers detect duplicates for an hour.
     */
    public QueenBuilder retryFor(Duration retryFor) {
        if (retryFor.isNegative()) {
            throw new IllegalArgumentException("retryFor must not be negative, but is " + retryFor);
        }
        this.retryFor = retryFor;
        return this;
    }

    /**
     * Sets the maximum number of requests in flight, and thereby of connections for them (default: 64). Further
     * requests, for example of {@code pushAsync}, wait. Pops, acknowledgments and renewals do not count.
     */
    public QueenBuilder requestsMax(int requestsMax) {
        if (requestsMax < 1) {
            throw new IllegalArgumentException("requestsMax must be at least 1, not " + requestsMax);
        }
        this.requestsMax = requestsMax;
        return this;
    }

    /** Sets the codec for payloads (default: the one on the class or module path). */
    public QueenBuilder codec(@Nullable Codec codec) {
        this.codec = codec;
        return this;
    }

    /** Sets the propagation of traces in headers of messages (default: none). */
    public QueenBuilder tracing(Tracing tracing) {
        this.tracing = requireNonNull(tracing);
        return this;
    }

    /** Creates the client. No request is sent. */
    public Queen build() {
        Endpoints endpoints = new Endpoints(urls);
        Payloads payloads = codec == null ? Payloads.discovered() : new Payloads(codec);
        return new Queen(Context.of(
                new Wire(endpoints, token, sslContext, connectTimeout, requestTimeout, retryFor, requestsMax), payloads,
                tracing));
    }

    static Duration requirePositive(Duration duration, String what) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(what + " must be more than zero, but is " + duration);
        }
        return duration;
    }
}
