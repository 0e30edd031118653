package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.error.RefusedException;
import io.queenmq.client.error.UnavailableException;
import io.queenmq.client.operator.AuditRecord;
import io.queenmq.client.operator.Identity;
import io.queenmq.client.operator.Maintenance;
import io.queenmq.client.operator.Operator;
import io.queenmq.client.operator.PartitionSummary;
import io.queenmq.client.operator.QueueDetail;
import io.queenmq.client.operator.QueueOptions;
import io.queenmq.client.operator.QueueTotals;
import io.queenmq.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Configuration, pauses, maintenance and audit. */
class OperatorTest {
    @RegisterExtension
    static final TestServer server = new TestServer();

    private final Operator operator = server.queen().operator();
    private final String name = TestServer.newQueue();

    @Test
    void configuringChangesNamedOptionsAndReturnsAll() {
        operator.queues().configure(name, "shop", "billing", QueueOptions.of().leaseTime(Duration.ofMinutes(2)));
        var configured = operator.queues().configure(name,
                QueueOptions.of().retryLimit(7).retryDelay(Duration.ofMillis(50)).retryBackoff(1.5));

        assertThat(configured.name()).isEqualTo(name);
        assertThat(configured.namespace()).isEqualTo("shop");
        assertThat(configured.task()).isEqualTo("billing");
        assertThat(configured.options().leaseTime()).isEqualTo(Duration.ofMinutes(2));
        assertThat(configured.options().retryLimit()).isEqualTo(7);
        assertThat(configured.options().retryDelay()).isEqualTo(Duration.ofMillis(50));
        assertThat(configured.options().retryBackoff()).isEqualTo(1.5);
        assertThat(operator.queues().configure(name, QueueOptions.of().retryBackoff(2)).options().retryBackoff())
                .isEqualTo(2);
        assertThat(configured.options().values()).containsKeys("maxSize", "retentionEnabled", "dlqAfterMaxRetries")
                .doesNotContainKey("dedupWindowSeconds");
        assertThat(operator.queues().configure(name, QueueOptions.of().dedupWindow(Duration.ofMinutes(1))).options()
                .values()).containsEntry("dedupWindowSeconds", 60L);
    }

    @Test
    void everyOptionOfTheServerHasAName() {
        var options = operator.queues().configure(name, QueueOptions.of().dedupWindow(Duration.ofMinutes(1))).options();

        assertThat(QueueOptions.NAMES).isEqualTo(options.values().keySet());
    }

    @Test
    void aQueueIsReturnedWithItsOptionsAndCounts() {
        operator.queues().configure(name, "shop", "billing", QueueOptions.of().leaseTime(Duration.ofMinutes(2)));
        server.queen().queue(name, String.class).partition("a").push("1");

        QueueDetail found = operator.queues().find(name).orElseThrow();

        assertThat(found.namespace()).isEqualTo("shop");
        assertThat(found.options().leaseTime()).isEqualTo(Duration.ofMinutes(2));
        assertThat(found.messages().total()).isEqualTo(1);
        assertThat(operator.queues().find("missing-queue")).isEmpty();
        operator.queues().refreshCounts();
        assertThat(operator.overview().queues()).isPositive();
        assertThat(operator.overview().messages().total()).isPositive();
        assertThat(operator.queues().throughput(name, Instant.now().minusSeconds(120), Instant.now())).isNotEmpty();
    }

    @Test
    void namespacesAndTasksSumTheirQueues() {
        String queue = name + ".billing.in";
        server.queen().queue(queue, String.class).partition("a").pushAll(List.of("1", "2"));
        server.queen().queue(name + ".billing.out", String.class).partition("a").push("3");
        operator.queues().refreshCounts();

        assertThat(operator.queues().namespaces()).contains(new QueueTotals(name, 2, 2, 3, 3));
        assertThat(operator.queues().tasks()).extracting(QueueTotals::name).contains("billing");
        assertThat(operator.identity()).isEqualTo(new Identity(null, "admin", false));
    }

    @Test
    void aPartitionIsFoundByItsNameAlone() {
        for (String partition : List.of("customer-1", "customer-12", "customer-2")) {
            server.queen().queue(name, String.class).partition(partition).push(partition);
        }
        server.queen().queue(name, String.class).partition("customer-1").group("billing").pop();

        PartitionSummary found = operator.partitions().find(name, "customer-1").orElseThrow();

        assertThat(found.partition()).isEqualTo("customer-1");
        assertThat(operator.partitions().find(name, "customer")).isEmpty();
        assertThat(operator.partitions().groups(found.partitionId())).singleElement().satisfies(group -> {
            assertThat(group.group()).isEqualTo("billing");
            assertThat(group.state()).isEqualTo("leased");
            assertThat(group.offsetLag()).isEqualTo(1);
        });
    }

    @Test
    void deletingReturnsWhetherTheQueueExisted() throws Exception {
        server.queen().queue(name, String.class).push("1");

        assertThat(operator.queues().delete(name)).isTrue();
        assertThat(operator.async(o -> o.queues().delete(name)).get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isFalse();
        assertThat(server.stored(name, "Default")).isEmpty();
    }

    @Test
    void aPausedQueueDeliversNothingUntilItIsResumed() throws Exception {
        QueueView<String> queue = server.queen().queue(name, String.class);
        queue.push("1");
        operator.queues().pause(name);
        Await.until("the pause is obeyed", () -> queue.group("g" + System.nanoTime()).pop().isEmpty());

        try (var running = queue.group("billing").consumer().limit(1).start(d -> {})) {
            assertThat(running.ended()).isNotDone();
            operator.queues().resume(name);
            running.awaitEnd();
        }

        assertThat(queue.group("billing").pop().isEmpty()).isTrue();
        assertThatThrownBy(() -> operator.queues().pause("no-such-queue")).isInstanceOf(RefusedException.class)
                .hasMessage("there is no such queue");
    }

    @Test
    void aBufferWaitsForTheEndOfMaintenance() throws Exception {
        operator.maintenance().setPushClosed(true);
        assertThat(operator.maintenance().status()).isEqualTo(new Maintenance.Status(true, false));
        try (Queen hasty = Queen.builder().url(server.url()).retryFor(Duration.ZERO).build();
                BufferedPush<String> buffer = server.queen().queue(name, String.class).buffered().start()) {
            Await.until("pushes are refused", () -> isRefused(hasty));
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
        } catch (UnavailableException e) {
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
            Await.until("nothing is handed out", () -> queue.group("g" + System.nanoTime()).pop().isEmpty());
            try (var running = queue.group("billing").consumer().limit(1).start(d -> {})) {
                operator.maintenance().setPopClosed(false);
                running.awaitEnd();
            }
        } finally {
            operator.maintenance().setPopClosed(false);
        }

        assertThat(queue.group("billing").pop().isEmpty()).isTrue();
    }

    @Test
    void changesAreAudited() {
        operator.queues().configure(name, QueueOptions.of());
        operator.queues().pause(name);

        AuditRecord latest = operator.audit().latest(1).getFirst();

        assertThat(latest.action()).isEqualTo("pause");
        assertThat(latest.target()).isEqualTo("queue " + name);
        assertThat(latest.after()).isEqualToIgnoringWhitespace("{\"paused\":true}");
        assertThat(operator.audit().before(latest.id(), 10)).isNotEmpty().allMatch(each -> each.id() < latest.id());
    }

    @Test
    void aHealthyServerReportsItsHealth() {
        assertThat(operator.health().isHealthy()).isTrue();
        assertThat(operator.health().database()).isEqualTo("connected");
    }

    @Test
    void aSingleServerReportsNoPeers() {
        assertThat(operator.cluster().isEnabled()).isFalse();
        assertThat(operator.cluster().others()).isEmpty();
        assertThat(operator.cluster().address()).isNull();
    }
}
