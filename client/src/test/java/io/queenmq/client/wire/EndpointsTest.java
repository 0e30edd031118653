package io.queenmq.client.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EndpointsTest {
    private final Endpoints endpoints = new Endpoints(List.of("http://a:1", "http://b:1/", "https://c:1"));

    @Test
    void aPartitionAndGroupAlwaysStartWithTheSameServer() {
        String affinity = Endpoints.affinity("orders", "customer-42", "billing");

        assertThat(endpoints.inOrder(affinity, null)).hasSize(3).isEqualTo(endpoints.inOrder(affinity, null));
    }

    @Test
    void partitionsAreSpreadOverTheServers() {
        Map<Endpoint, Integer> counts = new HashMap<>();
        for (int partition = 0; partition < 3_000; partition++) {
            String affinity = Endpoints.affinity("orders", "customer-" + partition, null);
            counts.merge(endpoints.inOrder(affinity, null).getFirst(), 1, Integer::sum);
        }

        assertThat(counts).hasSize(3);
        assertThat(counts.values()).allMatch(count -> count > 800);
    }

    @Test
    void theServerOfTheLeaseIsFirstUnlessItFailed() {
        Endpoint server = endpoints.inOrder("x", null).getLast();

        assertThat(endpoints.inOrder("x", server).getFirst()).isSameAs(server);
        server.markFailed("it failed");
        assertThat(endpoints.inOrder("x", server)).hasSize(3).endsWith(server);
        server.markWorking();
        assertThat(endpoints.inOrder("x", server).getFirst()).isSameAs(server);
    }

    @Test
    void anInvalidUrlIsRejected() {
        assertThatThrownBy(() -> new Endpoints(List.of("localhost:6632"))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Endpoints(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
