package io.queenmq.server.postgres;

import io.netty.channel.ChannelHandlerContext;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.impl.SocketConnectionBase;
import io.vertx.sqlclient.internal.SqlConnectionInternal;

/** Closes the socket of a connection. */
final class Wire {
    private Wire() {}

    /**
     * Closes the socket immediately, which fails all pending calls. The close of the connection would wait for the response to
     * the call under way. The close of the channel would pass through the encoder of the client, which sends a termination
     * message and waits for PostgreSQL. So the socket must be closed below the encoder. No effect on a closed connection. Safe
     * from any thread.
     */
    static void cut(SqlConnection connection) {
        if (((SqlConnectionInternal) connection).unwrap().unwrap() instanceof SocketConnectionBase socket) {
            // Null if the channel is closed, because then it has no handlers.
            ChannelHandlerContext lowest = socket.socket().channelHandlerContext().pipeline().firstContext();
            if (lowest != null) {
                lowest.close();
            }
        }
    }
}
