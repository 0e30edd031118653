package io.queenmq.test;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A TCP proxy between clients and the server, which can close their connections. Thread-safe. */
final class ConnectionProxy {
    private static final int PIECE_BYTES = 65_536;

    private final ServerSocket listener;
    private final int target;
    private final Set<Socket> clients = ConcurrentHashMap.newKeySet();

    ConnectionProxy(int target) throws IOException {
        this.target = target;
        this.listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("queen-test-relay").start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Closes all current connections. New ones are accepted. */
    void cut() {
        clients.forEach(ConnectionProxy::close);
    }

    private void accept() {
        while (true) {
            try {
                Socket client = listener.accept();
                clients.add(client);
                Thread.ofVirtual().start(() -> relay(client));
            } catch (IOException e) {
                // The listener lives as long as the JVM, so a client disconnected before it was accepted.
            }
        }
    }

    private void relay(Socket client) {
        try (client; Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
            Thread back = Thread.ofVirtual().start(() -> pump(server, client));
            pump(client, server);
            back.join();
        } catch (IOException e) {
            // The server is closing; the client sees a closed connection.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            clients.remove(client);
        }
    }

    /** Copies until one of the sockets is closed, and closes the other. */
    private static void pump(Socket from, Socket to) {
        byte[] piece = new byte[PIECE_BYTES];
        try (from; to) {
            InputStream in = from.getInputStream();
            for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
                to.getOutputStream().write(piece, 0, length);
            }
        } catch (IOException e) {
            // The connection was closed.
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // Closing failed, so the socket is already unusable.
        }
    }
}
