package io.queenmq.engine.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queenmq.engine.cluster.Hint.Arrival;
import io.queenmq.engine.cluster.Hint.CatalogChange;
import io.queenmq.engine.cluster.Hint.FreePartition;
import io.queenmq.engine.cluster.Hint.Heartbeat;
import io.queenmq.engine.cluster.Hint.HeartbeatReply;
import io.queenmq.engine.cluster.Hint.Introduction;
import io.queenmq.engine.cluster.Hint.IntroductionRequest;
import io.queenmq.engine.cluster.Hint.PartitionEvents;
import io.queenmq.engine.cluster.Hint.PartitionHead;
import io.queenmq.engine.cluster.Hint.PushedQueue;
import io.queenmq.engine.harness.ManualClock;
import io.queenmq.engine.harness.TestConfig;
import io.queenmq.engine.numbers.ServerIdentity;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.time.Timers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PeersTest {
    private static final UUID A = new UUID(0, 1);
    private static final UUID B = new UUID(0, 2);
    private static final UUID PARTITION = new UUID(0, 9);
    private static final Queue ORDERS = new Queue(new UUID(0, 7), "orders", "", "", null, false, Set.of(), 0);

    private final ManualClock clock = new ManualClock();
    private final Mail mail = new Mail();
    private final RecordedHints hints = new RecordedHints();
    private final ArrayDeque<Runnable> afterTurn = new ArrayDeque<>();
    private Peers peers;

    @BeforeEach
    void open() {
        ServerIdentity identity = new ServerIdentity(UUID.randomUUID(), "here", 1, "worker", 1, "1.0", 0);
        peers = new Peers(identity, TestConfig.of(Map.of()).cluster(), mail, new Timers(clock), afterTurn::add,
                new SimpleMeterRegistry());
        peers.open(hints);
    }

    @Test
    void newMembersReceiveAnIntroduction() {
        hints.read.add("orders");
        peers.interestsChanged();
        clock.pass(100);
        peers.members(Set.of(A));

        assertThat(mail.to(A)).singleElement().isInstanceOfSatisfying(Introduction.class, introduction -> {
            assertThat(introduction.name()).isEqualTo("here:worker");
            assertThat(introduction.queues()).containsExactly("orders");
        });
    }

    @Test
    void aNewQueueIsIntroducedAtOnceAndUnchangedQueuesAreNot() {
        peers.members(Set.of(A, B));
        mail.clear();
        hints.read.add("orders");
        peers.interestsChanged();
        peers.interestsChanged();
        clock.pass(100);
        peers.interestsChanged();
        clock.pass(100);

        assertThat(mail.to(A)).singleElement().isInstanceOfSatisfying(Introduction.class,
                it -> assertThat(it.queues()).containsExactly("orders"));
        assertThat(mail.to(B)).hasSize(1);
    }

    @Test
    void aServerThatReadsManyQueuesSubscribesToAll() {
        IntStream.range(0, 501).forEach(i -> hints.read.add("queue-" + i));
        peers.interestsChanged();
        clock.pass(100);
        peers.members(Set.of(A));

        assertThat(mail.to(A)).singleElement().isInstanceOfSatisfying(Introduction.class,
                it -> assertThat(it.isEverything() && it.queues().isEmpty()).isTrue());
    }

    @Test
    void eventsOfOneTurnAreSentAsOneHintToSubscribers() {
        introduce(A, 1, "orders");
        introduce(B, 1, "other");
        mail.clear();
        peers.pushed(ORDERS, "a", 3);
        peers.pushed(ORDERS, "b", 1);
        peers.released("orders", PARTITION, "billing");
        assertThat(mail.to(A)).isEmpty();
        endTurn();

        assertThat(mail.to(A)).containsExactly(new PartitionEvents(
                List.of(new PushedQueue("orders", ORDERS.id(),
                        List.of(new PartitionHead("a", 3), new PartitionHead("b", 1)))),
                List.of(new FreePartition(PARTITION, "billing"))));
        assertThat(mail.to(B)).isEmpty();
    }

    @Test
    void eventsOfAFewMillisecondsShareAHint() {
        introduce(A, 1, "orders");
        mail.clear();
        peers.pushed(ORDERS, "a", 1);
        endTurn();
        assertThat(mail.to(A)).as("the first is sent at once").hasSize(1);
        for (int head = 2; head <= 9; head++) {
            peers.pushed(ORDERS, "a", head);
            endTurn();
        }
        assertThat(mail.to(A)).hasSize(1);
        clock.pass(5);

        assertThat(mail.to(A)).hasSize(2).last().isEqualTo(new PartitionEvents(
                List.of(new PushedQueue("orders", ORDERS.id(), List.of(new PartitionHead("a", 9)))), List.of()));
    }

    @Test
    void eventsOfQueuesWithoutSubscribersAreNotCollected() {
        introduce(A, 1, "other");
        peers.pushed(ORDERS, "a", 3);
        peers.released("orders", PARTITION, "billing");
        peers.released(null, PARTITION, "billing");

        assertThat(afterTurn).isEmpty();
    }

    @Test
    void receivedHintsAreDispatchedAndNotForwarded() {
        introduce(A, 1, "orders");
        introduce(B, 1, "orders");
        mail.clear();
        peers.received(A,
                new PartitionEvents(List.of(new PushedQueue("orders", ORDERS.id(), List.of(new PartitionHead("a", 3)))),
                        List.of(new FreePartition(PARTITION, "billing"))));
        peers.received(A, new Arrival("orders", "a"));
        peers.received(A, new CatalogChange());

        assertThat(hints.received).containsExactly("pushed orders a 3", "freed billing", "arrived orders a",
                "catalog changed");
        assertThat(afterTurn).isEmpty();
        assertThat(mail.to(B)).isEmpty();
    }

    @Test
    void changesOfTheCatalogAreSentToAllPeersOnce() {
        introduce(A, 1);
        introduce(B, 1, "orders");
        mail.clear();
        peers.catalogChanged();
        peers.catalogChanged();
        endTurn();

        assertThat(mail.to(A)).containsExactly(new CatalogChange());
        assertThat(mail.to(B)).containsExactly(new CatalogChange());
    }

    @Test
    void arrivalsAreSentToSubscribers() {
        introduce(A, 1, "orders");
        introduce(B, 1, "other");
        mail.clear();
        peers.arrived("orders", null);

        assertThat(mail.to(A)).containsExactly(new Arrival("orders", null));
        assertThat(mail.to(B)).isEmpty();
    }

    @Test
    void aLostIntroductionIsRequestedAfterTheNextHeartbeat() {
        introduce(A, 4, "orders");
        mail.clear();
        peers.received(A, new Heartbeat(4, 77));
        assertThat(mail.to(A)).containsExactly(new HeartbeatReply(77));
        mail.clear();
        peers.received(A, new Heartbeat(5, 78));

        assertThat(mail.to(A)).containsExactly(new HeartbeatReply(78), new IntroductionRequest());
    }

    @Test
    void anIntroductionRequestIsAnsweredWithTheLatestOne() {
        peers.members(Set.of(A));
        mail.clear();
        peers.received(A, new IntroductionRequest());

        assertThat(mail.to(A)).singleElement().isInstanceOf(Introduction.class);
    }

    @Test
    void anOlderIntroductionThatArrivesLateIsIgnored() {
        introduce(A, 5, "orders");
        introduce(A, 4, "other");
        mail.clear();
        peers.pushed(ORDERS, "a", 3);
        endTurn();

        assertThat(mail.to(A)).hasSize(1);
    }

    @Test
    void aSilentMemberReceivesNoHintsUntilItResponds() {
        introduce(A, 1, "orders");
        clock.pass(6_000);
        mail.clear();
        peers.pushed(ORDERS, "a", 3);
        endTurn();
        assertThat(mail.to(A)).isEmpty();
        assertThat(mail.traffic.counts().dropped()).isEqualTo(1);
        assertThat(report().members().getFirst().isAlive()).isFalse();
        clock.pass(1_000);
        assertThat(mail.to(A)).anyMatch(Heartbeat.class::isInstance);

        peers.received(A, new Heartbeat(1, 0));
        mail.clear();
        peers.pushed(ORDERS, "a", 4);
        endTurn();
        assertThat(mail.to(A)).hasSize(1);
    }

    @Test
    void hintsOfNonMembersAreIgnored() {
        peers.received(B, new CatalogChange());
        introduce(A, 1, "orders");
        peers.members(Set.of());
        peers.received(A, new CatalogChange());

        assertThat(hints.received).isEmpty();
    }

    @Test
    void theStateOfAFormerMemberIsRemoved() {
        introduce(A, 1, "orders");
        peers.members(Set.of());
        peers.pushed(ORDERS, "a", 3);

        assertThat(afterTurn).isEmpty();
        assertThat(report().members()).isEmpty();
    }

    @Test
    void aStoppingServerUnsubscribesAndStillSendsHints() {
        hints.read.add("orders");
        introduce(A, 1, "orders");
        mail.clear();
        peers.leave();
        assertThat(mail.to(A)).singleElement().isInstanceOfSatisfying(Introduction.class,
                it -> assertThat(it.isLeaving() && it.queues().isEmpty()).isTrue());
        mail.clear();
        peers.pushed(ORDERS, "a", 3);
        endTurn();

        assertThat(mail.to(A)).hasSize(1);
    }

    @Test
    void theRoundTripTimeIsReported() {
        introduce(A, 1, "orders");
        peers.received(A, new HeartbeatReply(clock.nowNs() - 300_000));

        assertThat(report().members().getFirst().roundTripMicros()).isEqualTo(300);
    }

    private ClusterReport report() {
        return peers.report(new ClusterReport.QueueCache(0, 0, 0));
    }

    private void introduce(UUID member, long edition, String... queues) {
        Set<UUID> members = new HashSet<>(mail.known);
        members.add(member);
        mail.known.add(member);
        peers.members(members);
        peers.received(member, new Introduction(edition, "there", "1.0", 0, false, Set.of(queues), false));
    }

    private void endTurn() {
        while (!afterTurn.isEmpty()) {
            afterTurn.poll().run();
        }
    }

    private static final class Mail implements Transport {
        private final List<Map.Entry<UUID, Hint>> sent = new ArrayList<>();
        private final Set<UUID> known = new HashSet<>();
        private final Traffic traffic = new Traffic();

        List<Hint> to(UUID member) {
            return sent.stream().filter(each -> each.getKey().equals(member)).map(Map.Entry::getValue).toList();
        }

        void clear() {
            sent.clear();
        }

        @Override
        public void listen(Listener listener) {}

        @Override
        public void send(UUID member, Hint hint) {
            sent.add(Map.entry(member, hint));
        }

        @Override
        public boolean isJoined() {
            return true;
        }

        @Override
        public String address() {
            return "here:1";
        }

        @Override
        public Traffic traffic() {
            return traffic;
        }
    }

    private static final class RecordedHints implements Peers.HintListener {
        private final List<String> received = new ArrayList<>();
        private final Set<String> read = new HashSet<>();

        @Override
        public void pushed(String queue, UUID queueId, String partition, long head) {
            received.add("pushed " + queue + " " + partition + " " + head);
        }

        @Override
        public void freed(UUID partitionId, String group) {
            received.add("freed " + group);
        }

        @Override
        public void arrived(String queue, String partition) {
            received.add("arrived " + queue + " " + partition);
        }

        @Override
        public void catalogChanged() {
            received.add("catalog changed");
        }

        @Override
        public Set<String> queuesRead() {
            return Set.copyOf(read);
        }
    }
}
