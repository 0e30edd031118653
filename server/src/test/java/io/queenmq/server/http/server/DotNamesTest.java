package io.queenmq.server.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.command.DeleteQueueCommand;
import io.queenmq.server.http.TestApi;
import java.net.Socket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The names . and .. would redirect requests, because browsers and proxies remove them from paths. */
class DotNamesTest {
    private TestApi api;

    @BeforeEach
    void open() throws Exception {
        api = new TestApi();
    }

    @AfterEach
    void close() throws Exception {
        api.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {".", ".."})
    void noQueuePartitionGroupOrMessageHasSuchAName(String name) throws Exception {
        assertThat(api.post("/api/v1/configure", "{\"queue\":\"" + name + "\"}").statusCode()).isEqualTo(400);
        assertThat(api.post("/api/v1/push", "{\"items\":[{\"queue\":\"" + name + "\",\"payload\":1}]}").statusCode())
                .isEqualTo(400);
        assertThat(
                api.post("/api/v1/push", "{\"items\":[{\"queue\":\"q\",\"partition\":\"" + name + "\",\"payload\":1}]}")
                        .body())
                .contains("partition must not be");
        assertThat(api.post("/api/v1/push",
                "{\"items\":[{\"queue\":\"q\",\"transactionId\":\"" + name + "\",\"payload\":1}]}").body())
                .contains("transactionId must not be");
        assertThat(api.get("/api/v1/pop/queue/q?consumerGroup=" + name).statusCode()).isEqualTo(400);
        assertThat(api
                .post("/streams/v1/queries", "{\"name\":\"" + name + "\",\"source_queue\":\"q\",\"config_hash\":\"h\"}")
                .statusCode()).isEqualTo(400);
        assertThat(
                api.post("/api/v1/dlq/redrive", "{\"queue\":\"q\",\"targetPartition\":\"" + name + "\"}").statusCode())
                .isEqualTo(400);
        assertThat(api.post("/api/v1/dlq/redrive", "{\"queue\":\"q\",\"targetQueue\":\"" + name + "\"}").statusCode())
                .isEqualTo(400);
        assertThat(api.operatorCalls).isEmpty();
        assertThat(api.engine.commands()).isEmpty();
    }

    /** Where an older server accepted such a name, it can be removed: the command line encodes the dots. */
    @Test
    void aQueueOfSuchANameCanBeDeleted() throws Exception {
        try (Socket socket = api.socket()) {
            TestApi.write(socket, "DELETE /api/v1/resources/queues/%2E%2E HTTP/1.1\r\nHost: x\r\n\r\n");
            TestApi.readHead(socket);
        }
        assertThat(api.engine.next(DeleteQueueCommand.class).queue()).isEqualTo("..");
    }

    @ParameterizedTest
    @ValueSource(strings = {"DELETE /api/v1/resources/queues/..", "DELETE /api/v1/consumer-groups/g/queues/.",
        "POST /api/v1/consumer-groups/../seek", "GET /api/v1/resources/queues/.."})
    void aPathWithSuchASegmentIsRejected(String request) throws Exception {
        assertThat(status(request)).startsWith("HTTP/1.1 404");
    }

    @ParameterizedTest
    @ValueSource(strings = {"DELETE /api/v1/resources/queues/", "DELETE /api/v1/resources/queues/q/",
        "DELETE /api/v1/consumer-groups/g//", "DELETE /api/v1//resources/queues/q", "POST /api/v1/push/",
        "POST //api/v1/push"})
    void aSlashTooManyChangesNothing(String request) throws Exception {
        assertThat(status(request)).startsWith("HTTP/1.1 404");
    }

    @Test
    void readersMayEndTheirPathsWithASlash() throws Exception {
        assertThat(status("GET /health/")).startsWith("HTTP/1.1 200");
    }

    private String status(String request) throws Exception {
        try (Socket socket = api.socket()) {
            TestApi.write(socket, request + " HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}");
            String head = TestApi.readHead(socket);
            assertThat(api.engine.commands()).isEmpty();
            assertThat(api.operatorCalls).isEmpty();
            return head;
        }
    }
}
