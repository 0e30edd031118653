package io.queenmq.server.auth;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** Serves published keys in ways that a broken or hostile server may. */
final class HostileKeyServer implements AutoCloseable {
    /** Writes a response, or only a part of it. */
    interface Behavior {
        void respond(OutputStream out) throws IOException, InterruptedException;
    }

    private final ServerSocket server;
    private final AtomicInteger requests = new AtomicInteger();
    /** A permit for each connection that the client has closed before the response was complete. */
    final Semaphore closedByClient = new Semaphore(0);
    volatile Behavior behavior;

    HostileKeyServer(Behavior behavior) {
        this.behavior = behavior;
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException _) {
                // closed
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.read());
            }
            requests.incrementAndGet();
            behavior.respond(socket.getOutputStream());
            while (in.read() >= 0) {
                // until the client closes
            }
            closedByClient.release();
        } catch (IOException _) {
            closedByClient.release();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    static Behavior full(String status, String body) {
        return out -> write(out, "HTTP/1.1 " + status + "\r\nContent-Length: "
                + body.getBytes(StandardCharsets.UTF_8).length + "\r\nConnection: close\r\n\r\n" + body);
    }

    static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort() + "/keys";
    }

    int requests() {
        return requests.get();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
