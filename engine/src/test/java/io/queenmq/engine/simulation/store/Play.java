package io.queenmq.engine.simulation.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;

/** One random sequence of steps. The seed alone determines it. */
final class Play {
    private final Stage stage;
    private final SplittableRandom random;
    private final Picks picks;
    private final OtherClientSteps otherClient;
    private final List<Runnable> actions = new ArrayList<>();

    Play(Stage stage, long seed) {
        this.stage = stage;
        random = new SplittableRandom(seed);
        picks = new Picks(random, stage.store());
        ProducerSteps producers = new ProducerSteps(stage, picks, random);
        ConsumerSteps consumers = new ConsumerSteps(stage, picks, random, producers);
        OperatorSteps operators = new OperatorSteps(stage, picks, random);
        otherClient = new OtherClientSteps(stage, picks, random, producers);
        add(2, producers::createQueue);
        add(3, producers::configure);
        add(12, producers::push);
        add(3, producers::pushBounded);
        add(6, producers::catchUp);
        add(4, producers::acceptances);
        add(6, consumers::openCursors);
        add(3, consumers::subscribe);
        add(16, consumers::lease);
        add(9, consumers::expire);
        add(3, consumers::release);
        add(10, consumers::ack);
        add(10, consumers::nack);
        add(2, consumers::heldBy);
        add(3, consumers::renew);
        add(8, consumers::transact);
        add(3, consumers::fetch);
        add(3, consumers::resolve);
        add(3, consumers::hasPending);
        add(3, consumers::evict);
        add(2, operators::readCatalog);
        add(5, operators::operate);
        add(4, operators::keepUp);
        add(4, otherClient::lock);
        add(3, otherClient::ownTransaction);
        add(4, () -> stage.advanceTime(random));
    }

    private void add(int weight, Runnable action) {
        for (int i = 0; i < weight; i++) {
            actions.add(action);
        }
    }

    void run(int count) {
        try {
            stage.pass(0);
            prepare();
            for (int i = 0; i < count; i++) {
                stage.pass(random.nextInt(0, 400) * 1_000L);
                actions.get(random.nextInt(actions.size())).run();
            }
        } finally {
            otherClient.end();
        }
        Map<String, List<String>> expected = Snapshot.of(stage.real());
        readRecent();
        Snapshot.of(stage.store()).forEach((table, rows) -> assertThat(rows).as(table).isEqualTo(expected.get(table)));
    }

    /** Records events that are visible only afterward. */
    private void readRecent() {
        Database database = stage.store().database();
        database.partitions.all().stream().filter(partition -> !partition.removed().isEmpty())
                .forEach(_ -> stage.met("removed"));
        database.cursors.all().stream().filter(cursor -> cursor.expiredCount() > 0).forEach(_ -> stage.met("expired"));
        database.deadLetters.all().stream().map(DeadLetter::error).filter(Objects::nonNull)
                .forEach(error -> stage.met("dead: " + error.split(":")[0]));
        stage.store().content().leases().forEach(lease -> stage.met("lease ended: " + lease.how()));
    }

    /** Mostly creates some partitions and readers first. */
    private void prepare() {
        for (String queue : Picks.QUEUES) {
            if (picks.oneIn(8)) {
                continue;
            }
            stage.call("create_queues", new String[]{queue}, new String[]{"shop"}, new String[]{""});
            stage.pass(1_000);
            for (String partition : Picks.PARTITIONS) {
                if (picks.oneIn(4)) {
                    continue;
                }
                UUID partitionId = PartitionTable.idOf(picks.queueId(queue), partition);
                stage.call("catch_up", new UUID[]{partitionId}, new UUID[]{picks.queueId(queue)},
                        new String[]{partition}, new Long[]{-1L}, 10, new Integer[]{60});
                if (!picks.oneIn(4)) {
                    stage.call("open_cursors", new UUID[]{partitionId}, new String[]{picks.any(Picks.GROUPS)},
                            new OffsetDateTime[]{null});
                }
            }
        }
    }
}
