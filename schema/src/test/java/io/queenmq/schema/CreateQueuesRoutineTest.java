package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CreateQueuesRoutineTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void emptyCallReturnsNoRowAndKeepsTheVersion() {
        long before = version();

        assertThat(api.createQueues()).isEmpty();
        assertThat(version()).isEqualTo(before);
    }

    @Test
    void newQueueHasTheDefaults() {
        assertThat(api.createQueues("fresh").getFirst()).returns("ns", Queue::namespace).returns("task", Queue::task)
                .returns(3, Queue::retryLimit);
    }

    @Test
    void queueThatExistsIsReturnedAsItIs() {
        var configured = api.configure("kept", Map.of("retry_limit", 9));
        long before = version();

        assertThat(api.createQueues("kept")).containsExactly(configured);
        assertThat(version()).isEqualTo(before);
    }

    @Test
    void newAndExistingQueuesAreReturnedTogether() {
        var old = api.createQueues("mixed-b").getFirst();

        assertThat(api.createQueues("mixed-c", "mixed-b", "mixed-a")).extracting(Queue::name).containsExactly("mixed-a",
                "mixed-b", "mixed-c");
        assertThat(api.createQueues("mixed-b")).containsExactly(old);
    }

    @Test
    void twentySessionsAtOnceGetTheSameQueue() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var futures = new ArrayList<Future<UUID>>();
            for (int i = 0; i < 20; i++) {
                var session = database.newSession();
                futures.add(threads.submit(() -> session.createQueues("raced-b", "raced-a").getFirst().id()));
            }
            var ids = new ArrayList<UUID>();
            for (var future : futures) {
                ids.add(future.get());
            }
            assertThat(ids).hasSize(20).containsOnly(ids.getFirst());
        }
    }

    private long version() {
        return Rows.number(api.connection(), "select version from queen.catalog");
    }
}
