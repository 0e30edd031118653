package io.queenmq.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.HistoryChange;
import io.queenmq.engine.command.DeleteQueueCommand;
import io.queenmq.engine.command.PopCommand;
import io.queenmq.engine.command.PopOutcome;
import io.queenmq.engine.command.PushCommand;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.spool.SpoolStatus;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpApiTest {
    private static final String WAITING_POP = "GET /api/v1/pop/queue/q?wait=true HTTP/1.1\r\nHost: x\r\n\r\n";

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
    @CsvSource({"GET,/api/me,404", "GET,/,200", "GET,/nothing,404", "POST,/api/v1/nothing,404", "GET,/api/v1/push,405",
        "DELETE,/api/v1/ack,405", "POST,/health,405", "POST,/api/v1/push,400", "GET,/health,200",
        "DELETE,/api/v1/resources/queues/q,200", "GET,/api/v1/pop/queue/q,204", "OPTIONS,/api/v1/push,204",
        "OPTIONS,/anything/at/all,204"})
    void everyResponseHasItsStatusAndNoCorsHeaders(String method, String path, int status) throws Exception {
        var answer = api.send(api.request(path).method(method, BodyPublishers.noBody()));

        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().map().keySet()).noneMatch(name -> name.startsWith("access-control-"));
        if (status >= 400) {
            assertThat(header(answer, "content-type")).isEqualTo("application/json");
            assertThat(answer.body()).startsWith("{\"error\":\"").endsWith("\"}");
        }
        if (status == 204) {
            assertThat(answer.body()).isEmpty();
        }
    }

    @Test
    void aRequestWithoutAPathIsRejected() throws Exception {
        try (Socket socket = api.socket()) {
            TestApi.write(socket, "GET nowhere HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(TestApi.readHead(socket)).startsWith("HTTP/1.1 400");
        }
    }

    @Test
    void healthFollowsTheDatabase() throws Exception {
        assertThat(api.get("/health").body()).startsWith(
                "{\"status\":\"healthy\",\"database\":\"connected\",\"summary\":\"PostgreSQL is available\",\"server\":\"queen\",\"worker_id\":\"worker-6632\",\"version\":\"test\",\"shared_state\":{")
                .contains(",\"spool\":{");
        api.engine.isConnected = false;
        var answer = api.get("/health");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("\"status\":\"unhealthy\",\"database\":\"disconnected\"");
        assertThat(api.get("/health/push").statusCode()).isEqualTo(503);

        api.engine.spool = new SpoolStatus(SpoolStatus.State.READY, null, 7, 700, 1000, 0, 3.4, 2, 20, 1);
        assertThat(api.get("/health").statusCode()).isEqualTo(503);
        assertThat(api.get("/health").body())
                .contains("\"summary\":\"PostgreSQL is unavailable: pushes are spooled, other requests wait");
        assertThat(api.get("/health/push").statusCode()).isEqualTo(200);
        assertThat(api.get("/health/startup").body()).startsWith("{\"status\":\"unhealthy\"");
        assertThat(api.get("/health/push").body())
                .contains("\"spool\":{\"state\":\"ready\",\"pending\":7,\"bytes\":700,"
                        + "\"bytesMax\":1000,\"oldestSeconds\":0,\"drainedPerSecond\":3,\"refused\":2,\"damaged\":1,\"error\":null}");
    }

    @Test
    void probesDoNotDependOnPostgresAlone() throws Exception {
        assertThat(statusesOfProbes()).containsExactly(200, 200, 200);

        api.engine.isConnected = false;
        assertThat(statusesOfProbes()).as("PostgreSQL unavailable, no spool").containsExactly(200, 503, 200);

        api.engine.spool = new SpoolStatus(SpoolStatus.State.READY, null, 7, 700, 1000, 0, 3.4, 2, 20, 1);
        assertThat(statusesOfProbes()).as("PostgreSQL unavailable").containsExactly(200, 200, 200);

        api.engine.pause = Duration.ofMinutes(2);
        assertThat(statusesOfProbes()).as("the engine is stalled").containsExactly(503, 200, 200);
    }

    private List<Integer> statusesOfProbes() throws Exception {
        List<Integer> statuses = new ArrayList<>();
        for (String path : List.of("/health/live", "/health/ready", "/health/startup")) {
            statuses.add(api.get(path).statusCode());
        }
        return statuses;
    }

    @Test
    void healthWarnsOfEncryptedQueuesWithoutAKey() throws Exception {
        assertThat(api.get("/health").body()).contains(",\"warnings\":[],");
        api.engine.keylessQueueCount = 2;

        var answer = api.get("/health");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains(
                "\"warnings\":[\"this server has no QUEEN_ENCRYPTION_KEY, and cannot serve 2 encrypted queues\"]");
    }

    @Test
    void healthReportsAnotherHistoryOfTheDatabase() throws Exception {
        assertThat(api.get("/health").body()).contains(",\"database_history\":{\"changes\":0},");
        api.engine.historyChange = new HistoryChange(2, "timeline 1 -> 2", 1_000_000);

        assertThat(api.get("/health").body()).contains(",\"database_history\":{\"changes\":2,"
                + "\"last_change\":\"timeline 1 -> 2\",\"last_change_at\":\"1970-01-01T00:00:01.000000Z\"},");
    }

    @Test
    void queuesAreDeletedByTheirDecodedName() throws Exception {
        var answer = api.send(api.request("/api/v1/resources/queues/a%20b+c").DELETE());

        assertThat(answer.body()).isEqualTo("{\"deleted\":true,\"queue\":\"a b+c\",\"existed\":true}");
        assertThat(api.engine.next(DeleteQueueCommand.class).queue()).isEqualTo("a b+c");
    }

    @Test
    void internalErrorsAreNotRevealedToTheClient() throws Exception {
        api.engine.pushOutcomes = List.of();

        var answer = api.post("/api/v1/push", "{\"items\":[{\"queue\":\"q\"}]}");

        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).isEqualTo("{\"error\":\"internal error\"}");
    }

    @Test
    void concurrentResponsesReachTheirOwnClients() throws Exception {
        api.engine.isSilent = true;
        int clients = 40;
        List<Socket> sockets = new ArrayList<>();
        List<PushCommand> commands = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            Socket socket = api.socket();
            sockets.add(socket);
            String body = "{\"items\":[{\"queue\":\"q\",\"transactionId\":\"client-" + i + "\"}]}";
            TestApi.write(socket,
                    "POST /api/v1/push HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
            commands.add(api.engine.next(PushCommand.class));
        }
        api.engine.run(() -> commands
                .forEach(command -> command.reply().succeed(List.of(new PushOutcome.Failed("rejected")))));
        for (int i = 0; i < clients; i++) {
            try (Socket socket = sockets.get(i)) {
                assertThat(TestApi.readHead(socket)).startsWith("HTTP/1.1 201");
                assertThat(new String(socket.getInputStream().readNBytes(90))).contains("\"client-" + i + "\"");
            }
        }
    }

    @Test
    void drainingAnswersRequestsInProgressAndRejectsNewOnes() throws Exception {
        api.engine.isSilent = true;
        try (Socket waiting = api.socket(); Socket idle = api.socket()) {
            TestApi.write(waiting, WAITING_POP);
            PopCommand command = api.engine.next(PopCommand.class);
            var drained = api.api.drain();

            TestApi.write(idle, "GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(TestApi.readHead(idle)).startsWith("HTTP/1.1 503").containsIgnoringCase("connection: close");
            assertThat(drained.isComplete()).isFalse();

            api.engine.run(() -> command.reply().succeed(new PopOutcome.Empty()));
            assertThat(TestApi.readHead(waiting)).startsWith("HTTP/1.1 204").containsIgnoringCase("connection: close");
            drained.await(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void drainingDoesNotWaitForDisconnectedClients() throws Exception {
        api.engine.isSilent = true;
        try (Socket waiting = api.socket()) {
            TestApi.write(waiting, WAITING_POP);
            api.engine.next(PopCommand.class);
        }
        api.api.drain().await(60, TimeUnit.SECONDS);
    }

    @Test
    void drainingWithoutRequestsCompletesAtOnce() throws Exception {
        api.api.drain().await(60, TimeUnit.SECONDS);
    }

    private static String header(HttpResponse<String> answer, String name) {
        return answer.headers().firstValue(name).orElse(null);
    }
}
