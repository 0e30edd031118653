package io.queenmq.server.http.server;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * One client connection, with the start of the current wait for the client: for the head of a request, for its body, or for
 * reading a response. Must be the first handler of the pipeline, so that it sees all received bytes. Owned by one event loop.
 */
final class Connection extends ChannelInboundHandlerAdapter {
    private static final AttributeKey<Connection> KEY = AttributeKey.valueOf("queen.connection");

    private final Connections connections;
    private final Channel channel;
    private final long openSinceNs;
    private boolean hasRequested;
    private boolean isInRequest;
    private boolean isHeadBegun;
    private long headSinceNs;
    private @Nullable BodyReader body;
    private boolean isBodyUnread;
    private long unreadSinceNs;
    private long unreadLastNs;
    private @Nullable Object writing;
    private long unwritten;
    private long written;
    private long writingSinceNs;

    Connection(Connections connections, Channel channel) {
        this.connections = connections;
        this.channel = channel;
        this.openSinceNs = connections.nowNs();
        channel.attr(KEY).set(this);
    }

    static Connection of(HttpServerRequest request) {
        return ((HttpServerConnection) request.connection()).channelHandlerContext().channel().attr(KEY).get();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (isBodyUnread) {
            unreadLastNs = connections.nowNs();
        } else if (!isInRequest && !isHeadBegun) {
            isHeadBegun = true;
            headSinceNs = connections.nowNs();
        }
        context.fireChannelRead(message);
    }

    long nowNs() {
        return connections.nowNs();
    }

    /** Called when the head of a request was received. */
    void requestBegan() {
        isInRequest = true;
        hasRequested = true;
    }

    /** Called when the request is answered. There is no time limit for the start of the next request. */
    void requestEnded() {
        isInRequest = false;
        isHeadBegun = false;
        body = null;
    }

    /** Sets the body that is being read; null if there is none. */
    void reading(@Nullable BodyReader reader) {
        body = reader;
    }

    /**
     * Called when a request is answered before its body was read. The rest of the body is read and dropped for a limited time,
     * because a client that is still sending would not read the response otherwise.
     *
     * @param isLast true if the connection is closed after that
     */
    void dropBody(HttpServerRequest request, boolean isLast) {
        isBodyUnread = true;
        unreadSinceNs = connections.nowNs();
        unreadLastNs = unreadSinceNs;
        request.handler(_ -> {});
        request.endHandler(_ -> {
            isBodyUnread = false;
            isHeadBegun = false;
            if (isLast) {
                request.connection().close();
            }
        });
    }

    /** Stops reading from the connection until {@link #resume}. TCP then blocks the client. */
    void pause() {
        channel.config().setAutoRead(false);
    }

    void resume() {
        channel.config().setAutoRead(true);
    }

    /** Closes the connection at once. Closing at another place of the pipeline would first wait for pending writes. */
    void close() {
        channel.pipeline().context(this).close();
    }

    /** Returns the address of the client. */
    InetAddress client() {
        return channel.remoteAddress() instanceof InetSocketAddress address
                ? address.getAddress()
                : InetAddress.getLoopbackAddress();
    }

    /** Returns how long the connection is open if it has not sent a request yet, otherwise 0. */
    long withoutRequestNs(long nowNs) {
        return hasRequested ? 0 : nowNs - openSinceNs;
    }

    /** Returns the time since a request was answered whose body is still being received; 0 if there is none. */
    long unreadNs(long nowNs) {
        return isBodyUnread ? nowNs - unreadSinceNs : 0;
    }

    /** Returns how long nothing of such a body was received. */
    long unreadSilenceNs(long nowNs) {
        return isBodyUnread ? nowNs - unreadLastNs : 0;
    }

    /** Returns the time since the first byte of an incomplete head; 0 if there is none. */
    long headOverdueNs(long nowNs) {
        return isInRequest || !isHeadBegun ? 0 : nowNs - headSinceNs;
    }

    @Nullable
    BodyReader body() {
        return body;
    }

    /** Returns how long the client has read nothing of a pending response; 0 if there is none. */
    long answerOverdueNs(long nowNs) {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        if (buffer == null || buffer.current() == null) {
            writing = null;
            return 0;
        }
        if (buffer.current() != writing || buffer.totalPendingWriteBytes() != unwritten
                || buffer.currentProgress() != written) {
            writing = buffer.current();
            unwritten = buffer.totalPendingWriteBytes();
            written = buffer.currentProgress();
            writingSinceNs = nowNs;
        }
        return nowNs - writingSinceNs;
    }
}
