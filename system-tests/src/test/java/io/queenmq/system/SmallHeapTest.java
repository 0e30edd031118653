package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server with 448 MB of heap survives any number of bytes that clients send or request, and rejects what exceeds its limits. */
@Timeout(600)
class SmallHeapTest {
    private static final Path DATA = Path.of("target/bytes-data").toAbsolutePath();
    private static final int MIB = 1024 * 1024;
    private static final int PATIENCE_MS = 300_000;

    private static QueenProcess queen;

    private record Answer(int status, long bodyBytes) {}

    @BeforeAll
    static void start() throws IOException {
        removeData();
        queen = QueenProcess.start(Map.of("QUEEN_DATA", DATA.toString(), "NUM_WORKERS", "2", "BODY_WAIT_MS", "60000"),
                "-Xmx448m", "-XX:MaxDirectMemorySize=256m", "-XX:+ExitOnOutOfMemoryError");
    }

    @AfterAll
    static void end() throws IOException {
        if (queen != null) {
            queen.close();
        }
        QueenProcess.awaitNoPostgresIn(DATA.resolve("postgres"));
        removeData();
    }

    /** It is more than a gigabyte. */
    private static void removeData() throws IOException {
        if (Files.exists(DATA)) {
            try (Stream<Path> all = Files.walk(DATA)) {
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
    }

    @AfterEach
    void theServerLives() throws IOException {
        assertThat(get("/health").status()).isEqualTo(200);
        assertThat(queen.isAlive()).isTrue();
        assertThat(queen.output()).noneMatch(line -> line.contains("OutOfMemory") || line.contains("OutOfDirect"));
    }

    @Test
    void manyClientsWithLargeBodiesGetAResponseAndNothingIsLost() throws Exception {
        List<Answer> answers = atOnce(1_000, i -> () -> push("many", "partition-" + i % 3, 900_000));

        assertThat(answers).extracting(Answer::status).isSubsetOf(201, 503).contains(201);
    }

    @Test
    void twoMessagesOfTheLargestSizeAreDeliveredOneByOneToTwoGroupsAtOnce() throws Exception {
        assertThat(push("huge", "partition", 63 * MIB).status()).isEqualTo(201);
        assertThat(push("huge", "partition", 63 * MIB).status()).isEqualTo(201);

        // On a busy machine one of them may have to wait for the other.
        List<Answer> answers = atOnce(2,
                i -> () -> get("/api/v1/pop/queue/huge?batch=10&wait=true&timeout=60000&consumerGroup=g" + i));

        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.bodyBytes()).isBetween(63L * MIB, 64L * MIB);
        });
    }

    @Test
    void manyPopsOfManyBytesAtOnceAreAllAnswered() throws Exception {
        for (int i = 0; i < 50; i++) {
            assertThat(push("nine", "partition-" + i % 5, 900_000).status()).isEqualTo(201);
        }

        List<Answer> answers = atOnce(100, i -> () -> get(
                "/api/v1/pop/queue/nine/partition/partition-" + i % 5 + "?batch=10&consumerGroup=g" + i / 5));

        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.bodyBytes()).isBetween(7_000_000L, 9_100_000L);
        });
    }

    @Test
    void thousandsOfUnsentBodiesUseLittleMemory() throws IOException {
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 8_000; i++) {
                Socket socket = connect();
                sockets.add(socket);
                socket.getOutputStream()
                        .write(ascii("POST /api/v1/push HTTP/1.1\r\nHost: q\r\nContent-Length: 65000\r\n\r\n"
                                + "{\"items\":[{\"queue\":\"slow\",\"payload\":\""));
            }
            assertThat(push("slow", "partition", 100_000).status()).isEqualTo(201);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    private interface Clients {
        Callable<Answer> client(int number);
    }

    private static List<Answer> atOnce(int count, Clients clients) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> futures = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                futures.add(threads.submit(clients.client(i)));
            }
            List<Answer> answers = new ArrayList<>();
            for (Future<Answer> future : futures) {
                answers.add(future.get());
            }
            return answers;
        }
    }

    private static Answer push(String queue, String partition, int payloadBytes) throws IOException {
        byte[] before = ascii(
                "{\"items\":[{\"queue\":\"" + queue + "\",\"partition\":\"" + partition + "\",\"payload\":\"");
        byte[] after = ascii("\"}]}");
        byte[] part = ascii("x".repeat(65_536));
        try (Socket socket = connect()) {
            var out = socket.getOutputStream();
            out.write(ascii("POST /api/v1/push HTTP/1.1\r\nHost: q\r\nContent-Length: "
                    + (before.length + payloadBytes + after.length) + "\r\n\r\n"));
            out.write(before);
            for (int sent = 0; sent < payloadBytes; sent += part.length) {
                out.write(part, 0, Math.min(part.length, payloadBytes - sent));
            }
            out.write(after);
            out.flush();
            return answer(socket);
        }
    }

    private static Answer get(String path) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(ascii("GET " + path + " HTTP/1.1\r\nHost: q\r\n\r\n"));
            return answer(socket);
        }
    }

    /** Reads the whole answer without keeping it. */
    private static Answer answer(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int b = in.read();
            assertThat(b).as("an answer, after: " + head).isNotNegative();
            head.append((char) b);
        }
        long length = head.toString().lines().filter(line -> line.toLowerCase().startsWith("content-length:"))
                .mapToLong(line -> Long.parseLong(line.substring("content-length:".length()).strip())).findFirst()
                .orElse(0);
        new DataInputStream(in).skipNBytes(length);
        return new Answer(Integer.parseInt(head.substring("HTTP/1.1 ".length()).substring(0, 3)), length);
    }

    private static Socket connect() {
        try {
            URI url = URI.create(queen.url());
            Socket socket = new Socket("127.0.0.1", url.getPort());
            socket.setSoTimeout(PATIENCE_MS);
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
