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
import java.util.function.Consumer;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request and its answer. Used by the event loop the request came from, but for {@link #isGone}. */
public final class Exchange {
    private static final Logger log = LoggerFactory.getLogger(Exchange.class);
    private static final CharSequence JSON = HttpHeaders.createOptimized("application/json");
    private static final CharSequence RETRY_AFTER = HttpHeaders.createOptimized("retry-after");
    private static final CharSequence CONTENT_TYPE_OPTIONS = HttpHeaders.createOptimized("x-content-type-options");
    private static final CharSequence NO_SNIFF = HttpHeaders.createOptimized("nosniff");

    /** A body up to this length is read although its request is answered already, so that the connection can be reused. */
    private static final long DROPPED_BYTES_MAX = 1 << 20;

    private final HttpLoop loop;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final long sinceNs = Clock.SYSTEM.nowNs();
    private final RequestPath path;
    private Identity identity;
    private Runnable onForbidden;
    private RequestMeters.Kind kind;
    private int messages;
    private Bodies.Body body;
    private AnswerWriter writer;
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

    public RequestPath path() {
        return path;
    }

    /** The address that the client connected from. Never null. */
    public String clientAddress() {
        SocketAddress address = request.remoteAddress();
        return address == null || address.hostAddress() == null ? "unknown" : address.hostAddress();
    }

    /** Returns the subject of the token of the request; null if it has none. */
    public String tokenSubject() {
        return identity == null ? null : identity.subject();
    }

    /** Returns the name that the audit log records: the subject of the token, or else of the client certificate, or null. */
    public String actor() {
        if (identity != null || !loop.hasClientCertificates()) {
            return tokenSubject();
        }
        try {
            return request.connection().sslSession().getPeerPrincipal().getName();
        } catch (SSLPeerUnverifiedException _) {
            return null;
        }
    }

    /** Returns the upper bound of what the caller may do: everything where no token is needed, or where rights alone decide. */
    Role role() {
        if (identity == null) {
            return Role.ADMIN;
        }
        return identity.role() == Role.NONE && identity.rights() != null ? Role.ADMIN : identity.role();
    }

    /** Returns the rights of the caller on queues; null when the role alone decides. */
    public Rights rights() {
        return identity == null ? null : identity.rights();
    }

    /** Returns the caller; null when callers need not say who they are. */
    public Identity identity() {
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
    public void by(Identity caller, Runnable onForbidden) {
        this.identity = caller;
        this.onForbidden = onForbidden;
    }

    /** Rejects a request whose caller is known and lacks a right. */
    public void forbid(String message) {
        if (onForbidden != null) {
            onForbidden.run();
        }
        error(403, message);
    }

    /** What is asked for, so that it is counted as such. */
    public void as(RequestMeters.Kind kind) {
        this.kind = kind;
    }

    /** How many messages the request or its answer is about. */
    public void about(int messages) {
        this.messages = messages;
    }

    /** From now on {@link #isGone} knows when the client hangs up. */
    public void watchClient() {
        response.closeHandler(_ -> isGone = true);
    }

    /** Whether the client has hung up. Safe from any thread. */
    public boolean isGone() {
        return isGone;
    }

    /** Where the engine sends its answer; a failure is answered as usual. */
    public <T> Reply<T> reply(Consumer<T> onOutcome) {
        return reply(onOutcome, this::failure);
    }

    public <T> Reply<T> reply(Consumer<T> onOutcome, Consumer<Failure> onFailure) {
        repliesUnderWay++;
        return new HttpReply<>(loop.answers(), this, onOutcome, onFailure);
    }

    /** One of the replies has come and was dealt with. */
    void replied() {
        repliesUnderWay--;
        giveBackBody();
    }

    /**
     * Reads the body of the request and calls the consumer with it, once. The request is answered instead if its body does not
     * come in time or has no room.
     */
    public void readBody(Consumer<byte[]> onBody) {
        BodyReader.read(this, loop, onBody);
    }

    /** The body of the request, which is in memory until all is over. */
    void holds(Bodies.Body body) {
        this.body = body;
    }

    /** The answer is written, or the client is gone. */
    private void onEnd() {
        isEnded = true;
        if (writer != null) {
            writer.end();
        }
        loop.onEnd(request);
        giveBackBody();
        if (isLast && request.isEnded()) {
            request.connection().close();
        }
    }

    /** What the engine has at hand is in memory, whether or not the client is still there. */
    private void giveBackBody() {
        if (isEnded && repliesUnderWay <= 0 && body != null) {
            body.close();
        }
    }

    /** An empty buffer to write the answer into. It belongs to the loop: write and send in one go. */
    public JsonBuffer json() {
        return loop.json().clear();
    }

    /** Sends the answer; the future fails when it could not be handed to the network. */
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

    /** Sends JSON that is text already. */
    public void sendDocument(int status, String json) {
        if (!response.closed()) {
            begin(status).putHeader(HttpHeaders.CONTENT_TYPE, JSON).putHeader(CONTENT_TYPE_OPTIONS, NO_SNIFF).end(json);
        }
    }

    /** Sends something that people open in a browser, and that nobody should keep. */
    public void sendPage(String type, String text) {
        if (!response.closed()) {
            SecurityHeaders.addTo(response.headers(), request.isSSL());
            begin(200).putHeader(HttpHeaders.CONTENT_TYPE, type).putHeader(HttpHeaders.CACHE_CONTROL, "no-cache")
                    .end(text);
        }
    }

    /**
     * Sends the page of the dashboard, which browsers ask for each time: it names the assets of this very release.
     *
     * @param tokenOrigin the foreign origin that its scripts may send requests to; null if there is none
     */
    public void sendDashboard(String page, String importMapHash, String tokenOrigin) {
        if (!response.closed()) {
            SecurityHeaders.addTo(response.headers(), request.isSSL(), importMapHash, tokenOrigin);
            begin(200).putHeader(HttpHeaders.CONTENT_TYPE, "text/html; charset=utf-8")
                    .putHeader(HttpHeaders.CACHE_CONTROL, "no-store").end(page);
        }
    }

    /** Sends a file that browsers may keep for ever, or tells them that they have it. */
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

    /** A bound was reached, and will not be for long. */
    void overloaded(String message) {
        failure(new Failure.Overloaded(message));
    }

    /** Goes on with the request, wherever it had to wait, and answers it when that fails. */
    public void attempt(Runnable step) {
        try {
            step.run();
        } catch (BadRequest e) {
            error(400, e.getMessage());
        } catch (RuntimeException e) {
            bug(e);
        }
    }

    /** Answers for a request that met a fault of ours. What went wrong is for the log, not for the client. */
    public void bug(Throwable cause) {
        log.error("{} {} failed", request.method(), request.path(), cause);
        if (!response.ended()) {
            error(500, "internal error");
        }
    }

    /** Sends the error and closes the connection, whether or not the request was read to its end. */
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

    /** Vert.x would read the rest of the body without a limit, and keep the connection. */
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
