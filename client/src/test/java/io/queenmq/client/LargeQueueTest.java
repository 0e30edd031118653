package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.client.operator.SeekTarget;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A change that the server continues in the background is waited for. */
class LargeQueueTest {
    private static final String ID = "7d444840-9dc0-11d1-b245-5ffdce74fad2";

    @Test
    void aSeekReturnsWhenAllPartitionsAreMoved() throws Exception {
        AtomicInteger polls = new AtomicInteger();
        try (StubServer server = new StubServer().answering(asked -> asked.line().startsWith("POST")
                ? new StubServer.Answer(202,
                        "{\"partitionsUpdated\":2000,\"inProgress\":true,\"operationId\":\"" + ID + "\"}")
                : new StubServer.Answer(200, operation(polls.incrementAndGet() < 3 ? "running" : "finished")));
                Queen queen = Queen.connect(server.url())) {
            assertThat(queen.operator().groups().seek("g", "q", SeekTarget.end())).isEqualTo(500_000);
        }
        assertThat(polls).hasValue(3);
    }

    @Test
    void aSmallSeekDoesNotPoll() throws Exception {
        try (StubServer server = new StubServer().answering(200, "{\"partitionsUpdated\":7}");
                Queen queen = Queen.connect(server.url())) {
            assertThat(queen.operator().groups().seek("g", "q", SeekTarget.end())).isEqualTo(7);
            assertThat(server.asked()).hasSize(1);
        }
    }

    private static String operation(String status) {
        return "{\"operations\":[{\"operationId\":\"" + ID + "\",\"kind\":\"seek\",\"status\":\"" + status
                + "\",\"queue\":\"q\",\"partition\":null,\"consumerGroup\":\"g\",\"partitionsDone\":500000,"
                + "\"partitionsTotal\":500000,\"partitionsChanged\":500000,\"messagesRemoved\":0,"
                + "\"startedAt\":\"2026-01-01T00:00:00.000Z\",\"finishedAt\":null}]}";
    }
}
