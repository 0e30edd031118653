package io.queenmq.server.http.server;

import io.queenmq.dashboard.Asset;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.time.Clock;
import io.queenmq.server.auth.Identity;
import io.queenmq.server.auth.Rights;
import io.queenmq.server.auth.Role;
import io.queenmq.server.http.json.BadRequest;
import io.queenmq.server.http.json.JsonBuffer;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.SocketAddress;
import java.util.Objects;
import java.util.function.Consumer;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request and its response. Must be used on the event loop of the request, except {@link #isGone}. */
public final class Exchange {
    private static final Logger log = LoggerFactory.getLogger(Exchange.class);
    private static final CharSequence JSON = HttpHeaders.createOptimized("application/json");
    private static final CharSequence RETRY_AFTER = HttpHeaders.createOptimized("retry-after");
    private static final CharSequence CONTENT_TYPE_OPTIONS = HttpHeaders.createOptimized("x-content-type-options");
    private static final CharSequence NO_SNIFF = HttpHeaders.createOptimized("nosniff");

    /** A body up to this length is read even if its request is already answered, so that the connection can be reused. */
    private static final long DROPPED_BYTES_MAX = 1 << 20;

    private final HttpLoop loop;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final long sinceNs = Clock.SYSTEM.nowNs();
    private final RequestPath path;
    private @Nullable Identity identity;
    private @Nullable Runnable onForbidden;
    private RequestMeters.@Nullable Kind kind;
    private int messages;
    private Bodies.@Nullable Body body;
    private @Nullable AnswerWriter writer;
    private int repliesUnderWay;
    private boolean isEnded;
    private boolean isLast;
    private volatile boolean isGone;

    Exchange(HttpLoop loop, HttpServerRequest request, RequestPath path) {
        this.loop = loop;
        this.request = request;
        this.path = path;
        this.response = request.response();
        response.endHandler(_ -> onEnd());
    }

    public HttpServerRequest request() {
        return request;
    }

    /** Returns the path of the request as it was sent. The router rejects requests without a path. */
    public String rawPath() {
        return Objects.requireNonNull(request.path());
    }

    /** Returns the query of the request. */
    public QueryString query() {
        return QueryString.parse(request.query());
    }

    public RequestPath path() {
        return path;
    }

    /** The address that the client connected from. Never null. */
    public String clientAddress() {
        SocketAddress address = request.remoteAddress();
        return address == null || address.hostAddress() == null ? "unknown" : address.hostAddress();
    }

    /** Returns the subject of the token of the request; null if it has none. */
    public @Nullable String tokenSubject() {
        return identity == null ? null : identity.subject();
    }

    /** Returns the name that the audit log records: the subject of the token, or else of the client certificate, or null. */
    public @Nullable String actor() {
        if (identity != null || !loop.hasClientCertificates()) {
            return tokenSubject();
        }
        try {
            return request.connection().sslSession().getPeerPrincipal().getName();
        } catch (SSLPeerUnverifiedException _) {
            return null;
        }
    }

    /** Returns the upper bound of what the caller may do: the role admin if no token is needed, or if only the rights decide. */
    Role role() {
        if (identity == null) {
            return Role.ADMIN;
        }
        return identity.role() == Role.NONE && identity.rights() != null ? Role.ADMIN : identity.role();
    }

    /** Returns the rights of the caller on queues; null if only the role decides. */
    public @Nullable Rights rights() {
        return identity == null ? null : identity.rights();
    }

    /** Returns the caller; null if requests need no credentials. */
    public @Nullable Identity identity() {
        return identity;
    }

    /** Returns true if the caller may remove messages of all queues, or their protection. */
    public boolean mayRemove() {
        return role() == Role.ADMIN;
    }

    /**
     * Sets the caller, whose credentials were verified.
     *
     * @param onForbidden counts and records that the request was rejected because its caller lacks a right
     */
    public void setCaller(Identity caller, Runnable onForbidden) {
        this.identity = caller;
        this.onForbidden = onForbidden;
    }

    /** Rejects a request whose authenticated caller lacks a right. */
    public void forbid(String message) {
        if (onForbidden != null) {
            onForbidden.run();
        }
        error(403, message);
    }

    /** Sets the operation for the metrics. */
    public void countAs(RequestMeters.@Nullable Kind kind) {
        this.kind = kind;
    }

    /** Sets the number of messages of the request or response for the metrics. */
    public void countMessages(int messages) {
        this.messages = messages;
    }

    /** Starts to detect that the client closes the connection, see {@link #isGone}. */
    public void watchClient() {
        response.closeHandler(_ -> isGone = true);
    }

    /** Returns true if the client has closed the connection. Safe from any thread. */
    public boolean isGone() {
        return isGone;
    }

    /** Returns a reply for the engine. A failure is answered with the usual error. */
    public <T extends @Nullable Object> Reply<T> reply(Consumer<T> onOutcome) {
        return reply(onOutcome, this::failure);
    }

    public <T extends @Nullable Object> Reply<T> reply(Consumer<T> onOutcome, Consumer<Failure> onFailure) {
        repliesUnderWay++;
        return new HttpReply<>(loop.answers(), this, onOutcome, onFailure);
    }

    /** Called after the outcome of one of the replies was handled. */
    void replied() {
        repliesUnderWay--;
        releaseBody();
    }

    /**
     * Reads the body of the request and calls the consumer with it, once. If the body times out or
     * exceeds the memory limit, the request is answered instead.
     */
    public void readBody(Consumer<byte[]> onBody) {
        BodyReader.read(this, loop, onBody);
    }

    /** Sets the body of the request. It counts as in memory until the request is answered and all replies have arrived. */
    void setBody(Bodies.Body body) {
        this.body = body;
    }

    /** Called when the response is written or the client has closed the connection. */
    private void onEnd() {
        isEnded = true;
        if (writer != null) {
            writer.end();
        }
        loop.onEnd(request);
        releaseBody();
        if (isLast && request.isEnded()) {
            request.connection().close();
        }
    }

    /**
     * Releases the body if the request has ended. While the engine processes it, the body is in memory even if the client has
     * disconnected.
     */
    private void releaseBody() {
        if (isEnded && repliesUnderWay <= 0 && body != null) {
            body.close();
        }
    }

    /** Returns the empty buffer of the event loop. The response must be written and sent without returning to the loop. */
    public JsonBuffer json() {
        return loop.json().clear();
    }

    /** Sends the response. The future fails if the response could not be written to the network. */
    public Future<Void> send(int status, JsonBuffer json) {
        if (response.closed()) {
            return Future.failedFuture("the client has hung up");
        }
        begin(status).putHeader(HttpHeaders.CONTENT_TYPE, JSON).putHeader(CONTENT_TYPE_OPTIONS, NO_SNIFF);
        if (json.length() > AnswerWriter.WHOLE_BYTES_MAX) {
            int length = json.length();
            writer = new AnswerWriter(response, json.detach(), length);
            return writer.write();
        }
        return response.end(Buffer.buffer(json.length()).appendBytes(json.bytes(), 0, json.length()));
    }

    /** Sends a JSON document. */
    public void sendDocument(int status, String json) {
        if (!response.closed()) {
            begin(status).putHeader(HttpHeaders.CONTENT_TYPE, JSON).putHeader(CONTENT_TYPE_OPTIONS, NO_SNIFF).end(json);
        }
    }

    /** Sends a page for browsers that must not be cached. */
    public void sendPage(String type, String text) {
        if (!response.closed()) {
            SecurityHeaders.addTo(response.headers(), request.isSSL());
            begin(200).putHeader(HttpHeaders.CONTENT_TYPE, type).putHeader(HttpHeaders.CACHE_CONTROL, "no-cache")
                    .end(text);
        }
    }

    /**
     * Sends the page of the dashboard. Browsers must not cache it, because it names the assets of this release.
     *
     * @param tokenOrigin the foreign origin that its scripts may send requests to; null if there is none
     */
    public void sendDashboard(String page, String importMapHash, @Nullable String tokenOrigin) {
        if (!response.closed()) {
            SecurityHeaders.addTo(response.headers(), request.isSSL(), importMapHash, tokenOrigin);
            begin(200).putHeader(HttpHeaders.CONTENT_TYPE, "text/html; charset=utf-8")
                    .putHeader(HttpHeaders.CACHE_CONTROL, "no-store").end(page);
        }
    }

    /** Sends a page without scripts. */
    public void sendPage(int status, String page) {
        if (!response.closed()) {
            SecurityHeaders.addTo(response.headers(), request.isSSL());
            begin(status).putHeader(HttpHeaders.CONTENT_TYPE, "text/html; charset=utf-8")
                    .putHeader(HttpHeaders.CACHE_CONTROL, "no-cache").end(page);
        }
    }

    /** Sends a file that may be another one in the next release. */
    public void sendFile(Asset file) {
        if (!response.closed()) {
            SecurityHeaders.addTo(response.headers(), request.isSSL());
            begin(200).putHeader(HttpHeaders.CONTENT_TYPE, file.type()).putHeader(HttpHeaders.CACHE_CONTROL, "no-cache")
                    .end(Buffer.buffer(file.bytes()));
        }
    }

    /** Sends a file that browsers may cache without limit, or 304 if the browser has it. */
    public void sendAsset(Asset asset, String tag) {
        if (response.closed()) {
            return;
        }
        SecurityHeaders.addTo(response.headers(), request.isSSL());
        boolean isKnown = tag.equals(request.getHeader(HttpHeaders.IF_NONE_MATCH));
        begin(isKnown ? 304 : 200).putHeader(HttpHeaders.ETAG, tag).putHeader(HttpHeaders.VARY, "Accept-Encoding")
                .putHeader(HttpHeaders.CACHE_CONTROL, "public, max-age=31536000, immutable");
        if (isKnown) {
            response.end();
            return;
        }
        response.putHeader(HttpHeaders.CONTENT_TYPE, asset.type());
        String accepted = request.getHeader(HttpHeaders.ACCEPT_ENCODING);
        if (asset.gzip() != null && accepted != null && accepted.contains("gzip")) {
            response.putHeader(HttpHeaders.CONTENT_ENCODING, "gzip").end(Buffer.buffer(asset.gzip()));
        } else {
            response.end(Buffer.buffer(asset.bytes()));
        }
    }

    public void noContent() {
        if (!response.closed()) {
            begin(204).end();
        }
    }

    public Future<Void> error(int status, String message) {
        return send(status, json().raw("{\"error\":").string(message).raw("}"));
    }

    public void failure(Failure failure) {
        int status = switch (failure) {
            case Failure.Unavailable _, Failure.Overloaded _, Failure.Maintenance _ -> 503;
            case Failure.Refused _ -> 500;
        };
        if (status == 503) {
            response.putHeader(RETRY_AFTER, "1");
        }
        JsonBuffer json = json().raw("{\"success\":false,\"error\":").string(failure.message());
        send(status, json.raw(",\"outcome\":").string(failure.isNothingDone() ? "none" : "unknown").raw("}"));
    }

    /** Answers 503 for a limit that was reached temporarily. */
    void overloaded(String message) {
        failure(new Failure.Overloaded(message));
    }

    /** Runs a step of the request and answers the request if the step fails. */
    public void attempt(Runnable step) {
        try {
            step.run();
        } catch (BadRequest e) {
            error(400, e.getMessage());
        } catch (RuntimeException e) {
            internalError(e);
        }
    }

    /** Answers 500 for a defect of the server. The cause is logged and not sent to the client. */
    public void internalError(Throwable cause) {
        log.error("request failed: {} {}", request.method(), request.path(), cause);
        if (!response.ended()) {
            error(500, "internal error");
        }
    }

    /** Sends the error and closes the connection, even if the request was not read completely. */
    Future<Void> errorAndClose(int status, String message) {
        isLast = true;
        return error(status, message);
    }

    private HttpServerResponse begin(int status) {
        if (kind != null) {
            loop.meters().answered(kind, Clock.SYSTEM.nowNs() - sinceNs, status, messages);
        }
        response.setStatusCode(status);
        if (!request.isEnded() && request.decoderResult().isSuccess()) {
            dropBody();
        }
        if (isLast || loop.isDraining()) {
            response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        return response;
    }

    /** Closes the connection after the response if the rest of the body is large. Vert.x would read it without a limit. */
    private void dropBody() {
        MultiMap headers = request.headers();
        String length = headers.get(HttpHeaders.CONTENT_LENGTH);
        boolean isChunked = headers.contains(HttpHeaders.TRANSFER_ENCODING);
        isLast |= isChunked || length != null && Long.parseLong(length) > DROPPED_BYTES_MAX;
        if (isLast || length != null) {
            Connection.of(request).dropBody(request, isLast);
        }
    }
}
