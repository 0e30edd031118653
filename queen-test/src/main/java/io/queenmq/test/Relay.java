package io.queenmq.test;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Stands between clients and the server, so that their connections can be cut. Safe from any thread. */
final class Relay {
    private static final int PIECE_BYTES = 65_536;

    private final ServerSocket listener;
    private final int target;
    private final Set<Socket> clients = ConcurrentHashMap.newKeySet();

    Relay(int target) throws IOException {
        this.target = target;
        this.listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("queen-test-relay").start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Cuts all that there are; new ones are welcome. */
    void cut() {
        clients.forEach(Relay::close);
    }

    private void accept() {
        while (true) {
            try {
                Socket client = listener.accept();
                clients.add(client);
                Thread.ofVirtual().start(() -> relay(client));
            } catch (IOException e) {
                // The listener lives as long as the JVM, so it was a client that was gone before it was there.
            }
        }
    }

    private void relay(Socket client) {
        try (client; Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
            Thread back = Thread.ofVirtual().start(() -> pump(server, client));
            pump(client, server);
            back.join();
        } catch (IOException e) {
            // The server is closing; the client sees a cut connection.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            clients.remove(client);
        }
    }

    /** Ends when one of the two is gone, and takes the other with it. */
    private static void pump(Socket from, Socket to) {
        byte[] piece = new byte[PIECE_BYTES];
        try (from; to) {
            InputStream in = from.getInputStream();
            for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
                to.getOutputStream().write(piece, 0, length);
            }
        } catch (IOException e) {
            // It was cut.
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use any more, which is what was wanted.
        }
    }
}
