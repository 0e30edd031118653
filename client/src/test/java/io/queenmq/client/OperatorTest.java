package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.error.OutcomeUnknownException;
import io.queenmq.client.error.RefusedException;
import io.queenmq.client.operator.AuditRecord;
import io.queenmq.client.operator.Maintenance;
import io.queenmq.client.operator.MessageFilter;
import io.queenmq.client.operator.Operator;
import io.queenmq.client.operator.QueueOptions;
import io.queenmq.client.operator.SeekTarget;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The operator's calls, against a server where it has them, and against the words of the HTTP contract otherwise. */
class OperatorTest {
    @RegisterExtension
    static final TestServer server = new TestServer();

    private final Operator operator = server.queen().operator();
    private final String name = TestServer.newQueue();

    @Test
    void configuringChangesWhatIsNamedAndAnswersWithEverything() {
        operator.queues().configure(name, "shop", "billing", QueueOptions.of().leaseTime(Duration.ofMinutes(2)));
        var configured = operator.queues().configure(name,
                QueueOptions.of().retryLimit(7).retryDelay(Duration.ofMillis(50)));

        assertThat(configured.name()).isEqualTo(name);
        assertThat(configured.namespace()).isEqualTo("shop");
        assertThat(configured.task()).isEqualTo("billing");
        assertThat(configured.options().leaseTime()).isEqualTo(Duration.ofMinutes(2));
        assertThat(configured.options().retryLimit()).isEqualTo(7);
        assertThat(configured.options().retryDelay()).isEqualTo(Duration.ofMillis(50));
        assertThat(configured.options().values()).containsKeys("maxSize", "retentionEnabled", "dlqAfterMaxRetries");
    }

    @Test
    void deletingSaysWhetherThereWasSomething() throws Exception {
        server.queen().queue(name, String.class).push("1");

        assertThat(operator.queues().delete(name)).isTrue();
        assertThat(operator.async(o -> o.queues().delete(name)).get(10, TimeUnit.SECONDS)).isFalse();
        assertThat(server.stored(name, "Default")).isEmpty();
    }

    @Test
    void aPausedQueueHandsOutNothingUntilItIsResumed() throws Exception {
        QueueView<String> queue = server.queen().queue(name, String.class);
        queue.push("1");
        operator.queues().pause(name);
        TestServer.await("the pause is obeyed", () -> queue.group("g" + System.nanoTime()).pop().isEmpty());

        try (var running = queue.group("billing").consumer().limit(1).start(d -> {})) {
            assertThat(running.ended()).isNotDone();
            operator.queues().resume(name);
            running.awaitEnd();
        }

        assertThat(server.pending(name)).isZero();
        assertThatThrownBy(() -> operator.queues().pause("no-such-queue")).isInstanceOf(RefusedException.class)
                .hasMessage("there is no such queue");
    }

    @Test
    void aBufferWaitsForTheEndOfMaintenance() throws Exception {
        operator.maintenance().setPushClosed(true);
        assertThat(operator.maintenance().status()).isEqualTo(new Maintenance.Status(true, false));
        try (Queen hasty = Queen.builder().url(server.url()).retryFor(Duration.ZERO).build();
                BufferedPush<String> buffer = server.queen().queue(name, String.class).buffered().start()) {
            TestServer.await("pushes are refused", () -> isRefused(hasty));
            buffer.push("patient");

            operator.maintenance().setPushClosed(false);
            buffer.flush();
        } finally {
            operator.maintenance().setPushClosed(false);
        }

        assertThat(server.stored(name, "Default")).containsExactly("patient");
    }

    private static boolean isRefused(Queen queen) {
        try {
            queen.queue(TestServer.newQueue(), String.class).push("impatient");
            return false;
        } catch (OutcomeUnknownException e) {
            return e.getMessage().contains("maintenance");
        }
    }

    @Test
    void popsAreClosedAndOpenedAgain() throws Exception {
        QueueView<String> queue = server.queen().queue(name, String.class);
        queue.push("1");
        operator.maintenance().setPopClosed(true);
        try {
            assertThat(operator.maintenance().status()).isEqualTo(new Maintenance.Status(false, true));
            TestServer.await("nothing is handed out", () -> queue.group("g" + System.nanoTime()).pop().isEmpty());
            try (var running = queue.group("billing").consumer().limit(1).start(d -> {})) {
                operator.maintenance().setPopClosed(false);
                running.awaitEnd();
            }
        } finally {
            operator.maintenance().setPopClosed(false);
        }

        assertThat(server.pending(name)).isZero();
    }

    @Test
    void whatWasChangedIsOnRecord() {
        operator.queues().configure(name, QueueOptions.of());
        operator.queues().pause(name);

        AuditRecord latest = operator.audit().latest(1).getFirst();

        assertThat(latest.action()).isEqualTo("pause");
        assertThat(latest.target()).isEqualTo("queue " + name);
        assertThat(latest.after()).isEqualToIgnoringWhitespace("{\"paused\":true}");
        assertThat(operator.audit().before(latest.id(), 10)).isNotEmpty().allMatch(each -> each.id() < latest.id());
    }

    @Test
    void aHealthyServerSaysSo() {
        assertThat(operator.health().isHealthy()).isTrue();
        assertThat(operator.health().database()).isEqualTo("connected");
    }

    @Nested
    class InTheWordsOfTheContract {
        private StubServer stub;
        private Queen queen;
        private Operator operator;

        @BeforeEach
        void start() throws IOException {
            stub = new StubServer();
            queen = Queen.builder().url(stub.url()).retryFor(Duration.ZERO).build();
            operator = queen.operator();
        }

        @AfterEach
        void stop() {
            queen.close();
            stub.close();
        }

        @Test
        void groupsAreListed() {
            stub.answering(200, """
                    [{"name":"billing","topics":["orders"],"queueName":"orders","members":3,"partitionsWithLag":1,
                      "totalLag":null,"maxTimeLag":400,"state":"Lagging","subscriptionMode":"new",
                      "subscriptionTimestamp":"2025-01-02T03:04:05.000Z"}]""");

            assertThat(operator.groups().list()).singleElement().satisfies(group -> {
                assertThat(group.name()).isEqualTo("billing");
                assertThat(group.queue()).isEqualTo("orders");
                assertThat(group.members()).isEqualTo(3);
                assertThat(group.maxTimeLag()).isEqualTo(Duration.ofSeconds(400));
                assertThat(group.state()).isEqualTo("Lagging");
                assertThat(group.subscriptionAt()).isEqualTo(Instant.parse("2025-01-02T03:04:05Z"));
            });
        }

        @Test
        void aGroupHasLanes() {
            stub.answering(200, """
                    {"orders":{"partitions":[{"partition":"a","workerId":null,"lastConsumedAt":null,"totalConsumed":5,
                     "offsetLag":2,"timeLagSeconds":7,"leaseActive":true}]}}""");

            assertThat(operator.groups().lanes("b/c")).singleElement().satisfies(lane -> {
                assertThat(lane.queue()).isEqualTo("orders");
                assertThat(lane.partition()).isEqualTo("a");
                assertThat(lane.offsetLag()).isEqualTo(2);
                assertThat(lane.isLeased()).isTrue();
            });
            assertThat(stub.last().line()).isEqualTo("GET /api/v1/consumer-groups/b%2Fc");
        }

        @Test
        void aGroupIsMoved() {
            stub.answering(200, "{\"success\":true,\"partitionsUpdated\":4}");

            long moved = operator.groups().seek("billing", "orders", SeekTarget.after(Instant.EPOCH));

            assertThat(moved).isEqualTo(4);
            assertThat(stub.last().line()).isEqualTo("POST /api/v1/consumer-groups/billing/queues/orders/seek");
            assertThat(stub.last().body()).isEqualTo("{\"timestamp\":\"1970-01-01T00:00:00Z\"}");
            operator.groups().seek("billing", "orders", SeekTarget.end());
            assertThat(stub.last().body()).isEqualTo("{\"toEnd\":true}");
            operator.groups().seekToEnd("billing", "orders", "a");
            assertThat(stub.last().line())
                    .isEqualTo("POST /api/v1/consumer-groups/billing/queues/orders/partitions/a/seek");
        }

        @Test
        void aGroupIsForgottenOrStartsElsewhere() {
            operator.groups().delete("billing", false);
            operator.groups().delete("billing", "orders", true);
            operator.groups().changeSubscription("billing", Instant.EPOCH);

            assertThat(stub.asked()).extracting(StubServer.Asked::line).containsExactly(
                    "DELETE /api/v1/consumer-groups/billing?deleteMetadata=true",
                    "DELETE /api/v1/consumer-groups/billing/queues/orders?deleteMetadata=false",
                    "POST /api/v1/consumer-groups/billing/subscription");
            assertThat(stub.last().body()).isEqualTo("{\"subscriptionTimestamp\":\"1970-01-01T00:00:00Z\"}");
        }

        @Test
        void messagesAreListedFoundAndDeleted() {
            stub.answering(200, """
                    {"messages":[{"id":"m","transactionId":"t","partitionId":"p","queue":"orders","partition":"a",
                     "status":"pending","createdAt":"2025-01-02T03:04:05.006Z"}]}""");
            assertThat(operator.messages().list(MessageFilter.any().queue("orders").status("pending").page(5, 10)))
                    .singleElement().satisfies(message -> assertThat(message.status()).isEqualTo("pending"));
            assertThat(stub.last().line())
                    .isEqualTo("GET /api/v1/messages?limit=5&offset=10&queue=orders&status=pending");

            stub.answering(200,
                    "{\"transactionId\":\"t\",\"payload\":{\"a\":1},\"retryCount\":2,\"errorMessage\":\"x\"}");
            assertThat(operator.messages().find("p", "t")).hasValueSatisfying(found -> {
                assertThat(found.payload()).isEqualTo("{\"a\":1}");
                assertThat(found.retryCount()).isEqualTo(2);
            });
            stub.answering(404, "{\"error\":\"no such message\"}");
            assertThat(operator.messages().find("p", "t")).isEmpty();
            assertThat(operator.messages().delete("p", "t")).isFalse();
            stub.answering(200, "{\"success\":true}");
            assertThat(operator.messages().delete("p", "t")).isTrue();
        }

        @Test
        void deadLettersHaveATotal() {
            stub.answering(200, """
                    {"messages":[{"id":"m","transactionId":"t","partitionId":"p","queue":"orders","partition":"a",
                     "consumerGroup":"billing","errorMessage":"no","retryCount":4,"data":{"a":1},
                     "failedAt":"2025-01-02T03:04:05.006Z"}],"total":17,"pagination":{"limit":100,"offset":0}}""");

            var page = operator.deadLetters().list(MessageFilter.any().queue("orders").group("billing"));

            assertThat(page.total()).isEqualTo(17);
            assertThat(page.items()).singleElement().satisfies(letter -> {
                assertThat(letter.error()).isEqualTo("no");
                assertThat(letter.payload()).isEqualTo("{\"a\":1}");
            });
            assertThat(stub.last().line())
                    .isEqualTo("GET /api/v1/dlq?limit=100&offset=0&queue=orders&consumerGroup=billing");
        }

        @Test
        void tracesAreNotedAndFound() {
            stub.answering(201, "{\"success\":true,\"traceId\":\"x\"}");
            assertThat(
                    operator.traces().record("p", "t", "billing", "step", "{\"a\":1}".getBytes(), List.of("order-1")))
                    .isEqualTo("x");
            assertThat(stub.last().body()).isEqualTo("{\"transactionId\":\"t\",\"partitionId\":\"p\","
                    + "\"consumerGroup\":\"billing\",\"eventType\":\"step\",\"traceNames\":[\"order-1\"],\"data\":{\"a\":1}}");

            stub.answering(200, """
                    {"traces":[{"id":"1","event_type":"step","data":{"a":1},"consumer_group":"billing",
                     "created_at":"2025-01-02T03:04:05.006Z","trace_names":["order-1"],"transaction_id":"t",
                     "partition_id":"p"}],"total":1}""");
            assertThat(operator.traces().of("p", "t")).isEqualTo(operator.traces().named("order-1", 10, 0).items());

            stub.answering(200, """
                    {"trace_names":[{"trace_name":"order-1","trace_count":2,"message_count":1,
                     "last_seen":"2025-01-02T03:04:05.006Z"}],"total":1}""");
            assertThat(operator.traces().names(10, 0).items()).singleElement()
                    .satisfies(each -> assertThat(each.traces()).isEqualTo(2));
        }
    }
}
