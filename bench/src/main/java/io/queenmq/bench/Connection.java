package io.queenmq.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** One keep-alive connection with at most one request in flight. Owned by the thread of its {@link ClientLoop}. */
final class Connection {
    private final InetSocketAddress address;
    private final Selector selector;
    private final ByteBuffer buffer;
    private final Listener listener;
    private final HttpAnswer answer = new HttpAnswer();
    private SocketChannel channel;
    private SelectionKey key;
    private byte[] request = {};
    private int requestLength;
    private int requestSent;
    private boolean isBusy;
    private long sentNs;

    /** @param buffer direct, and shared by all connections of the loop */
    Connection(InetSocketAddress address, Selector selector, ByteBuffer buffer, Listener listener) {
        this.address = address;
        this.selector = selector;
        this.buffer = buffer;
        this.listener = listener;
        open();
    }

    /** Sends a request. The bytes must not change until the response is complete. */
    void send(byte[] bytes, int length) {
        if (isBusy) {
            throw new IllegalStateException("a request is under way");
        }
        if (!channel.isOpen()) {
            open();
        }
        request = bytes;
        requestLength = length;
        requestSent = 0;
        isBusy = true;
        answer.clear();
        sentNs = System.nanoTime();
        write();
    }

    boolean isBusy() {
        return isBusy;
    }

    /** Returns the time at which the last request was sent. */
    long sentNs() {
        return sentNs;
    }

    void onReady() {
        if (key.isWritable()) {
            write();
        }
        if (key.isReadable()) {
            read();
        }
    }

    void close() {
        try {
            channel.close();
        } catch (IOException _) {
            // The connection is discarded anyway.
        }
    }

    private void open() {
        try {
            channel = SocketChannel.open(address);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            key = channel.register(selector, SelectionKey.OP_READ, this);
        } catch (IOException e) {
            throw new BenchAbortedException(
                    "cannot connect to " + address.getHostString() + ":" + address.getPort() + ": " + e.getMessage(),
                    e);
        }
    }

    private void write() {
        try {
            while (requestSent < requestLength) {
                int part = Math.min(buffer.capacity(), requestLength - requestSent);
                buffer.clear().put(request, requestSent, part).flip();
                int written = channel.write(buffer);
                requestSent += written;
                if (written < part) {
                    key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                    return;
                }
            }
            if (key.interestOps() != SelectionKey.OP_READ) {
                key.interestOps(SelectionKey.OP_READ);
            }
        } catch (IOException e) {
            throw new BenchAbortedException("a request could not be sent: " + e.getMessage(), e);
        }
    }

    private void read() {
        try {
            int count = channel.read(buffer.clear());
            if (count < 0) {
                onEnd();
            } else if (count > 0 && answer.add(buffer.flip())) {
                isBusy = false;
                listener.onAnswer(answer);
            }
        } catch (IOException e) {
            throw new BenchAbortedException("an answer could not be read: " + e.getMessage(), e);
        }
    }

    /** Reopens the connection on the next use, because a server may close idle connections. */
    private void onEnd() {
        close();
        if (isBusy) {
            throw new BenchAbortedException("the server closed a connection while a request was under way");
        }
    }

    /** Handles the responses of a connection. */
    interface Listener {
        /** May send the next request. The response must not be used after this returns. */
        void onAnswer(HttpAnswer answer);
    }
}
