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

/**
 * One connection, and since when it is waited for its client: to send the head of a request, to send its body, or to read
 * an answer. Stands first in the pipeline, where it sees that something came. Owned by one event loop.
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
    private BodyReader body;
    private boolean isBodyUnread;
    private long unreadSinceNs;
    private long unreadLastNs;
    private Object writing;
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

    /** The head of a request has come. */
    void requestBegan() {
        isInRequest = true;
        hasRequested = true;
    }

    /** The request is answered; the next one may begin whenever its client likes. */
    void requestEnded() {
        isInRequest = false;
        isHeadBegun = false;
        body = null;
    }

    /** The body that is being read; null when none is any more. */
    void reading(BodyReader reader) {
        body = reader;
    }

    /**
     * The request is answered before its body was read. The rest is read and dropped, because a client that is still sending
     * would not see the answer otherwise, but only for a limited time.
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

    /** Nothing is read any more, so that the client cannot send any more, until it goes on. */
    void pause() {
        channel.config().setAutoRead(false);
    }

    void goOn() {
        channel.config().setAutoRead(true);
    }

    /** Closes at once, from the front of the pipeline: those behind would wait until everything is written. */
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

    /** Returns how long ago a request was answered whose body still comes; 0 if there is none. */
    long unreadNs(long nowNs) {
        return isBodyUnread ? nowNs - unreadSinceNs : 0;
    }

    /** Returns for how long nothing came of such a body. */
    long unreadSilenceNs(long nowNs) {
        return isBodyUnread ? nowNs - unreadLastNs : 0;
    }

    /** How long ago its client began to send a head that is not complete; 0 when it has not begun. */
    long headOverdueNs(long nowNs) {
        return isInRequest || !isHeadBegun ? 0 : nowNs - headSinceNs;
    }

    BodyReader body() {
        return body;
    }

    /** How long its client has taken nothing of what is there for it; 0 when nothing is. */
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
