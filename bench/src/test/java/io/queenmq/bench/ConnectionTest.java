package io.queenmq.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConnectionTest {
    private static final byte[] ANSWER = "HTTP/1.1 204 No Content\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Semaphore closed = new Semaphore(0);

    @Test
    void aConnectionThatTheServerClosesWhileItIsIdleIsReopened() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> answerOnceAConnection(server));
            InetSocketAddress address = new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
            byte[] request = RequestText.get("/health", "x");
            List<Integer> statuses = new ArrayList<>();
            try (ClientLoop loop = new ClientLoop(address, address)) {
                Connection connection = loop.open(answer -> statuses.add(answer.status()));
                for (int i = 0; i < 3; i++) {
                    connection.send(request, request.length);
                    loop.runUntil(loop::isQuiet, ClientLoop.Tick.NOTHING);
                    closed.acquire();
                    selectTwice(loop);
                }
            }
            assertThat(statuses).containsExactly(204, 204, 204);
        }
    }

    /** Lets the connection read the end of its stream. */
    private static void selectTwice(ClientLoop loop) {
        AtomicInteger selections = new AtomicInteger();
        loop.runUntil(() -> selections.getAndIncrement() == 2, ClientLoop.Tick.NOTHING);
    }

    private void answerOnceAConnection(ServerSocket server) {
        try {
            while (true) {
                try (Socket client = server.accept()) {
                    var lines = new BufferedReader(new InputStreamReader(client.getInputStream()));
                    while (!lines.readLine().isEmpty()) {
                        continue;
                    }
                    client.getOutputStream().write(ANSWER);
                }
                closed.release();
            }
        } catch (IOException _) {
            // The test has closed the server.
        }
    }
}
