package io.queenmq.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port for a server that is stopped and started again. It is none of those that the system gives to connections going
 * out: one of them could bind it while it is free, even a client that reconnects to the server. For
 * tests.
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
