package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.error.RefusedException;
import io.queenmq.client.operator.DeadLetter;
import io.queenmq.client.operator.Explanation;
import io.queenmq.client.operator.GroupPartition;
import io.queenmq.client.operator.MessageFilter;
import io.queenmq.client.operator.MessageSummary;
import io.queenmq.client.operator.Operator;
import io.queenmq.client.operator.PartitionFilter;
import io.queenmq.client.operator.PartitionSummary;
import io.queenmq.client.operator.QueueSummary;
import io.queenmq.client.operator.Redrive;
import io.queenmq.client.operator.RedriveRequest;
import io.queenmq.client.operator.SeekTarget;
import io.queenmq.client.operator.TraceEvent;
import io.queenmq.client.operator.TraceName;
import io.queenmq.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Repairs of messages, partitions, groups and dead letters. */
class RepairTest {
    @RegisterExtension
    static final TestServer server = new TestServer();

    private final Operator operator = server.queen().operator();
    private final String name = TestServer.newQueue();
    private final QueueView<String> queue = server.queen().queue(name, String.class);
    private final GroupView<String> group = queue.partition("a").group("billing");
    private String partitionId;

    @BeforeEach
    void threeMessages() {
        partitionId = queue
                .partition("a").pushMessages(List.of(Message.of("1").transactionId("one"),
                        Message.of("2").transactionId("two"), Message.of("3").transactionId("three")))
                .getFirst().partitionId();
    }

    @Test
    void aGroupResumesAtTheNewPosition() {
        group.pop(PopOptions.DEFAULT.batch(3)).ack();

        assertThatThrownBy(() -> operator.groups().seek("biling", name, SeekTarget.beginning()))
                .isInstanceOfSatisfying(RefusedException.class, e -> assertThat(e.status()).isEqualTo(404));
        assertThat(operator.groups().seek("billing", name, SeekTarget.beginning())).isOne();
        assertThat(popped()).containsExactly("1", "2", "3");
        assertThat(operator.groups().seek("billing", name, "a", SeekTarget.offset(1))).isOne();
        assertThat(popped()).containsExactly("2", "3");
        operator.groups().seek("billing", name, SeekTarget.after(Instant.EPOCH));
        assertThat(popped()).containsExactly("1", "2", "3");
        assertThat(operator.groups().seek("billing", name, "a", SeekTarget.end())).isEqualTo(3);
        assertThat(popped()).isEmpty();
        assertThatThrownBy(() -> operator.groups().seek("billing", name, SeekTarget.offset(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aSeekEndsLeases() {
        Batch<String> batch = group.pop();

        operator.groups().seek("billing", name, SeekTarget.beginning());

        assertThat(batch.ack(batch.deliveries().getFirst())).isInstanceOf(AckResult.LeaseLost.class);
        assertThat(batch.deliveries().getFirst().isLeaseLost()).isTrue();
    }

    @Test
    void theFirstMessageIsSkipped() {
        group.pop().close();

        assertThat(operator.groups().skip("billing", name, "a", false)).isZero();
        assertThat(operator.groups().skip("billing", name, "a", true)).isOne();

        assertThat(popped()).containsExactly("3");
        assertThat(operator.deadLetters().list(MessageFilter.any().queue(name)).items())
                .extracting(DeadLetter::transactionId).containsExactly("two");
    }

    @Test
    void aGroupIsListedReadAndDeleted() throws Exception {
        group.pop(PopOptions.DEFAULT.batch(2)).ack();

        Await.until("the recent pop is reported", () -> {
            group.pop().close();
            return operator.groups().list().stream().anyMatch(each -> each.name().equals("billing")
                    && each.queue().equals(name) && each.consumers() > 0 && each.state().equals("Stable"));
        });
        assertThat(operator.groups().partitions("billing")).filteredOn(each -> each.queue().equals(name))
                .singleElement().satisfies(partition -> assertThat(partition.offsetLag()).isOne())
                .extracting(GroupPartition::partition).isEqualTo("a");
        assertThat(operator.groups().lagging(Duration.ofDays(1))).isEmpty();
        Await.until("the message that is left has waited for a second", () -> {
            operator.queues().refreshCounts();
            return operator.groups().lagging(Duration.ZERO).stream().anyMatch(each -> each.queue().equals(name));
        });
        assertThat(operator.groups().lagging(Duration.ZERO)).filteredOn(each -> each.queue().equals(name))
                .singleElement().satisfies(partition -> {
                    assertThat(partition.group()).isEqualTo("billing");
                    assertThat(partition.partitionId()).isEqualTo(partitionId);
                    assertThat(partition.offsetLag()).isOne();
                    assertThat(partition.oldestUnread()).isPositive();
                });
        assertThat(operator.overview().oldestUnread()).isPositive();
        operator.groups().changeSubscription("billing", Instant.EPOCH);
        operator.groups().delete("billing", name, false);
        assertThat(popped()).containsExactly("1", "2", "3");
        operator.groups().delete("billing", false);
        assertThat(popped()).containsExactly("1", "2", "3");
    }

    @Test
    void partitionsAreListedAndExplained() throws Exception {
        Batch<String> batch = group.pop();

        Explanation leased = operator.partitions().explain(partitionId, "billing");
        assertThat(leased.state()).isEqualTo("leased");
        assertThat(leased.leaseId()).isNotNull();
        assertThat(leased.until()).isAfter(Instant.now());
        assertThat(leased.reason()).isNotEmpty();
        assertThat(operator.partitions().explain(partitionId, "three", "billing").state()).isEqualTo("behind");
        assertThat(operator.partitions().list(PartitionFilter.any().queue(name).group("billing")).partitions())
                .singleElement().satisfies(partition -> {
                    assertThat(partition.state()).isEqualTo("leased");
                    assertThat(partition.head()).isEqualTo(3);
                    assertThat(partition.offsetLag()).isEqualTo(3);
                });
        batch.close();
        assertThat(operator.partitions().explain(partitionId, "billing").state()).isEqualTo("ready");
        assertThat(operator.partitions().explain(partitionId, "unknown").state()).isEqualTo("unsubscribed");
        assertThat(operator.partitions().find(partitionId)).map(PartitionSummary::partition).hasValue("a");
        assertThat(operator.partitions().find("00000000-0000-4000-8000-000000000000")).isEmpty();
    }

    @Test
    void partitionsAndGroupsArePaused() {
        group.pop().close();
        operator.partitions().pause(partitionId);
        assertThat(operator.partitions().explain(partitionId, "billing").state()).isEqualTo("paused");
        assertThat(operator.partitions().find(partitionId)).map(PartitionSummary::isPaused).hasValue(true);
        operator.partitions().resume(partitionId);
        operator.groups().pause("billing", name);
        assertThat(operator.partitions().explain(partitionId, "billing").state()).isEqualTo("paused");
        operator.groups().resume("billing", name);

        assertThat(operator.partitions().explain(partitionId, "billing").state()).isEqualTo("ready");
    }

    @Test
    void aMessageIsListedReadAndDeleted() {
        assertThat(operator.messages().list(MessageFilter.any().queue(name))).extracting(MessageSummary::transactionId)
                .containsExactly("three", "two", "one");
        assertThat(operator.messages().find(partitionId, "two")).hasValueSatisfying(found -> {
            assertThat(found.payload()).isEqualTo("\"2\"");
            assertThat(found.summary().queue()).isEqualTo(name);
        });
        assertThat(operator.messages().delete(partitionId, "two")).isTrue();
        assertThat(operator.messages().delete(partitionId, "no-such-message")).isFalse();
        assertThat(operator.messages().find(partitionId, "no-such-message")).isEmpty();

        assertThat(popped()).containsExactly("1", "3");
    }

    @Test
    void deadLettersAreListedAndRedriven() throws Exception {
        group.pop().close();
        operator.messages().deadLetter(partitionId, "one", "billing", "invalid order");
        MessageFilter filter = MessageFilter.any().queue(name).error("INVALID");

        assertThat(operator.deadLetters().list(filter).total()).isOne();
        assertThat(operator.deadLetters().list(filter).items()).extracting(DeadLetter::payload)
                .containsExactly("\"1\"");
        assertThat(operator.deadLetters().errors(filter)).singleElement().satisfies(each -> {
            assertThat(each.error()).isEqualTo("invalid order");
            assertThat(each.count()).isOne();
        });
        assertThat(operator.deadLetters().find(partitionId, "one", "billing")).isPresent();
        assertThat(operator.deadLetters().find(partitionId, "two", "billing")).isEmpty();
        RedriveRequest request = RedriveRequest.of(filter).ratePerSecond(100);
        assertThat(operator.deadLetters().countFor(request)).isOne();
        Redrive redrive = operator.deadLetters().redrive(request);
        Await.until("the redrive is over",
                () -> !operator.deadLetters().findRedrive(redrive.id()).orElseThrow().isRunning());

        assertThat(operator.deadLetters().findRedrive(redrive.id())).map(Redrive::redriven).hasValue(1L);
        assertThat(operator.deadLetters().redrives(10, 0).items()).extracting(Redrive::id).contains(redrive.id());
        assertThat(operator.deadLetters().list(filter).items()).isEmpty();
        assertThat(server.stored(name, "a")).containsExactly("1", "2", "3", "1");
    }

    @Test
    void aRunningRedriveIsCanceled() {
        group.pop().close();
        for (String each : List.of("one", "two", "three")) {
            operator.messages().deadLetter(partitionId, each, "billing", "no");
        }
        Redrive redrive = operator.deadLetters()
                .redrive(RedriveRequest.of(MessageFilter.any().queue(name)).ratePerSecond(1));
        assertThat(redrive.isRunning()).isTrue();

        Redrive canceled = operator.deadLetters().cancelRedrive(redrive.id());

        assertThat(canceled.status()).isEqualTo("cancelled");
        assertThat(operator.deadLetters().findRedrive(redrive.id())).map(Redrive::isRunning).hasValue(false);
    }

    @Test
    void deadLettersArePurgedOrRetriedOneByOne() throws Exception {
        group.pop().close();
        operator.messages().deadLetter(partitionId, "one", "billing", "no");
        operator.messages().deadLetter(partitionId, "two", "billing", "no");
        operator.messages().retry(partitionId, "one");
        Await.until("it is pushed again", () -> server.stored(name, "a").size() == 4);

        Await.until("it is no dead letter any more",
                () -> operator.deadLetters().list(MessageFilter.any().queue(name)).total() == 1);
        assertThat(operator.deadLetters().purge(MessageFilter.any().queue(name))).isOne();
        assertThat(operator.deadLetters().list(MessageFilter.any().queue(name)).total()).isZero();
    }

    @Test
    void aQueueIsListedAndCleared() {
        assertThat(operator.queues().list(1000, 0)).extracting(QueueSummary::name).contains(name);
        queue.partition("b").push("4");

        assertThat(operator.queues().clear(name, "b")).isOne();
        assertThat(operator.queues().clear(name)).isEqualTo(3);
        assertThat(popped()).isEmpty();
    }

    @Test
    void traceEventsOfAMessageAreFound() {
        Delivery<String> delivery = group.pop().deliveries().getFirst();
        String case1 = "case of " + name;

        server.queen().trace(delivery, "step", new Json("{\"text\":\"card charged\"}"), case1);

        assertThat(operator.traces().of(partitionId, "one")).singleElement().satisfies(event -> {
            assertThat(event.eventType()).isEqualTo("step");
            assertThat(event.data()).contains("card charged");
            assertThat(event.group()).isEqualTo("billing");
            assertThat(event.names()).containsExactly(case1);
        });
        assertThat(operator.traces().named(case1, 10, 0).items()).extracting(TraceEvent::transactionId)
                .containsExactly("one");
        assertThat(operator.traces().names(100, 0).items()).extracting(TraceName::name).contains(case1);
    }

    private List<String> popped() {
        Batch<String> batch = group.pop(PopOptions.DEFAULT.batch(10));
        batch.ack();
        return batch.deliveries().stream().map(Delivery::value).toList();
    }
}
