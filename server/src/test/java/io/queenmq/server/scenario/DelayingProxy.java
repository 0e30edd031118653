package io.queenmq.server.scenario;

import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/** A proxy that delays bytes and delivers them later, even after the sender has closed its connection. */
final class DelayingProxy implements AutoCloseable {
    private final LoopbackListener listener;
    private final String host;
    private final int port;
    private final List<Pipe> pipes = new CopyOnWriteArrayList<>();

    /** @param port the port to which connections are forwarded */
    DelayingProxy(String host, int port) {
        this.host = host;
        this.port = port;
        this.listener = new LoopbackListener(this::connected);
    }

    int port() {
        return listener.port();
    }

    /** Delays all further bytes of the open connections. New connections are not affected. */
    void hold() {
        pipes.forEach(pipe -> pipe.gate = new CountDownLatch(1));
    }

    /** Delivers all delayed bytes, and returns when the connections whose sender is closed have executed them and ended. */
    void release() throws InterruptedException {
        pipes.forEach(pipe -> pipe.gate.countDown());
        for (Pipe pipe : pipes) {
            if (pipe.isSenderGone) {
                pipe.ended.await();
            }
        }
    }

    private void connected(Socket from) throws IOException {
        Pipe pipe = new Pipe(from, new Socket(host, port));
        pipes.add(pipe);
        Thread.ofVirtual().start(pipe::collect);
        Thread.ofVirtual().start(pipe::deliver);
        Thread.ofVirtual().start(pipe::deliverBack);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        pipes.forEach(pipe -> pipe.gate.countDown());
    }

    private static final class Pipe {
        private static final byte[] END = {};

        private final Socket from;
        private final Socket to;
        private final BlockingQueue<byte[]> sent = new LinkedBlockingQueue<>();
        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile CountDownLatch gate = new CountDownLatch(0);
        private volatile boolean isSenderGone;

        Pipe(Socket from, Socket to) {
            this.from = from;
            this.to = to;
        }

        void collect() {
            byte[] bytes = new byte[1 << 16];
            try {
                for (int length = from.getInputStream().read(bytes); length >= 0;) {
                    sent.add(Arrays.copyOf(bytes, length));
                    length = from.getInputStream().read(bytes);
                }
            } catch (IOException _) {
                // The sender closed the connection without a termination.
            }
            sent.add(END);
            isSenderGone = true;
        }

        void deliver() {
            try {
                for (byte[] bytes = sent.take(); bytes != END; bytes = sent.take()) {
                    gate.await();
                    to.getOutputStream().write(bytes);
                }
                gate.await();
                to.shutdownOutput();
            } catch (IOException | InterruptedException _) {
                // The receiver has closed the connection.
            }
        }

        void deliverBack() {
            byte[] bytes = new byte[1 << 16];
            try (from; to) {
                for (int length = to.getInputStream().read(bytes); length >= 0;) {
                    if (!isSenderGone) {
                        from.getOutputStream().write(bytes, 0, length);
                    }
                    length = to.getInputStream().read(bytes);
                }
            } catch (IOException _) {
                // One of the two sockets was closed.
            } finally {
                ended.countDown();
            }
        }
    }
}
