package io.queenmq.verify.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Forwards TCP connections to one address and injects faults of the network. Thread-safe. */
public final class TcpProxy implements AutoCloseable {
    /** The treatment of connections. */
    public enum Mode {
        /** Forwards everything. */
        FORWARD,
        /** Closes all connections and accepts none. */
        CUT,
        /** Keeps all connections open and forwards nothing. */
        SILENT,
        /** Forwards to the server, and nothing to the client. */
        HALF_OPEN,
        /** Forwards to the server, and closes a connection when the server responds. */
        LOSE_RESPONSES
    }

    private static final int BUFFER_BYTES = 32 * 1024;

    private final ServerSocket listener;
    private final Object modeChanged = new Object();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile InetSocketAddress target;
    private volatile Mode mode = Mode.FORWARD;
    private volatile boolean isClosed;

    public TcpProxy(InetSocketAddress target) {
        this.target = target;
        try {
            listener = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open a port for a proxy", e);
        }
        Thread.ofVirtual().name("proxy").start(this::accept);
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Sets the address of connections that are opened later. */
    public void setTarget(InetSocketAddress target) {
        this.target = target;
    }

    public void setMode(Mode next) {
        mode = next;
        if (next == Mode.CUT) {
            closeConnections();
        }
        synchronized (modeChanged) {
            modeChanged.notifyAll();
        }
    }

    /** Closes all connections. Clients may connect again. */
    public void closeConnections() {
        sockets.forEach(TcpProxy::close);
    }

    private void accept() {
        while (!isClosed) {
            try {
                Socket client = listener.accept();
                Thread.ofVirtual().start(() -> connect(client));
            } catch (IOException _) {
                // The listener was closed.
            }
        }
    }

    private void connect(Socket client) {
        if (mode == Mode.CUT) {
            close(client);
            return;
        }
        Socket server = new Socket();
        sockets.add(client);
        sockets.add(server);
        try {
            server.connect(target, 5_000);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            Thread.ofVirtual().start(() -> forward(client, server, true));
            forward(server, client, false);
        } catch (IOException _) {
            end(client, server);
        }
    }

    private void forward(Socket from, Socket to, boolean isRequest) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                awaitForwarding(isRequest);
                if (!isRequest && mode == Mode.LOSE_RESPONSES) {
                    break;
                }
                out.write(buffer, 0, count);
            }
        } catch (IOException _) {
            // One side has closed the connection.
        } finally {
            end(from, to);
        }
    }

    private void awaitForwarding(boolean isRequest) throws IOException {
        synchronized (modeChanged) {
            while (mode == Mode.SILENT || mode == Mode.HALF_OPEN && !isRequest) {
                try {
                    modeChanged.wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted", e);
                }
            }
        }
    }

    private void end(Socket one, Socket other) {
        close(one);
        close(other);
        sockets.remove(one);
        sockets.remove(other);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // The socket is not used any more.
        }
    }

    @Override
    public void close() {
        isClosed = true;
        setMode(Mode.CUT);
        try {
            listener.close();
        } catch (IOException _) {
            // The process no longer accepts connections in either case.
        }
    }
}
