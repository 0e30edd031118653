package io.queenmq.client;

import static java.util.Objects.requireNonNull;

import io.queenmq.client.wire.Endpoints;
import io.queenmq.client.wire.Wire;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The settings of a client. For one thread. */
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
     * Several servers beside one database. The same partition and group always begin with the same server; when it fails, the
     * next is asked, and the failed one is left alone for five seconds.
     */
    public QueenBuilder urls(List<String> urls) {
        this.urls = List.copyOf(urls);
        return this;
    }

    /** The bearer token, asked for before each request, so that it can change. */
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

    /** 5 seconds unless set. */
    public QueenBuilder connectTimeout(Duration connectTimeout) {
        this.connectTimeout = requirePositive(connectTimeout, "connectTimeout");
        return this;
    }

    /** How long one attempt may take, waiting pops apart; 15 seconds unless set. */
    public QueenBuilder requestTimeout(Duration requestTimeout) {
        this.requestTimeout = requirePositive(requestTimeout, "requestTimeout");
        return this;
    }

    /**
     * How long a call goes on trying when servers fail or do not answer; 30 seconds unless set, zero for a single round.
     * Nothing is done twice by it: what could be is not repeated. Stay far below the hour for which servers know duplicates.
     */
    public QueenBuilder retryFor(Duration retryFor) {
        if (retryFor.isNegative()) {
            throw new IllegalArgumentException("retryFor must not be negative, but is " + retryFor);
        }
        this.retryFor = retryFor;
        return this;
    }

    /**
     * How many requests may be under way at a time, and so how many connections are opened for them; 64 unless set. Further ones,
     * by {@code pushAsync} for example, wait for their turn. Pops, acknowledgements and renewals do not count.
     */
    public QueenBuilder requestsMax(int requestsMax) {
        if (requestsMax < 1) {
            throw new IllegalArgumentException("requestsMax must be at least 1, not " + requestsMax);
        }
        this.requestsMax = requestsMax;
        return this;
    }

    /** How payloads become JSON; unless set, the one that is found on the class or module path. */
    public QueenBuilder codec(@Nullable Codec codec) {
        this.codec = codec;
        return this;
    }

    /** What carries traces in the headers of messages; nothing unless set. */
    public QueenBuilder tracing(Tracing tracing) {
        this.tracing = requireNonNull(tracing);
        return this;
    }

    /** The client. Nothing is sent yet. */
    public Queen build() {
        Endpoints endpoints = new Endpoints(urls);
        Payloads payloads = codec == null ? Payloads.discovered() : new Payloads(codec);
        return new Queen(Context.of(new Wire(endpoints, token, sslContext, connectTimeout, requestTimeout, retryFor,
                requestsMax), payloads, tracing));
    }

    static Duration requirePositive(Duration duration, String what) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(what + " must be more than zero, but is " + duration);
        }
        return duration;
    }
}
