package io.queenmq.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses a port for a server that is stopped and started again in a test. The port is outside of the range of
 * ephemeral ports: the system could assign such a port to an outgoing connection while the server is stopped.
 */
public final class FreePort {
    private static final int FIRST = 12_000;
    private static final int END = 32_000;

    private FreePort() {}

    public static int choose() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return port;
            } catch (IOException _) {
                // The port is in use.
            }
        }
    }
}
