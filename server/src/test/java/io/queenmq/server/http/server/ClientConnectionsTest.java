package io.queenmq.server.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queenmq.engine.command.PopCommand;
import io.queenmq.server.config.HttpConfig;
import io.queenmq.server.http.TestApi;
import io.queenmq.testkit.Await;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Limits of the connections of clients: how many there may be, and how long one may stay open without a use. */
@Timeout(120)
class ClientConnectionsTest {
    private static final Duration NEVER = Duration.ofMinutes(5);
    private static final Duration SOON = Duration.ofMillis(200);
    private static final String POP = "GET /api/v1/pop/queue/q HTTP/1.1\r\nHost: x\r\n\r\n";

    private TestApi api;

    @AfterEach
    void close() throws Exception {
        api.close();
    }

    @Test
    void connectionsAboveTheLimitOfAnAddressAreClosedAndOthersAreServed() throws Exception {
        api = new TestApi(limits(10, 3, NEVER, NEVER));
        List<Socket> open = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            open.add(api.socket());
            assertServed(open.getLast());
        }
        try (Socket tooMany = api.socket(); Socket other = socketOf("127.0.0.2")) {
            assertClosed(tooMany);
            assertServed(other);
        }
        awaitRefused("connections_of_address", 1);

        // A closed connection allows another one.
        open.removeLast().close();
        awaitConnections(2);
        try (Socket next = api.socket()) {
            assertServed(next);
        }
        for (Socket socket : open) {
            socket.close();
        }
        awaitConnections(0);
    }

    @Test
    void theTotalLimitAppliesToAllAddresses() throws Exception {
        api = new TestApi(limits(4, 4, NEVER, NEVER));
        List<Socket> open = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            open.add(socketOf("127.0.0." + i));
            assertServed(open.getLast());
        }
        try (Socket tooMany = socketOf("127.0.0.5")) {
            assertClosed(tooMany);
        }
        awaitRefused("connections", 1);
        assertServed(open.getFirst());
        for (Socket socket : open) {
            socket.close();
        }
    }

    @Test
    void aConnectionThatSendsNoRequestIsClosed() throws Exception {
        api = new TestApi(limits(10, 10, SOON, NEVER));
        try (Socket silent = api.socket(); Socket half = api.socket()) {
            TestApi.write(half, "GET /api/v1/pop");
            assertClosed(silent);
            assertClosed(half);
        }
        awaitRefused("no_request", 2);
        awaitConnections(0);
    }

    @Test
    void aConnectionWithARequestMayWaitForItsResponseAndBeIdleAfterIt() throws Exception {
        // Long enough to send a request on a busy machine.
        api = new TestApi(limits(10, 10, Duration.ofSeconds(2), NEVER));
        api.engine.isSilent = true;
        try (Socket waiting = api.socket(); Socket rested = api.socket(); Socket silent = api.socket()) {
            TestApi.write(rested, "GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
            readAnswer(rested);
            TestApi.write(waiting, "GET /api/v1/pop/queue/q?wait=true HTTP/1.1\r\nHost: x\r\n\r\n");
            PopCommand pop = api.engine.next(PopCommand.class);
            // The limit has passed at least once.
            assertClosed(silent);
            try (Socket second = api.socket()) {
                assertClosed(second);
            }
            api.engine.run(() -> pop.reply().succeed(api.engine.popOutcome));
            assertThat(TestApi.readHead(waiting)).startsWith("HTTP/1.1 204");
            TestApi.write(rested, "GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(TestApi.readHead(rested)).startsWith("HTTP/1.1 200");
        }
        awaitRefused("no_request", 2);
    }

    @Test
    void theConnectionOfABodyThatIsTooLargeIsClosed() throws Exception {
        api = new TestApi(limits(10, 10, NEVER, SOON));
        try (Socket socket = api.socket()) {
            TestApi.write(socket, "POST /api/v1/push HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n");
            assertThat(TestApi.readHead(socket)).startsWith("HTTP/1.1 413").containsIgnoringCase("connection: close");
            drain(socket);
        }
        awaitRefused("body_unread", 1);
    }

    /** A client that writes all of its request before it reads must be able to read the response. */
    @Test
    void aClientThatIsStillSendingReceivesTheRejectionOfItsBody() throws Exception {
        api = new TestApi(limits(10, 10, NEVER, NEVER));
        int length = TestApi.BODY_BYTES_MAX + 4_000_000;
        try (Socket socket = api.socket()) {
            TestApi.write(socket, "POST /api/v1/push HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + "\r\n\r\n");
            TestApi.write(socket, "x".repeat(length));
            assertThat(TestApi.readHead(socket)).startsWith("HTTP/1.1 413");
            drain(socket);
        }
        assertThat(refused("body_unread")).isZero();
    }

    @Test
    void anEndlessBodyOfARequestThatWasAnsweredEndsWithTheConnection() throws Exception {
        api = new TestApi(limits(10, 10, NEVER, SOON));
        try (Socket socket = api.socket()) {
            TestApi.write(socket, "POST /api/v1/nothing HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
            assertThat(TestApi.readHead(socket)).startsWith("HTTP/1.1 404").containsIgnoringCase("connection: close");
            awaitBrokenBy(socket, "1\r\nx\r\n");
        }
        awaitRefused("body_unread", 1);
    }

    @Test
    void aSmallUnreadBodyKeepsTheConnection() throws Exception {
        api = new TestApi(limits(10, 10, NEVER, NEVER));
        try (Socket socket = api.socket()) {
            for (int i = 0; i < 3; i++) {
                TestApi.write(socket, "POST /api/v1/nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n12345");
                assertThat(readAnswer(socket)).startsWith("HTTP/1.1 404")
                        .doesNotContainIgnoringCase("connection: close");
            }
        }
    }

    @Test
    void theRestOfASmallBodyHasATimeLimit() throws Exception {
        api = new TestApi(limits(10, 10, NEVER, SOON));
        try (Socket socket = api.socket()) {
            TestApi.write(socket, "POST /api/v1/nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n12");
            assertThat(readAnswer(socket)).startsWith("HTTP/1.1 404");
            drain(socket);
        }
        awaitRefused("body_unread", 1);
    }

    @Test
    void rejectionsAreLoggedInOneLineForEachReason() throws Exception {
        api = new TestApi(limits(10, 10, NEVER, NEVER));
        Refusals refusals = new Refusals(new SimpleMeterRegistry());
        for (int i = 0; i < 1000; i++) {
            refusals.count(Refusals.Reason.CONNECTIONS, InetAddress.getByName("10.0.0." + i % 10));
        }
        refusals.count(Refusals.Reason.NO_REQUEST, InetAddress.getByName("::1"));

        assertThat(refusals.takeLines()).containsExactly(
                "connections rejected: 1000, reason connections, the last from 10.0.0.9",
                "connections rejected: 1, reason no_request, the last from 0:0:0:0:0:0:0:1");
        assertThat(refusals.takeLines()).isEmpty();
    }

    @Test
    void addressesOfOneIpv6NetworkCountTogether() throws Exception {
        api = new TestApi(limits(10, 10, NEVER, NEVER));
        assertThat(key("2001:db8:1:2::1")).isEqualTo(key("2001:db8:1:2:ffff::9")).isNotEqualTo(key("2001:db8:1:3::1"));
        assertThat(key("10.0.0.1")).isNotEqualTo(key("10.0.0.2")).isEqualTo(key("::ffff:10.0.0.1"));
    }

    private static Long key(String address) throws IOException {
        return ConnectionLimit.keyOf(InetAddress.getByName(address));
    }

    private static HttpConfig.Limits limits(int max, int perAddress, Duration firstRequest, Duration body) {
        return new HttpConfig.Limits(TestApi.BODY_BYTES_MAX, 64 << 20, NEVER, NEVER, body, NEVER,
                new HttpConfig.ConnectionLimits(max, perAddress, firstRequest));
    }

    private Socket socketOf(String address) throws IOException {
        Socket socket = new Socket("127.0.0.1", api.api.port(), InetAddress.getByName(address), 0);
        socket.setSoTimeout(60_000);
        return socket;
    }

    private static void assertServed(Socket socket) throws IOException {
        TestApi.write(socket, POP);
        assertThat(TestApi.readHead(socket)).startsWith("HTTP/1.1 204");
    }

    private static void assertClosed(Socket socket) throws IOException {
        try {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        } catch (SocketException _) {
            // The connection was reset because of unread data.
        }
    }

    /** Reads until the server closes the connection. */
    private static void drain(Socket socket) throws IOException {
        try {
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (SocketException _) {
            // The connection was reset because of unread data.
        }
    }

    /** Writes until the server has closed the connection. */
    private static void awaitBrokenBy(Socket socket, String text) throws InterruptedException {
        try {
            while (true) {
                TestApi.write(socket, text);
                Thread.sleep(5);
            }
        } catch (IOException _) {
            // It is closed.
        }
    }

    /** Reads a response with its body. */
    private static String readAnswer(Socket socket) throws IOException {
        String head = TestApi.readHead(socket);
        InputStream in = socket.getInputStream();
        head.lines().filter(line -> line.toLowerCase().startsWith("content-length:")).findFirst()
                .ifPresent(line -> skip(in, Integer.parseInt(line.substring(15).strip())));
        return head;
    }

    private static void skip(InputStream in, int length) {
        try {
            in.readNBytes(length);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitConnections(int count) {
        Await.until(() -> api.meters.get("queen.connections").gauge().value() == count);
    }

    private void awaitRefused(String reason, int count) {
        Await.until(() -> "refused for " + reason + ": " + refused(reason), () -> refused(reason) == count);
    }

    private double refused(String reason) {
        return api.meters.get("queen.refused").tag("reason", reason).counter().count();
    }
}
