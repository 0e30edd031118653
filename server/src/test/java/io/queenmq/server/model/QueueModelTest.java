package io.queenmq.server.model;

import io.queenmq.server.harness.Cluster;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Whatever happens in whatever order, two servers on one database answer as the model does. */
class QueueModelTest {
    private static final AtomicInteger QUEUES = new AtomicInteger();
    private static Cluster cluster;
    private static volatile boolean isOpen;

    @BeforeContainer
    static void open() {
        cluster = Cluster.of(2);
        isOpen = true;
    }

    @AfterContainer
    static void close() {
        isOpen = false;
        cluster.close();
    }

    @Property(tries = 150, shrinking = ShrinkingMode.BOUNDED, edgeCases = EdgeCasesMode.NONE)
    void serversAnswerAsTheModelDoes(@ForAll("steps") List<Step> steps, @ForAll @IntRange(max = 2) int retryLimit) {
        // Shrinking goes on in the background after its time is up.
        Assume.that(isOpen);
        Play play = new Play(cluster, "model-" + QUEUES.incrementAndGet(), retryLimit);
        steps.forEach(play::perform);
        play.settle();
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Integer> server = Arbitraries.integers().between(0, 1);
        Arbitrary<Integer> partition = Arbitraries.integers().between(0, Play.PARTITIONS - 1);
        Arbitrary<Integer> group = Arbitraries.integers().between(0, Play.GROUPS.size() - 1);
        Arbitrary<Integer> recent = Arbitraries.frequencyOf(Tuple.of(3, Arbitraries.just(0)),
                Tuple.of(2, Arbitraries.integers().between(0, 10)));
        Arbitrary<List<Status>> words = Arbitraries.frequency(Tuple.of(6, Status.COMPLETED), Tuple.of(2, Status.FAILED),
                Tuple.of(1, Status.RETRY), Tuple.of(1, Status.DLQ)).injectNull(0.3).list().ofMinSize(1).ofMaxSize(5);
        Arbitrary<Boolean> seldom = Arbitraries.frequency(Tuple.of(4, false), Tuple.of(1, true));
        Arbitrary<Boolean> mostly = seldom.map(isSo -> !isSo);

        Arbitrary<Step> push = Combinators.combine(server, partition, Arbitraries.integers().between(1, 4),
                Arbitraries.integers().between(0, 1)).as(Step.Push::new);
        Arbitrary<Step> pop = Combinators.combine(server, group, Arbitraries.integers().between(0, Play.PARTITIONS),
                Arbitraries.integers().between(1, 5), Arbitraries.integers().between(1, 2), seldom).as(Step.Pop::new);
        Arbitrary<Step> ack = Combinators.combine(server, recent, words, seldom, mostly).as(Step.Ack::new);
        Arbitrary<Step> transact = Combinators.combine(server, recent, words, partition,
                Arbitraries.integers().between(0, 2)).as(Step.Transact::new);
        Arbitrary<Step> renew = Combinators.combine(server, recent).as(Step.Renew::new);
        Arbitrary<Step> expire = Combinators.combine(group, partition).as(Step.Expire::new);
        return Arbitraries.frequencyOf(Tuple.of(4, push), Tuple.of(8, pop), Tuple.of(7, ack), Tuple.of(2, transact),
                Tuple.of(1, renew), Tuple.of(3, expire)).list().ofMaxSize(50);
    }
}
