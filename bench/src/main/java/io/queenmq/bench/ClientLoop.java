package io.queenmq.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Connections to one server, or to one for producers and one for consumers. The thread that calls {@link #runUntil} serves
 * all of them.
 */
final class ClientLoop implements AutoCloseable {
    private static final int BUFFER_BYTES = 256 * 1024;
    private static final long SLEEP_MAX_NS = Duration.ofMillis(50).toNanos();
    private static final long NS_PER_MS = Duration.ofMillis(1).toNanos();

    /** Longer than the wait of any pop: without a response in this time, the server hangs. */
    private static final Duration SILENCE_MAX = Duration.ofSeconds(60);

    private final InetSocketAddress address;
    private final InetSocketAddress consumerAddress;
    private final Selector selector;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final List<Connection> connections = new ArrayList<>();
    private long lastReadNs;

    ClientLoop(InetSocketAddress address, InetSocketAddress consumerAddress) {
        this.address = address;
        this.consumerAddress = consumerAddress;
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Opens a connection to the server of producers. */
    Connection open(Connection.Listener listener) {
        return open(address, listener);
    }

    /** Opens a connection to the server of consumers. */
    Connection openConsumer(Connection.Listener listener) {
        return open(consumerAddress, listener);
    }

    private Connection open(InetSocketAddress to, Connection.Listener listener) {
        Connection connection = new Connection(to, selector, buffer, listener);
        connections.add(connection);
        return connection;
    }

    /** Serves the connections until the condition is true. */
    void runUntil(BooleanSupplier isSo, Tick tick) {
        lastReadNs = System.nanoTime();
        while (!isSo.getAsBoolean()) {
            long nowNs = System.nanoTime();
            if (nowNs - lastReadNs > SILENCE_MAX.toNanos()) {
                throw new BenchAbortedException("no answer for " + SILENCE_MAX.toSeconds() + " s");
            }
            select(Math.min(tick.tick(nowNs), SLEEP_MAX_NS));
        }
    }

    boolean isQuiet() {
        return connections.stream().noneMatch(Connection::isBusy);
    }

    private void select(long sleepNs) {
        try {
            if (sleepNs <= 0) {
                selector.selectNow(this::onReady);
            } else {
                selector.select(this::onReady, (sleepNs + NS_PER_MS - 1) / NS_PER_MS);
            }
        } catch (IOException e) {
            throw new BenchAbortedException("the network failed: " + e.getMessage(), e);
        }
    }

    private void onReady(SelectionKey key) {
        lastReadNs = System.nanoTime();
        ((Connection) key.attachment()).onReady();
    }

    @Override
    public void close() {
        connections.forEach(Connection::close);
        try {
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Timed work of a scenario. */
    interface Tick {
        Tick NOTHING = _ -> Long.MAX_VALUE;

        /** Runs due work and returns the maximum time in nanoseconds until the next call. */
        long tick(long nowNs);
    }
}
