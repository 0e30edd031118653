package io.queenmq.server.http.server;

import io.netty.channel.Channel;
import io.queenmq.server.config.HttpConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the open connections of clients, in total and by address, from the accept to the close. Safe from any thread;
 * {@link #enter} is called only by the thread that accepts connections.
 */
final class ConnectionLimit {
    private final HttpConfig.ConnectionLimits limits;
    private final Refusals refusals;
    private final AtomicInteger open = new AtomicInteger();
    /** One entry for each address with an open connection, so its size is bounded by the limit. */
    private final Map<Long, Integer> openByAddress = new ConcurrentHashMap<>();

    ConnectionLimit(HttpConfig.ConnectionLimits limits, Refusals refusals) {
        this.limits = limits;
        this.refusals = refusals;
    }

    /** Counts the connection until it is closed. Returns false if it is above a limit, and does not count it then. */
    boolean enter(Channel accepted) {
        InetAddress address = accepted.remoteAddress() instanceof InetSocketAddress remote ? remote.getAddress() : null;
        if (address == null) {
            // The client closed the connection before it was accepted.
            return false;
        }
        if (open.get() >= limits.max()) {
            refusals.count(Refusals.Reason.CONNECTIONS, address);
            return false;
        }
        Long key = keyOf(address);
        if (openByAddress.merge(key, 1, Integer::sum) > limits.perAddressMax()) {
            leave(key);
            refusals.count(Refusals.Reason.CONNECTIONS_OF_ADDRESS, address);
            return false;
        }
        open.incrementAndGet();
        accepted.closeFuture().addListener(_ -> {
            open.decrementAndGet();
            leave(key);
        });
        return true;
    }

    int open() {
        return open.get();
    }

    private void leave(Long key) {
        openByAddress.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
    }

    /** Returns the address, or for IPv6 its network: a client usually has a whole /64 for itself. */
    static Long keyOf(InetAddress address) {
        byte[] bytes = address.getAddress();
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return bytes.length == Integer.BYTES ? Integer.toUnsignedLong(buffer.getInt()) : buffer.getLong();
    }
}
