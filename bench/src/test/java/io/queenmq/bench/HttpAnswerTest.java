package io.queenmq.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HttpAnswerTest {
    private final HttpAnswer answer = new HttpAnswer();

    @Test
    void aResponseInAnyChunksIsCompleteWithItsLastByte() {
        String text = "HTTP/1.1 201 Created\r\nX: y\r\ncontent-LENGTH:  5\r\n\r\nhello";
        for (int round = 0; round < 2; round++) {
            answer.clear();
            for (int i = 0; i < text.length(); i++) {
                assertThat(add(text.substring(i, i + 1))).isEqualTo(i == text.length() - 1);
            }
            assertThat(answer.status()).isEqualTo(201);
            assertThat(body()).isEqualTo("hello");
        }
    }

    @Test
    void longerThanTheFirstBuffer() {
        String body = "x".repeat(100_000);

        assertThat(add("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + body)).isTrue();

        assertThat(body()).isEqualTo(body);
    }

    @Test
    void noContentHasNoLength() {
        assertThat(add("HTTP/1.1 204 No Content\r\n\r\n")).isTrue();
        assertThat(answer.status()).isEqualTo(204);
        assertThat(body()).isEmpty();
    }

    @Test
    void anUnreadableResponseIsReported() {
        assertThatThrownBy(() -> add("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"))
                .isInstanceOf(BenchAbortedException.class).hasMessageContaining("without Content-Length");
        answer.clear();
        assertThatThrownBy(() -> add("SSH-2.0-OpenSSH_9.2\r\n\r\n")).isInstanceOf(BenchAbortedException.class);
        answer.clear();
        assertThatThrownBy(() -> add("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabc"))
                .isInstanceOf(BenchAbortedException.class).hasMessageContaining("more than it was asked for");
    }

    private boolean add(String text) {
        return answer.add(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    private String body() {
        return new String(answer.bytes(), answer.bodyStart(), answer.bodyEnd() - answer.bodyStart(),
                StandardCharsets.UTF_8);
    }
}
