package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The order in which several servers are used. */
class AffinityTest {
    private static final String STORED = "[{\"status\":\"queued\",\"messageId\":\"m\",\"partitionId\":\"p\"}]";
    private static final String POPPED = "{\"leaseId\":\"l\",\"messages\":[{\"transactionId\":\"t\",\"partitionId\":\"p\",\"data\":1}]}";

    private List<StubServer> servers;
    private Queen queen;

    @BeforeEach
    void start() throws IOException {
        servers = List.of(new StubServer(), new StubServer());
        queen = Queen.connect(servers.get(0).url(), servers.get(1).url());
    }

    @AfterEach
    void stop() {
        queen.close();
        servers.forEach(StubServer::close);
    }

    @Test
    void aPartitionIsAlwaysPushedToOneServerAndPartitionsAreSpread() {
        servers.forEach(each -> each.answering(201, STORED));
        for (int i = 0; i < 40; i++) {
            queen.queue("q", String.class).partition("partition-" + i % 20).push("1");
        }

        assertThat(servers).allSatisfy(each -> assertThat(each.asked()).isNotEmpty());
        IntStream.range(0, 20)
                .forEach(partition -> assertThat(servers).as("partition-" + partition)
                        .filteredOn(each -> each.asked().stream()
                                .anyMatch(asked -> asked.body().contains("\"partition-" + partition + "\"")))
                        .hasSize(1));
    }

    @Test
    void renewalsAreSentToTheServerThatGrantedTheLease() {
        for (StubServer each : servers) {
            each.answering(request -> request.line().startsWith("GET")
                    ? new StubServer.Answer(200, POPPED)
                    : new StubServer.Answer(200, "[{\"success\":true}]"));
        }
        for (int i = 0; i < 10; i++) {
            queen.queue("q-" + i, Integer.class).group("g").pop().ack();
        }

        assertThat(servers).allSatisfy(each -> {
            assertThat(each.asked()).isNotEmpty();
            assertThat(each.asked()).filteredOn(asked -> asked.line().startsWith("POST"))
                    .hasSameSizeAs(each.asked().stream().filter(asked -> asked.line().startsWith("GET")).toList());
        });
    }

    @Test
    void aFailedServerIsReplacedByTheNext() {
        servers.get(0).answering(503, "{\"error\":\"busy\"}");
        servers.get(1).answering(201, STORED);
        for (int i = 0; i < 20; i++) {
            queen.queue("q", String.class).partition("partition-" + i).push("1");
        }

        assertThat(servers.get(0).asked()).isNotEmpty();
        assertThat(servers.get(1).asked()).hasSize(20);
        assertThat(servers.get(1).asked()).extracting(StubServer.Asked::body)
                .contains(servers.get(0).asked().getFirst().body());
    }
}
