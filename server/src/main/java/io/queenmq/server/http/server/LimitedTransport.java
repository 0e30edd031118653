package io.queenmq.server.http.server;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.datagram.DatagramSocketOptions;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.spi.transport.Transport;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Applies the {@link ConnectionLimit} of a port when a connection is accepted. Vert.x reports a connection only after its TLS
 * handshake, which is too late: connections that never finish it take descriptors, too. All other methods delegate to the
 * native transport. Safe from any thread.
 */
@SuppressWarnings("deprecation")
public final class LimitedTransport implements Transport {
    private final Transport transport;
    private final Map<Integer, ConnectionLimit> limits = new ConcurrentHashMap<>();

    private LimitedTransport(Transport transport) {
        this.transport = transport;
    }

    /** Returns a Vert.x instance whose servers can be limited. */
    public static Vertx vertx(VertxOptions options) {
        var available = io.vertx.core.transport.Transport.nativeTransport();
        var chosen = available != null && available.available() ? available : io.vertx.core.transport.Transport.NIO;
        LimitedTransport limited = new LimitedTransport(chosen.implementation());
        return Vertx.builder().with(options).withTransport(new io.vertx.core.transport.Transport() {
            @Override
            public String name() {
                return chosen.name();
            }

            @Override
            public boolean available() {
                return true;
            }

            @Override
            public @Nullable Throwable unavailabilityCause() {
                return null;
            }

            @Override
            public Transport implementation() {
                return limited;
            }
        }).build();
    }

    /** Limits the connections of the port from now on. The instance must have been created by {@link #vertx}. */
    static void limit(Vertx vertx, int port, ConnectionLimit limit) {
        of(vertx).limits.put(port, limit);
    }

    static void unlimit(Vertx vertx, int port) {
        of(vertx).limits.remove(port);
    }

    private static LimitedTransport of(Vertx vertx) {
        return (LimitedTransport) ((VertxInternal) vertx).transport();
    }

    @Override
    public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
        transport.configure(options, domainSocket, bootstrap);
        bootstrap.handler(new Acceptor());
    }

    /** Closes connections above the limit before they are registered with an event loop. */
    private final class Acceptor extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            Channel accepted = (Channel) message;
            ConnectionLimit limit = context.channel().localAddress() instanceof InetSocketAddress address
                    ? limits.get(address.getPort())
                    : null;
            if (limit == null || limit.enter(accepted)) {
                context.fireChannelRead(message);
            } else {
                accepted.unsafe().closeForcibly();
            }
        }
    }

    @Override
    public boolean supportsDomainSockets() {
        return transport.supportsDomainSockets();
    }

    @Override
    public boolean supportFileRegion() {
        return transport.supportFileRegion();
    }

    @Override
    public SocketAddress convert(io.vertx.core.net.SocketAddress address) {
        return transport.convert(address);
    }

    @Override
    public io.vertx.core.net.SocketAddress convert(SocketAddress address) {
        return transport.convert(address);
    }

    @Override
    public IoHandlerFactory ioHandlerFactory() {
        return transport.ioHandlerFactory();
    }

    @Override
    public EventLoopGroup eventLoopGroup(int type, int nThreads, ThreadFactory threadFactory, int ioRatio) {
        return transport.eventLoopGroup(type, nThreads, threadFactory, ioRatio);
    }

    @Override
    public DatagramChannel datagramChannel() {
        return transport.datagramChannel();
    }

    @Override
    public DatagramChannel datagramChannel(InternetProtocolFamily family) {
        return transport.datagramChannel(family);
    }

    @Override
    public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
        return transport.channelFactory(domainSocket);
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
        return transport.serverChannelFactory(domainSocket);
    }

    @Override
    public void configure(DatagramChannel channel, DatagramSocketOptions options) {
        transport.configure(channel, options);
    }

    @Override
    public void configure(ClientOptionsBase options, int connectTimeout, boolean domainSocket, Bootstrap bootstrap) {
        transport.configure(options, connectTimeout, domainSocket, bootstrap);
    }
}
