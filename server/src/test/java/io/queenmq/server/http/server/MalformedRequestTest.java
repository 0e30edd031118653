package io.queenmq.server.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.server.http.TestApi;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that a proxy could understand differently are rejected, and their connections are closed. */
@Timeout(60)
class MalformedRequestTest {
    private static final String PUSH = "POST /api/v1/push HTTP/1.1\r\n";
    private static final String BODY = "{\"items\":[{\"queue\":\"q\"}]}";
    /** Executed if the server and a proxy disagree about the end of the first request. */
    private static final String SECOND = "GET /api/v1/pop/queue/smuggled HTTP/1.1\r\nHost: x\r\n\r\n";

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
    @ValueSource(strings = {"xchunked", "chunkedx", "gzip", "identity", "gzip, chunked", "chunked, identity",
        "chunked, chunked", "\"chunked\"", "chunked;q=1", ""})
    void aTransferCodingOtherThanChunkedIsRejected(String coding) throws Exception {
        String answer = answerTo(PUSH + "Host: x\r\nTransfer-Encoding: " + coding + "\r\nContent-Length: "
                + BODY.length() + "\r\n\r\n" + BODY + SECOND);

        assertThat(answer).matches("(?s)HTTP/1.1 (400|501) .*").containsOnlyOnce("HTTP/1.1");
        assertRejected();
    }

    @Test
    void theTransferCodingIsExplained() throws Exception {
        assertThat(answerTo(PUSH + "Host: x\r\nTransfer-Encoding: xchunked\r\nContent-Length: 2\r\n\r\n{}"))
                .startsWith("HTTP/1.1 501 ").containsIgnoringCase("connection: close")
                .containsIgnoringCase("x-content-type-options: nosniff")
                .endsWith("{\"error\":\"the Transfer-Encoding is not supported; use chunked, or Content-Length\"}");
    }

    @Test
    void severalTransferEncodingHeadersAreRejected() throws Exception {
        assertThat(answerTo(PUSH
                + "Host: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + SECOND))
                .matches("(?s)HTTP/1.1 (400|501) .*").containsOnlyOnce("HTTP/1.1");
        assertRejected();
    }

    @ParameterizedTest
    @CsvSource({"chunked", "Chunked", "CHUNKED"})
    void chunkedIsAccepted(String coding) throws Exception {
        try (Socket socket = api.socket()) {
            TestApi.write(socket, PUSH + "Host: x\r\nTransfer-Encoding: " + coding + "\r\n\r\n"
                    + Integer.toHexString(BODY.length()) + "\r\n" + BODY + "\r\n0\r\n\r\n");
            assertThat(TestApi.readHead(socket)).startsWith("HTTP/1.1 201");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Host: x\r\nHost: x\r\n", "Host: x\r\nhost: y\r\n",
        "host: x\r\nContent-Length: 0\r\nHOST: x\r\n"})
    void severalHostHeadersAreRejected(String headers) throws Exception {
        assertThat(answerTo("POST /api/v1/push HTTP/1.1\r\n" + headers + "\r\n" + SECOND)).startsWith("HTTP/1.1 400 ")
                .endsWith("{\"error\":\"the request has several Host headers; send one\"}");
        assertRejected();
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-A: b\r\n c\r\n", "X-A: b\r\n\tc\r\n", "X-A: b\r\n \r\n",
        "Transfer-Encoding:\r\n chunked\r\n", "X-A: b\r\n Content-Length: 0\r\n"})
    void foldedHeaderLinesAreRejected(String headers) throws Exception {
        assertThat(answerTo(PUSH + "Host: x\r\n" + headers + "\r\n" + SECOND)).startsWith("HTTP/1.1 400 ")
                .contains("begins with a space or tab");
        assertRejected();
    }

    /**
     * The head arrives byte by byte, so that each line is decoded before the next one is received. The version of the response
     * depends on how many bytes are decoded at once.
     */
    @Test
    void aFoldedLineInAPacketOfItsOwnIsRejected() throws Exception {
        try (Socket socket = api.socket()) {
            socket.setTcpNoDelay(true);
            for (char each : (PUSH + "Host: x\r\nX-A: b\r\n c").toCharArray()) {
                TestApi.write(socket, String.valueOf(each));
            }
            assertThat(rest(socket)).containsPattern("^HTTP/1\\.[01] 400 ").contains("begins with a space or tab");
        }
        assertRejected();
    }

    @Test
    void aHeadThatArrivesByteByByteIsAccepted() throws Exception {
        try (Socket socket = api.socket()) {
            socket.setTcpNoDelay(true);
            for (char each : (PUSH + "Host: x\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY).toCharArray()) {
                TestApi.write(socket, String.valueOf(each));
            }
            assertThat(TestApi.readHead(socket)).startsWith("HTTP/1.1 201");
        }
    }

    @ParameterizedTest
    @CsvSource({"400,'GET / HTTP/1.1\r\nHost : x\r\n\r\n'",
        "400,'POST /api/v1/push HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'",
        "400,'POST /api/v1/push HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'",
        "400,'POST /api/v1/push HTTP/1.1\r\nHost: x\r\nContent-Length: 1x\r\n\r\n'"})
    void malformedRequestsAreRejected(int status, String request) throws Exception {
        assertThat(answerTo(request)).startsWith("HTTP/1.1 " + status + " ").contains("{\"error\":\"");
        assertThat(rejections()).isEqualTo(1);
    }

    @Test
    void aMalformedRequestLineIsRejected() throws Exception {
        assertThat(answerTo("nonsense\r\n\r\n")).contains(" 400 ")
                .endsWith("{\"error\":\"the request is not valid HTTP\"}");
    }

    @Test
    void aHeadThatIsTooLongIsRejected() throws Exception {
        // Not much longer than allowed, so that the server has read everything when it closes the connection.
        assertThat(answerTo("GET /" + "x".repeat(16_400))).contains(" 414 ");
        assertThat(answerTo("GET / HTTP/1.1\r\nX-A: " + "x".repeat(16_400))).contains(" 431 ");
    }

    @Test
    void aPipelinedMalformedRequestEndsTheConnectionAfterTheOthersAreAnswered() throws Exception {
        String answers = answerTo(
                "GET /api/v1/pop/queue/q HTTP/1.1\r\nHost: x\r\n\r\n" + PUSH + "Host: x\r\nHost: y\r\n\r\n" + SECOND);

        assertThat(answers).startsWith("HTTP/1.1 204 ").contains("HTTP/1.1 400 ");
        assertThat(answers.split("HTTP/1.1 ")).hasSize(3);
    }

    @Test
    void jsonHasTheContentTypeOfJson() throws Exception {
        for (String path : new String[]{"/health", "/api/v1/nothing", "/api/v1/resources/overview"}) {
            assertThat(api.get(path).headers().allValues("x-content-type-options")).containsExactly("nosniff");
        }
        assertThat(api.post("/api/v1/push", BODY).headers().allValues("x-content-type-options"))
                .containsExactly("nosniff");
    }

    /** Nothing of the connection reached the engine. */
    private void assertRejected() {
        assertThat(rejections()).isEqualTo(1);
        assertThat(api.engine.wasAsked()).isFalse();
    }

    private double rejections() {
        return api.meters.get("queen.refused").tag("reason", "malformed").counter().count();
    }

    private String answerTo(String request) throws IOException {
        try (Socket socket = api.socket()) {
            TestApi.write(socket, request);
            return rest(socket);
        }
    }

    /** Reads until the server closes the connection. */
    private static String rest(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
}
