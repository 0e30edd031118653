package io.queenmq.server.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** A proxy between a server and PostgreSQL that can close all connections, and drop the last responses. */
final class CuttableProxy implements AutoCloseable {
    private final LoopbackListener listener;
    private final String host;
    private volatile int port;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean isCut;
    private volatile String swallowed;

    /** @param port the port to which connections are forwarded */
    CuttableProxy(String host, int port) {
        this.host = host;
        this.port = port;
        this.listener = new LoopbackListener(this::connected);
    }

    int port() {
        return listener.port();
    }

    /** Closes all connections, and new ones immediately, as if PostgreSQL were down. */
    void cut() {
        isCut = true;
        open.forEach(CuttableProxy::end);
    }

    /** Forwards new connections to another port, as after a failover. */
    void leadTo(int port) {
        this.port = port;
    }

    /** Drops all responses on connections that send this text. PostgreSQL executes their requests. */
    void swallowAnswersTo(String text) {
        swallowed = text;
    }

    void restore() {
        swallowed = null;
        isCut = false;
    }

    private void connected(Socket from) throws IOException {
        if (isCut) {
            end(from);
            return;
        }
        Socket to;
        try {
            to = new Socket(host, port);
        } catch (IOException _) {
            // PostgreSQL is down, so the connection is closed.
            end(from);
            return;
        }
        open.add(from);
        open.add(to);
        AtomicBoolean isSwallowing = new AtomicBoolean();
        Thread.ofVirtual().start(() -> forward(from, to, false, isSwallowing));
        Thread.ofVirtual().start(() -> forward(to, from, true, isSwallowing));
    }

    private void forward(Socket from, Socket to, boolean isResponse, AtomicBoolean isSwallowing) {
        byte[] bytes = new byte[1 << 16];
        try (from; to; InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
            for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
                String text = swallowed;
                if (!isResponse && text != null
                        && new String(bytes, 0, length, StandardCharsets.ISO_8859_1).contains(text)) {
                    isSwallowing.set(true);
                }
                if (!isResponse || !isSwallowing.get()) {
                    out.write(bytes, 0, length);
                }
            }
        } catch (IOException _) {
            // One of the two sockets was closed.
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // Closed in any case.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        open.forEach(CuttableProxy::end);
    }
}
