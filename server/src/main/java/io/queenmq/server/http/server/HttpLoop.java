package io.queenmq.server.http.server;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.queenmq.server.config.HttpConfig;
import io.queenmq.server.http.json.JsonBuffer;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.ServerSSLOptions;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One event loop that handles requests. All loops listen on the same port and share its connections. Must be used on the thread
 * of the loop, except {@link #drain}.
 */
final class HttpLoop extends VerticleBase {
    /** Longer than the longest waiting pop, whose connection is idle all the time. */
    private static final int IDLE_MINUTES_MAX = 65;

    /** Three names of 255 characters fit into an address in any escaped form. */
    private static final int ADDRESS_BYTES_MAX = 16 * 1024;

    /** Vert.x interprets port 0 as a free port for each loop, and a negative number as one free port for all loops. */
    private static final int ANY_SHARED_PORT = -1;

    private static final long HANDSHAKE_MS_MAX = 10_000;

    private static final long REFUSAL_LOG_EVERY_MS = 60_000;

    private final int number;
    private final HttpConfig config;
    private final RequestMeters meters;
    private final JsonBuffer json = new JsonBuffer();
    private final Bounds bounds;
    private final boolean hasClientCertificates;
    private final HttpServerOptions options;
    private final Connections connections;
    private final BrowserPolicy browsers;
    private final RouteSetup setup;
    private final Router router = new Router(this);
    private final Promise<Void> drained = Promise.promise();
    private @Nullable AnswerQueue answers;
    private @Nullable HttpServer server;
    private int inProgress;
    private volatile boolean isDraining;

    /** @param tls null for plain HTTP */
    HttpLoop(int number, HttpConfig config, @Nullable TlsFiles tls, Bounds bounds, RequestMeters meters,
            RouteSetup setup) {
        this.number = number;
        this.config = config;
        this.bounds = bounds;
        this.meters = meters;
        this.setup = setup;
        this.browsers = new BrowserPolicy(config.exposure());
        this.hasClientCertificates = tls != null && tls.clientCa().isPresent();
        this.options = options(tls);
        this.connections = new Connections(options, bounds);
    }

    @Override
    public Future<?> start() {
        Thread.currentThread().setName("queen-http-" + number);
        answers = new AnswerQueue(context);
        connections.start(vertx);
        setup.addTo(router, context);
        if (number == 0) {
            vertx.setPeriodic(REFUSAL_LOG_EVERY_MS, _ -> bounds.refusals().writeLog());
        }
        server = vertx.createHttpServer(options).connectionHandler(connections::add).requestHandler(this::handle)
                .invalidRequestHandler(this::handleMalformed).exceptionHandler(this::onConnectionFailure);
        return server.listen();
    }

    private HttpServerOptions options(@Nullable TlsFiles tls) {
        HttpServerOptions options = new HttpServerOptions();
        options.setHost(config.exposure().address()).setPort(config.port() == 0 ? ANY_SHARED_PORT : config.port());
        options.setMaxInitialLineLength(ADDRESS_BYTES_MAX).setMaxHeaderSize(ADDRESS_BYTES_MAX);
        options.setHandle100ContinueAutomatically(true).setHttp2ClearTextEnabled(false);
        options.setPerFrameWebSocketCompressionSupported(false).setPerMessageWebSocketCompressionSupported(false);
        options.setIdleTimeout(IDLE_MINUTES_MAX).setIdleTimeoutUnit(TimeUnit.MINUTES).setTcpKeepAlive(true);
        options.setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS).setSslHandshakeTimeout(
                Math.min(HANDSHAKE_MS_MAX, config.limits().connections().firstRequestTimeout().toMillis()));
        if (tls != null) {
            ServerSSLOptions files = tls.options();
            options.setSsl(true).setUseAlpn(false).setKeyCertOptions(files.getKeyCertOptions())
                    .setTrustOptions(files.getTrustOptions()).setClientAuth(files.getClientAuth());
        }
        return options;
    }

    private void handle(HttpServerRequest request) {
        inProgress++;
        Connection.of(request).requestBegan();
        String rejection = browsers.check(request);
        if (isDraining) {
            new Exchange(this, request, RequestPath.ROOT).overloaded("this server is shutting down");
        } else if (rejection != null) {
            new Exchange(this, request, RequestPath.ROOT).errorAndClose(403, rejection);
        } else if (request.method() == HttpMethod.OPTIONS) {
            new Exchange(this, request, RequestPath.ROOT).noContent();
        } else {
            router.handle(request);
        }
    }

    /** Called with a request that could not be decoded. Vert.x closes its connection after the response. */
    private void handleMalformed(HttpServerRequest request) {
        inProgress++;
        Connection.of(request).requestBegan();
        bounds.refusals().count(Refusals.Reason.MALFORMED);
        Exchange exchange = new Exchange(this, request, RequestPath.ROOT);
        switch (request.decoderResult().cause()) {
            case MalformedRequest malformed -> exchange.errorAndClose(malformed.status(), malformed.getMessage());
            case TooLongHttpLineException _ ->
                exchange.errorAndClose(414, "the request line is longer than " + ADDRESS_BYTES_MAX + " bytes");
            case TooLongHttpHeaderException _ ->
                exchange.errorAndClose(431, "the headers are longer than " + ADDRESS_BYTES_MAX + " bytes");
            default -> exchange.errorAndClose(400, "the request is not valid HTTP");
        }
    }

    /** Called with the failure of a connection before its first request, such as that of a TLS handshake. */
    private void onConnectionFailure(Throwable failure) {
        if (failure instanceof SSLException) {
            bounds.refusals().count(Refusals.Reason.TLS_HANDSHAKE);
        }
    }

    /** Called when the request is answered or its client has closed the connection. */
    void onEnd(HttpServerRequest request) {
        Connection.of(request).requestEnded();
        inProgress--;
        completeIfDrained();
    }

    /** Rejects new requests. Completes when the requests in progress are answered. Safe from any thread. */
    Future<Void> drain() {
        isDraining = true;
        context.runOnContext(_ -> completeIfDrained());
        return drained.future();
    }

    private void completeIfDrained() {
        if (isDraining && inProgress == 0) {
            drained.tryComplete();
        }
    }

    @Override
    public Future<?> stop() {
        return server().close();
    }

    /** Returns true if every client has presented a certificate. */
    boolean hasClientCertificates() {
        return hasClientCertificates;
    }

    HttpServer server() {
        return Objects.requireNonNull(server);
    }

    int port() {
        return server().actualPort();
    }

    boolean isDraining() {
        return isDraining;
    }

    AnswerQueue answers() {
        return Objects.requireNonNull(answers);
    }

    RequestMeters meters() {
        return meters;
    }

    Bounds bounds() {
        return bounds;
    }

    Context loopContext() {
        return context;
    }

    JsonBuffer json() {
        return json;
    }
}
