package io.queenmq.server.scenario;

import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/** A network that keeps what is sent, and brings it later, also when the sender has long gone. */
final class HoldingProxy implements AutoCloseable {
    private final LoopbackListener listener;
    private final String host;
    private final int port;
    private final List<Pipe> pipes = new CopyOnWriteArrayList<>();

    /** @param port where everything goes */
    HoldingProxy(String host, int port) {
        this.host = host;
        this.port = port;
        this.listener = new LoopbackListener(this::connected);
    }

    int port() {
        return listener.port();
    }

    /** What is sent from now on over the connections there are stays here. New ones are not concerned. */
    void hold() {
        pipes.forEach(pipe -> pipe.gate = new CountDownLatch(1));
    }

    /** Brings everything, and returns when those whose sender has gone have done what they were told, and ended. */
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
        Thread.ofVirtual().start(pipe::bring);
        Thread.ofVirtual().start(pipe::bringBack);
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
                // The sender is gone, and did not say so.
            }
            sent.add(END);
            isSenderGone = true;
        }

        void bring() {
            try {
                for (byte[] bytes = sent.take(); bytes != END; bytes = sent.take()) {
                    gate.await();
                    to.getOutputStream().write(bytes);
                }
                gate.await();
                to.shutdownOutput();
            } catch (IOException | InterruptedException _) {
                // Nobody is there to take it.
            }
        }

        void bringBack() {
            byte[] bytes = new byte[1 << 16];
            try (from; to) {
                for (int length = to.getInputStream().read(bytes); length >= 0;) {
                    if (!isSenderGone) {
                        from.getOutputStream().write(bytes, 0, length);
                    }
                    length = to.getInputStream().read(bytes);
                }
            } catch (IOException _) {
                // One of the two ends is gone.
            } finally {
                ended.countDown();
            }
        }
    }
}
