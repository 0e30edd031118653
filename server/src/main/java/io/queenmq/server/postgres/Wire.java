package io.queenmq.server.postgres;

import io.netty.channel.ChannelHandlerContext;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.impl.SocketConnectionBase;
import io.vertx.sqlclient.internal.SqlConnectionInternal;

/** The socket under a connection. */
final class Wire {
    private Wire() {}

    /**
     * Closes the socket at once; whoever waits for an answer is told. The connection's own close waits for the answer to
     * what is under way. That of the channel goes through the client's encoder, which says goodbye to PostgreSQL and then
     * waits for it to hang up. So it is closed below the encoder. Has no effect on a connection that is closed. Safe from any
     * thread.
     */
    static void cut(SqlConnection connection) {
        if (((SqlConnectionInternal) connection).unwrap().unwrap() instanceof SocketConnectionBase socket) {
            // A closed channel has no handlers any more.
            ChannelHandlerContext lowest = socket.socket().channelHandlerContext().pipeline().firstContext();
            if (lowest != null) {
                lowest.close();
            }
        }
    }
}
