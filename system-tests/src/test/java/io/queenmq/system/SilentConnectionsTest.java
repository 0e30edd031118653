package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Thousands of connections that send nothing take no descriptor that the server needs. */
@Timeout(600)
class SilentConnectionsTest {
    private static final int DESCRIPTORS = 1_024;
    /** The default limit of such a process: a quarter of its descriptors is reserved. */
    private static final int CONNECTIONS = 768;
    private static final int OF_ONE_ADDRESS = CONNECTIONS / 2;
    private static final int SILENT = 3_000;
    private static final String QUEUE = "silent-connections";

    private final List<Socket> silent = new ArrayList<>();

    @Test
    void pushesSucceedWhileOneAddressFloodsTheServer() throws Exception {
        try (QueenProcess queen = QueenProcess.launchWithDescriptors(DESCRIPTORS,
                Map.of("QUEEN_DATA", QueenProcess.DATA.toString(), "FIRST_REQUEST_TIMEOUT_MS", "20000"));
                HttpClient other = clientOf("127.0.0.2")) {
            queen.awaitReady();
            CompletableFuture<HttpResponse<String>> waiting = other
                    .sendAsync(
                            request(queen,
                                    "/api/v1/pop/queue/" + QUEUE
                                            + "?wait=true&timeout=300000&autoAck=true&consumerGroup=g")
                                    .GET().build(),
                            BodyHandlers.ofString());

            flood(queen, "127.0.0.1");
            assertThat(metric(other, queen, "queen_refused_total{reason=\"connections_of_address\"}"))
                    .isGreaterThanOrEqualTo(SILENT - OF_ONE_ADDRESS);
            push(other, queen, 1);
            assertThat(waiting.get(5, TimeUnit.MINUTES).body()).contains("message-1");

            // Other programs use the remaining connections. Open connections continue to work.
            for (int i = 3; i <= 6; i++) {
                flood(queen, "127.0.0." + i);
            }
            assertThat(metric(other, queen, "queen_refused_total{reason=\"connections\"}")).isPositive();
            assertThat(metric(other, queen, "queen_connections")).isLessThanOrEqualTo(CONNECTIONS);
            for (int i = 2; i <= 50; i++) {
                push(other, queen, i);
            }

            // A connection that never sends a request is closed, which allows another one.
            Await.until("silent connections are closed", () -> metric(other, queen, "queen_connections") < 10);
            try (HttpClient fresh = clientOf("127.0.0.1")) {
                push(fresh, queen, 51);
            }
            assertThat(queen.output()).noneMatch(line -> line.contains("Too many open files"));
            queen.terminate();
            assertThat(queen.awaitEnd()).isZero();
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void aLimitThatTheProcessCannotHoldStopsTheStart() {
        try (QueenProcess queen = QueenProcess.launchWithDescriptors(DESCRIPTORS,
                Map.of("QUEEN_DATA", QueenProcess.DATA.toString(), "HTTP_MAX_CONNECTIONS", "5000"))) {
            assertThat(queen.awaitEnd()).isEqualTo(1);
            assertThat(String.join("\n", queen.output())).contains("HTTP_MAX_CONNECTIONS is 5000, but this process may "
                    + "open only 1024 files, of which 256 are reserved", "set at most 768");
        }
    }

    private void flood(QueenProcess queen, String address) throws IOException {
        URI server = URI.create(queen.url());
        for (int i = 0; i < SILENT; i++) {
            silent.add(new Socket(InetAddress.getByName("127.0.0.1"), server.getPort(), InetAddress.getByName(address),
                    0));
        }
    }

    private static HttpClient clientOf(String address) throws IOException {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).localAddress(InetAddress.getByName(address))
                .build();
    }

    private static HttpRequest.Builder request(QueenProcess queen, String path) {
        return HttpRequest.newBuilder(URI.create(queen.url().replace("localhost", "127.0.0.1") + path));
    }

    private static void push(HttpClient client, QueenProcess queen, int number) throws Exception {
        HttpResponse<String> pushed = client.send(request(queen, "/api/v1/push")
                .POST(BodyPublishers
                        .ofString("{\"items\":[{\"queue\":\"" + QUEUE + "\",\"payload\":\"message-" + number + "\"}]}"))
                .build(), BodyHandlers.ofString());
        assertThat(pushed.statusCode()).as(pushed.body()).isEqualTo(201);
    }

    private static double metric(HttpClient client, QueenProcess queen, String name) {
        try {
            String text = client.send(request(queen, "/metrics/prometheus").GET().build(), BodyHandlers.ofString())
                    .body();
            return text.lines().filter(line -> line.startsWith(name)).findFirst()
                    .map(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))).orElseThrow();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
