package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Large bodies are read into memory one at a time. No request is rejected for that, and no client can block the others. */
class LargeBodiesTest {
    private static final int BYTES = 3 * 1024 * 1024;

    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Test
    void manyConcurrentLargeBodiesAreAllStored() {
        List<CompletableFuture<Answer>> pushes = IntStream.range(0, 8)
                .mapToObj(i -> queen.postLater("/api/v1/push", push("partition-" + i))).toList();

        assertThat(pushes).allSatisfy(push -> assertThat(push.join().each("status")).containsExactly("queued"));
        for (int i = 0; i < 8; i++) {
            assertThat(queen.popPartition(queue, "partition-" + i).message().get("data").asText()).hasSize(BYTES);
        }
    }

    @Test
    void aStalledClientDelaysLargeBodiesOnlyUntilItDisconnects() throws IOException {
        URI address = URI.create(server.url());
        CompletableFuture<Answer> other;
        try (Socket stalled = new Socket(address.getHost(), address.getPort())) {
            String head = "POST /api/v1/push HTTP/1.1\r\nHost: q\r\nContent-Length: 50000000\r\n\r\n";
            stalled.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            stalled.getOutputStream().write(new byte[2 * 1024 * 1024]);
            stalled.getOutputStream().flush();
            other = queen.postLater("/api/v1/push", push("a"));
            assertThat(queen.push(queue, "small", "1").each("status")).containsExactly("queued");
        }

        assertThat(other.join().each("status")).containsExactly("queued");
    }

    private String push(String partition) {
        return "{\"items\":[{\"queue\":\"" + queue + "\",\"partition\":\"" + partition + "\",\"payload\":\""
                + "x".repeat(BYTES) + "\"}]}";
    }
}
