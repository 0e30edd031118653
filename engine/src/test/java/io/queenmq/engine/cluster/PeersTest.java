package io.queenmq.engine.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queenmq.engine.cluster.Hint.Arrival;
import io.queenmq.engine.cluster.Hint.Beat;
import io.queenmq.engine.cluster.Hint.CatalogChange;
import io.queenmq.engine.cluster.Hint.Echo;
import io.queenmq.engine.cluster.Hint.FreePartition;
import io.queenmq.engine.cluster.Hint.Introduction;
import io.queenmq.engine.cluster.Hint.PartitionHead;
import io.queenmq.engine.cluster.Hint.PushedQueue;
import io.queenmq.engine.cluster.Hint.Question;
import io.queenmq.engine.cluster.Hint.Ring;
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
    private final Rooms rooms = new Rooms();
    private final ArrayDeque<Runnable> afterTurn = new ArrayDeque<>();
    private Peers peers;

    @BeforeEach
    void open() {
        ServerIdentity identity = new ServerIdentity(UUID.randomUUID(), "here", 1, "worker", 1, "1.0", 0);
        peers = new Peers(identity,
                TestConfig.of(Map.of()).cluster(), mail,
                new Timers(clock), afterTurn::add, new SimpleMeterRegistry());
        peers.open(rooms);
    }

    @Test
    void newMembersAreGreetedWithWhatIsReadHere() {
        rooms.read.add("orders");
        peers.interestsChanged();
        clock.pass(100);
        peers.members(Set.of(A));

        assertThat(mail.to(A)).singleElement().isInstanceOfSatisfying(Introduction.class, introduction -> {
            assertThat(introduction.name()).isEqualTo("here:worker");
            assertThat(introduction.queues()).containsExactly("orders");
        });
    }

    @Test
    void oneMoreQueueIsToldAtOnceAndTheSameOnesAreNot() {
        peers.members(Set.of(A, B));
        mail.clear();
        rooms.read.add("orders");
        peers.interestsChanged();
        peers.interestsChanged();
        clock.pass(100);
        peers.interestsChanged();
        clock.pass(100);

        assertThat(mail.to(A)).singleElement()
                .isInstanceOfSatisfying(Introduction.class, it -> assertThat(it.queues()).containsExactly("orders"));
        assertThat(mail.to(B)).hasSize(1);
    }

    @Test
    void whoReadsVeryManyQueuesHearsOfEverything() {
        IntStream.range(0, 501).forEach(i -> rooms.read.add("queue-" + i));
        peers.interestsChanged();
        clock.pass(100);
        peers.members(Set.of(A));

        assertThat(mail.to(A)).singleElement().isInstanceOfSatisfying(Introduction.class,
                it -> assertThat(it.isEverything() && it.queues().isEmpty()).isTrue());
    }

    @Test
    void whatHappensInOneTurnGoesAsOneHintToThoseWhoReadIt() {
        introduce(A, 1, "orders");
        introduce(B, 1, "other");
        mail.clear();
        peers.pushed(ORDERS, "a", 3);
        peers.pushed(ORDERS, "b", 1);
        peers.released("orders", PARTITION, "billing");
        assertThat(mail.to(A)).isEmpty();
        endTurn();

        assertThat(mail.to(A)).containsExactly(new Arrival(
                List.of(new PushedQueue("orders", ORDERS.id(),
                        List.of(new PartitionHead("a", 3), new PartitionHead("b", 1)))),
                List.of(new FreePartition(PARTITION, "billing"))));
        assertThat(mail.to(B)).isEmpty();
    }

    @Test
    void turnsThatFollowEachOtherCloselyShareAHint() {
        introduce(A, 1, "orders");
        mail.clear();
        peers.pushed(ORDERS, "a", 1);
        endTurn();
        assertThat(mail.to(A)).as("the first goes at once").hasSize(1);
        for (int head = 2; head <= 9; head++) {
            peers.pushed(ORDERS, "a", head);
            endTurn();
        }
        assertThat(mail.to(A)).hasSize(1);
        clock.pass(5);

        assertThat(mail.to(A)).hasSize(2).last().isEqualTo(new Arrival(
                List.of(new PushedQueue("orders", ORDERS.id(), List.of(new PartitionHead("a", 9)))), List.of()));
    }

    @Test
    void ofQueuesNobodyElseReadsNothingIsGathered() {
        introduce(A, 1, "other");
        peers.pushed(ORDERS, "a", 3);
        peers.released("orders", PARTITION, "billing");
        peers.released(null, PARTITION, "billing");

        assertThat(afterTurn).isEmpty();
    }

    @Test
    void whatOthersSayGoesThroughTheDoorsAndIsNotToldAgain() {
        introduce(A, 1, "orders");
        introduce(B, 1, "orders");
        mail.clear();
        peers.heard(A,
                new Arrival(List.of(new PushedQueue("orders", ORDERS.id(), List.of(new PartitionHead("a", 3)))),
                        List.of(new FreePartition(PARTITION, "billing"))));
        peers.heard(A, new Ring("orders", "a"));
        peers.heard(A, new CatalogChange());

        assertThat(rooms.told).containsExactly("pushed orders a 3", "freed billing", "rung orders a",
                "catalog changed");
        assertThat(afterTurn).isEmpty();
        assertThat(mail.to(B)).isEmpty();
    }

    @Test
    void changesOfTheCatalogAreToldToEverybodyOnceATurn() {
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
    void ringsOfOperatorsGoToThoseWhoReadTheQueue() {
        introduce(A, 1, "orders");
        introduce(B, 1, "other");
        mail.clear();
        peers.rung("orders", null);

        assertThat(mail.to(A)).containsExactly(new Ring("orders", null));
        assertThat(mail.to(B)).isEmpty();
    }

    @Test
    void anIntroductionThatWasLostIsAskedForAfterTheNextBeat() {
        introduce(A, 4, "orders");
        mail.clear();
        peers.heard(A, new Beat(4, 77));
        assertThat(mail.to(A)).containsExactly(new Echo(77));
        mail.clear();
        peers.heard(A, new Beat(5, 78));

        assertThat(mail.to(A)).containsExactly(new Echo(78), new Question());
    }

    @Test
    void aQuestionIsAnsweredWithTheLatestIntroduction() {
        peers.members(Set.of(A));
        mail.clear();
        peers.heard(A, new Question());

        assertThat(mail.to(A)).singleElement().isInstanceOf(Introduction.class);
    }

    @Test
    void anOlderIntroductionThatComesLateCountsNothing() {
        introduce(A, 5, "orders");
        introduce(A, 4, "other");
        mail.clear();
        peers.pushed(ORDERS, "a", 3);
        endTurn();

        assertThat(mail.to(A)).hasSize(1);
    }

    @Test
    void aMemberThatSaysNothingForLongIsToldNothingUntilItDoes() {
        introduce(A, 1, "orders");
        clock.pass(6_000);
        mail.clear();
        peers.pushed(ORDERS, "a", 3);
        endTurn();
        assertThat(mail.to(A)).isEmpty();
        assertThat(mail.traffic.counts().dropped()).isEqualTo(1);
        assertThat(report().members().getFirst().isAlive()).isFalse();
        clock.pass(1_000);
        assertThat(mail.to(A)).anyMatch(Beat.class::isInstance);

        peers.heard(A, new Beat(1, 0));
        mail.clear();
        peers.pushed(ORDERS, "a", 4);
        endTurn();
        assertThat(mail.to(A)).hasSize(1);
    }

    @Test
    void whoIsNoMemberIsNotHeard() {
        peers.heard(B, new CatalogChange());
        introduce(A, 1, "orders");
        peers.members(Set.of());
        peers.heard(A, new CatalogChange());

        assertThat(rooms.told).isEmpty();
    }

    @Test
    void ofAMemberThatIsGoneNothingIsKept() {
        introduce(A, 1, "orders");
        peers.members(Set.of());
        peers.pushed(ORDERS, "a", 3);

        assertThat(afterTurn).isEmpty();
        assertThat(report().members()).isEmpty();
    }

    @Test
    void aServerThatStopsWantsToHearOfNothingAndGoesOnTelling() {
        rooms.read.add("orders");
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
    void theTimeThereAndBackIsReported() {
        introduce(A, 1, "orders");
        peers.heard(A, new Echo(clock.nowNs() - 300_000));

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
        peers.heard(member, new Introduction(edition, "there", "1.0", 0, false, Set.of(queues), false));
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

    private static final class Rooms implements Peers.Doors {
        private final List<String> told = new ArrayList<>();
        private final Set<String> read = new HashSet<>();

        @Override
        public void pushed(String queue, UUID queueId, String partition, long head) {
            told.add("pushed " + queue + " " + partition + " " + head);
        }

        @Override
        public void freed(UUID partitionId, String group) {
            told.add("freed " + group);
        }

        @Override
        public void rung(String queue, String partition) {
            told.add("rung " + queue + " " + partition);
        }

        @Override
        public void catalogChanged() {
            told.add("catalog changed");
        }

        @Override
        public Set<String> queuesRead() {
            return Set.copyOf(read);
        }
    }
}
