package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A payload is delivered byte for byte, from the cache and from the database. */
class PayloadBytesTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    /** A second server, whose cache does not contain the pushed messages. */
    private static QueenClient another;

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @BeforeAll
    static void startAnother() {
        another = server.startAnother();
    }

    /** Loads the queue on the other server before the tests. */
    @BeforeEach
    void loadQueue() {
        another.configure(queue, "{}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "true", "0", "-0.0", "1e400", "123456789012345678901234567890", "0.1000", "\"\"",
        "\"\\u0000\"", "{\"z\":1,\"a\":2,\"z\":3}", "[ 1 ,  2,{ } ,[] ]", "\"\\ud800\"", "\"\\/ \\u00e9 é 👑\"",
        "{\"\":{\"\\u0000\":[null,[[[{}]]]]}}", "\"\\\\n \\n \\\\\""})
    void anyValidJsonIsDeliveredUnchanged(String payload) {
        queen.post("/api/v1/push", "{\"items\":[{\"queue\":\"" + queue + "\",\"payload\":" + payload + "}]}");

        Answer fromMemory = queen.pop(queue, "consumerGroup=g");
        Answer fromDatabase = another.pop(queue, "consumerGroup=h");

        assertThat(fromMemory.body()).contains("\"data\":" + payload + ",\"createdAt\"");
        assertThat(fromDatabase.body()).contains("\"data\":" + payload + ",\"createdAt\"");
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 100_000, 10_000_000})
    void aPayloadOfAnySizeIsDeliveredUnchanged(int length) {
        String payload = "\"" + "x".repeat(length) + "\"";
        queen.post("/api/v1/push", "{\"items\":[{\"queue\":\"" + queue + "\",\"payload\":" + payload + "}]}");

        assertThat(queen.pop(queue).message().get("data").asText().length()).isEqualTo(length);
        assertThat(another.pop(queue, "consumerGroup=h").message().get("data").asText().length()).isEqualTo(length);
    }
}
