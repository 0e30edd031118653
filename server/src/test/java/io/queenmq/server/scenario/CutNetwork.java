package io.queenmq.server.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** A network between a server and PostgreSQL that can be cut, with or without the last answers getting through. */
final class CutNetwork implements AutoCloseable {
    private final LoopbackListener listener;
    private final String host;
    private volatile int port;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean isCut;
    private volatile String swallowed;

    /** @param port where everything goes */
    CutNetwork(String host, int port) {
        this.host = host;
        this.port = port;
        this.listener = new LoopbackListener(this::connected);
    }

    int port() {
        return listener.port();
    }

    /** PostgreSQL is away: all connections end, and new ones at once. */
    void cut() {
        isCut = true;
        open.forEach(CutNetwork::end);
    }

    /** New connections go to another port, as after a failover. */
    void leadTo(int port) {
        this.port = port;
    }

    /** Whoever sends this text gets no answer any more, though PostgreSQL does what it is asked. */
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
            // PostgreSQL is not there, and whoever connects is told so.
            end(from);
            return;
        }
        open.add(from);
        open.add(to);
        AtomicBoolean isSwallowing = new AtomicBoolean();
        Thread.ofVirtual().start(() -> bring(from, to, false, isSwallowing));
        Thread.ofVirtual().start(() -> bring(to, from, true, isSwallowing));
    }

    private void bring(Socket from, Socket to, boolean isAnswer, AtomicBoolean isSwallowing) {
        byte[] bytes = new byte[1 << 16];
        try (from; to; InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
            for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
                String text = swallowed;
                if (!isAnswer && text != null
                        && new String(bytes, 0, length, StandardCharsets.ISO_8859_1).contains(text)) {
                    isSwallowing.set(true);
                }
                if (!isAnswer || !isSwallowing.get()) {
                    out.write(bytes, 0, length);
                }
            }
        } catch (IOException _) {
            // One of the two ends is gone.
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // It is gone in any case.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        open.forEach(CutNetwork::end);
    }
}
