package io.queenmq.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A proxy between a client and a server that drops responses on request. */
final class LossyProxy implements AutoCloseable {
    private final ServerSocket listener;
    private final int target;
    private final AtomicInteger toLose = new AtomicInteger();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    LossyProxy(int target) throws IOException {
        this.target = target;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    String url() {
        return TestServer.url(listener.getLocalPort());
    }

    /** Forwards the next requests to the server and drops their responses. */
    void loseAnswers(int count) {
        toLose.set(count);
    }

    /** Returns true if all responses that were to be dropped have been dropped. */
    boolean hasLostAll() {
        return toLose.get() <= 0;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(client);
                sockets.add(server);
                Thread.ofVirtual().start(() -> pump(client, server, false));
                Thread.ofVirtual().start(() -> pump(server, client, true));
            }
        } catch (IOException e) {
            // It was closed.
        }
    }

    private void pump(Socket from, Socket to, boolean isAnswer) {
        byte[] piece = new byte[65_536];
        try (from; to) {
            InputStream in = from.getInputStream();
            for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
                if (isAnswer && toLose.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                    return;
                }
                to.getOutputStream().write(piece, 0, length);
            }
        } catch (IOException e) {
            // One of the two is gone, and so is the other.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket each : sockets) {
            each.close();
        }
    }
}
