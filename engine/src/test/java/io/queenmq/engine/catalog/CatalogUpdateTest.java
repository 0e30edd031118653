package io.queenmq.engine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.queue.Queue;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CatalogUpdateTest {
    private static final CatalogState BEFORE = state(7);
    private static final Map<String, Queue> NO_QUEUES = Map.of();

    /** The columns known, touched and read decide about removed and stored; see {@link TestQueues} for the notation. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            new queue                                             |       |   | a1     |       | a1
            unchanged queue                                       | a1    |   | a1     |       |
            deleted queue                                         | a1    |   |        | a1    |
            deleted, and created again under the same name        | a1    |   | a2     |       | a2
            paused                                                | a1    |   | a1p    |       | a1p
            resumed                                               | a1p   |   | a1     |       | a1
            revised by an operator                                | a1    |   | a1r    |       | a1r
            encryption switched on                                | a1    |   | a1e    |       | a1e
            encryption switched off                               | a1e   |   | a1     |       | a1
            some of several queues                                | a1 b2 |   | b2p c3 | a1    | b2p c3
            created here while reading                            | a1    | a |        |       |
            deleted here while reading                            |       | a | a1     |       |
            deleted here while reading, was encrypted             |       | a | a1e    |       | a1e
            changed here while reading                            | a1p   | a | a1     |       |
            encrypted here while reading                          | a1e   | a | a1     |       |
            encrypted on a peer, changed here while reading | a1p   | a | a1e    |       | a1e
            created again here while reading                      | a2    | a | a1     |       |
            created again here while reading, first one encrypted | a2    | a | a1e    |       |
            a touched queue protects no other                     | a1 b1 | a |        | b1    |
            """)
    void queuesFollowTheReadingUnlessThisServerChangedThemMeanwhile(String row, String known, String touched,
            String read, String removed, String stored) {
        CatalogUpdate update = CatalogUpdate.of(BEFORE, TestQueues.byName(known), names(touched),
                new CatalogReading.Changed(state(8), TestQueues.byName(read), List.of()));

        assertThat(update.removed()).containsExactlyInAnyOrderElementsOf(TestQueues.byName(removed).values());
        assertThat(update.stored()).containsExactlyInAnyOrderElementsOf(TestQueues.byName(stored).values());
    }

    @ParameterizedTest(name = "known {0}, read {1}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
            a1e | a1  | true
            a1e | a1e | false
            a1  | a1e | false
            a1  | a1  | false
            a1e | a2  | false
            """)
    void onlyTheSameQueueCanLoseItsEncryption(String known, String read, boolean isRemoved) {
        assertThat(CatalogUpdate.removesEncryption(TestQueues.queue(known), TestQueues.queue(read)))
                .isEqualTo(isRemoved);
    }

    @Test
    void withoutTouchedQueuesTheStateIsTheOneRead() {
        assertThat(update(BEFORE, Set.of(), state(8)).state()).isEqualTo(state(8));
    }

    @Test
    void withTouchedQueuesTheVersionStaysSoThatTheNextReadingIsComplete() {
        CatalogState now = new CatalogState(8, 3, 2, new Maintenance(true, false), 5, true);

        CatalogState state = update(BEFORE, Set.of("a"), now).state();

        assertThat(state).isEqualTo(new CatalogState(7, 3, 2, new Maintenance(true, false), 5, true));
        assertThat(now.comparedWith(state, 8)).isEqualTo(CatalogState.Comparison.CHANGED);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            first reading                           | -1 | 0 | 1 | false
            subscriptions unchanged                 |  7 | 1 | 1 | false
            subscriptions changed                   |  7 | 1 | 2 | true
            subscriptions changed back by a restore |  7 | 2 | 1 | true
            """)
    void changedSubscriptionsAreRevisedUnlessNoneWereLoaded(String row, long versionBefore, long before, long now,
            boolean isRevised) {
        CatalogUpdate update = update(new CatalogState(versionBefore, before, -1, Maintenance.NONE, 0, false), Set.of(),
                new CatalogState(8, now, -1, Maintenance.NONE, 0, false));

        assertThat(update.subscriptions())
                .isEqualTo(isRevised ? List.of(new Revision.SubscriptionsRevised()) : List.of());
    }

    /** The column since is the version after which revised partitions are recorded; read contains "unreachable" or the partitions. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            first reading                              | -1 | 0 | a/p     |
            first reading, shard unreachable           | -1 | 0 | ?       |
            no partition revised                       |  7 | 0 |         |
            partitions revised                         |  7 | 0 | a/p b/q | a/p b/q
            records begin at the known version         |  7 | 7 | a/p     | a/p
            records begin after the known version      |  7 | 8 | a/p     | all
            shard unreachable                          |  7 | 0 | ?       | all
            """)
    void revisedPartitionsAreNamedAsFarAsTheyAreRecorded(String row, long versionBefore, long since, String read,
            String revised) {
        CatalogUpdate update = CatalogUpdate.of(state(versionBefore), NO_QUEUES, Set.of(),
                new CatalogReading.Changed(new CatalogState(9, 0, since, Maintenance.NONE, 0, false), NO_QUEUES,
                        "?".equals(read) ? null : partitions(read)));

        assertThat(update.partitions()).isEqualTo("all".equals(revised)
                ? List.of(new Revision.PartitionsMissed())
                : partitions(revised).stream()
                        .map(each -> new Revision.PartitionRevised(each.queue(), each.partition())).toList());
    }

    @ParameterizedTest
    @CsvSource({"false, false, false", "true, false, true", "false, true, true", "true, true, true"})
    void maintenanceHasChangedIfPushOrPopWasSwitched(boolean isPushOff, boolean isPopOff, boolean isChanged) {
        CatalogUpdate update = update(BEFORE, Set.of(),
                new CatalogState(8, 0, -1, new Maintenance(isPushOff, isPopOff), 0, false));

        assertThat(update.isMaintenanceChanged()).isEqualTo(isChanged);
    }

    @Test
    void maintenanceIsReportedByTheFirstReading() {
        CatalogUpdate update = update(CatalogState.UNKNOWN, Set.of(),
                new CatalogState(8, 0, -1, new Maintenance(true, true), 0, false));

        assertThat(update.isMaintenanceChanged()).isTrue();
    }

    private static CatalogUpdate update(CatalogState before, Set<String> touched, CatalogState now) {
        return CatalogUpdate.of(before, NO_QUEUES, touched, new CatalogReading.Changed(now, NO_QUEUES, List.of()));
    }

    private static CatalogState state(long version) {
        return new CatalogState(version, 0, -1, Maintenance.NONE, 0, false);
    }

    private static Set<String> names(String names) {
        return names == null ? Set.of() : Set.of(names.split(" "));
    }

    private static List<QueueRoutines.RevisedPartition> partitions(String paths) {
        return paths == null
                ? List.of()
                : Arrays.stream(paths.split(" ")).map(path -> path.split("/"))
                        .map(parts -> new QueueRoutines.RevisedPartition(parts[0], parts[1])).toList();
    }
}
