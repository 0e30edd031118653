package io.queenmq.server.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A listening port on this machine that passes every accepted connection to a handler, one at a time, until it is closed. */
final class LoopbackListener implements AutoCloseable {
    private final ServerSocket socket;

    /** Handles an accepted connection. Must return quickly. */
    interface Handler {
        void connected(Socket from) throws IOException;
    }

    LoopbackListener(Handler handler) {
        try {
            socket = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(() -> accept(handler));
    }

    private void accept(Handler handler) {
        try {
            while (true) {
                handler.connected(socket.accept());
            }
        } catch (IOException _) {
            // Closed.
        }
    }

    int port() {
        return socket.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
