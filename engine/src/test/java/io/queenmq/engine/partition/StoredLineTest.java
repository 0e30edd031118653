package io.queenmq.engine.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredLineTest {
    private static final String START = "{\"id\":\"00000000-0000-7000-8000-000000000000\",\"transactionId\":";

    @ParameterizedTest
    @ValueSource(strings = {"\"t\",\"traceId\":null,\"producerSub\":null",
        "\"\\\"\\\\\",\"traceId\":null,\"producerSub\":\"a\\\"b\"",
        "\"t\",\"traceId\":\"00000000-0000-0000-0000-000000000000\",\"producerSub\":null",
        "\"t\",\"traceId\":null,\"producerSub\":null,\"headers\":{\"data\":\"}\\\"\", \"data\":\"\\\\\"}",
        "\"t\",\"traceId\":null,\"producerSub\":\"h\",\"headers\":{\"a\":\"\"}"})
    void thePayloadIsFoundAfterAnyOtherFields(String names) {
        byte[] line = bytes(START + names + ",\"data\":{\"a\":[1,\"}\"]}}");

        assertThat(new String(line, StandardCharsets.UTF_8).substring(StoredLine.dataStart(line, 0)))
                .isEqualTo("{\"a\":[1,\"}\"]}}");
    }

    @Test
    void aMessageWithAnotherIdIsACompleteLine() {
        UUID id = UUID.randomUUID();
        byte[] line = bytes(START + "\"t\",\"traceId\":null,\"producerSub\":null,\"data\":1}");

        byte[] renamed = StoredLine.withMessageId(line, id);

        assertThat(StoredLine.messageId(renamed, 0)).isEqualTo(id);
        assertThat(StoredLine.isSameTransaction(renamed, 0, line, 0)).isTrue();
        assertThat(renamed).asString().endsWith("\"data\":1}\n");
        assertThat(StoredLine.messageId(line, 0)).isNotEqualTo(id);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
