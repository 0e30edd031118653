package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.error.OutcomeUnknownException;
import io.queenmq.client.error.UnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that are not Queen: a wrong URL fails at once, with the outcome that nothing was executed. */
@Timeout(60)
class ForeignServerTest {
    private static final String PAGE = "<!DOCTYPE html><html><body>Welcome</body></html>";

    private StubServer stub;

    @BeforeEach
    void start() throws IOException {
        stub = new StubServer();
    }

    @AfterEach
    void stop() {
        stub.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 404, 405, 501})
    void aPageIsNotTheResponseOfQueen(int status) {
        stub.answering(status, PAGE);
        try (Queen queen = patient(stub.url())) {
            assertThatThrownBy(() -> queen.queue("q", String.class).push("x")).isInstanceOf(UnavailableException.class)
                    .hasMessageContaining(stub.url() + " is not a Queen server")
                    .hasMessageContaining(Integer.toString(status)).hasMessageContaining("check the URL");
        }
        assertThat(stub.asked()).hasSize(1);
    }

    @Test
    void anEmptyNotImplementedIsNotTheResponseOfQueen() {
        stub.answering(501, "");
        try (Queen queen = patient(stub.url())) {
            assertThatThrownBy(() -> queen.queue("q", String.class).push("x")).isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("is not a Queen server");
        }
    }

    /** A proxy in front of Queen sends such a page although Queen may have executed the request. */
    @Test
    void thePageOfAGatewayLeavesTheOutcomeUnknown() {
        stub.answering(504, PAGE);
        try (Queen queen = Queen.builder().url(stub.url()).retryFor(Duration.ZERO).build()) {
            assertThatThrownBy(() -> queen.queue("q", String.class).push("x"))
                    .isInstanceOf(OutcomeUnknownException.class);
        }
    }

    @Test
    void theNextServerIsUsed() throws IOException {
        stub.answering(404, PAGE);
        try (StubServer queenServer = new StubServer();
                Queen queen = Queen.builder().urls(List.of(stub.url(), queenServer.url())).build()) {
            queenServer.answering(201, "[{\"status\":\"queued\",\"messageId\":\"m\",\"partitionId\":\"p\"}]");
            for (int i = 0; i < 4; i++) {
                queen.queue("q", String.class).partition("partition-" + i).push("x");
            }
            assertThat(queenServer.asked()).hasSize(4);
        }
    }

    private static Queen patient(String url) {
        return Queen.builder().url(url).retryFor(Duration.ofHours(1)).build();
    }
}
