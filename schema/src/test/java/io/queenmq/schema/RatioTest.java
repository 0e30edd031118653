package io.queenmq.schema;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compares the cost of the routines with a plain INSERT of the same bytes on the same server at the same time. This
 * ratio is the same on fast and slow machines, and multiplies when a routine stops using an index.
 */
class RatioTest {
    private static final FilledQueue PARTITIONS_AROUND = new FilledQueue(20_000, 1, 1, 2);
    private static final int REPETITIONS = 5;

    @RegisterExtension
    static final SchemaDatabase database = SchemaDatabase.ofOneShard();

    /**
     * The limits are three to four times the measurements on PostgreSQL 15 and 18. The CPU clock of backends has a
     * resolution of 10 ms: rounds and inserts are numerous enough for several ticks per repetition.
     */
    @ParameterizedTest
    @CsvSource({"10, 100, 30, 1, 4, 2", "500, 1, 20, 3, 15, 35"})
    void messagesCostNoMoreThanSoManyPlainInserts(int partitions, int messages, int rounds, int insertsPerRound,
            double pushMax, double readMax) {
        var api = database.api();
        assumeTrue(ProcessCpu.isKnownOf(api),
                "the CPU time of a backend is read from /proc, on the machine it runs on");
        var queue = api.configure("partitions-" + partitions, Map.of());
        var orders = new SampleMessages();
        PARTITIONS_AROUND.store(api, queue, orders);
        var traffic = new Traffic(Traffic.partitions(queue, IntStream.range(0, partitions)), PARTITIONS_AROUND.head());
        var batches = orders.batches(partitions, messages);

        var ratios = new Ratios(traffic, batches, rounds, insertsPerRound);
        ratios.repeat();
        ratios.clear();
        for (int i = 0; i < REPETITIONS; i++) {
            ratios.repeat();
        }

        assertThat(median(ratios.push)).as("push, in plain inserts: %s", ratios.push).isLessThan(pushMax);
        assertThat(median(ratios.read)).as("lease, fetch and ack, in plain inserts: %s", ratios.read)
                .isLessThan(readMax);
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    /** Each side has its own session, so that the times of the backends are separate. */
    private static final class Ratios {
        private final Traffic traffic;
        private final List<Batch> batches;
        private final List<byte[]> lines;
        private final int rounds;
        private final int insertsPerRound;
        private final Api inserting = database.newSession();
        private final Api pushing = database.newSession();
        private final Api reading = database.newSession();
        private final List<Double> push = new ArrayList<>();
        private final List<Double> read = new ArrayList<>();

        Ratios(Traffic traffic, List<Batch> batches, int rounds, int insertsPerRound) {
            this.traffic = traffic;
            this.batches = batches;
            this.rounds = rounds;
            this.insertsPerRound = insertsPerRound;
            this.lines = batches.stream().flatMap(batch -> batch.text().lines()).map(line -> line.getBytes(UTF_8))
                    .toList();
            inserting.execute("drop table if exists plain");
            inserting.execute(
                    "create table plain (id bigint generated always as identity primary key, line bytea not null)");
        }

        void repeat() {
            double insertBefore = cpu(inserting);
            double pushBefore = cpu(pushing);
            double readBefore = cpu(reading);
            for (int i = 0; i < rounds; i++) {
                for (int k = 0; k < insertsPerRound; k++) {
                    insert();
                }
                var round = traffic.new Round(0, batches);
                round.push(pushing);
                round.lease(reading);
                round.fetch(reading);
                round.ack(reading);
            }
            double insert = (cpu(inserting) - insertBefore) / insertsPerRound;
            push.add((cpu(pushing) - pushBefore) / insert);
            read.add((cpu(reading) - readBefore) / insert);
        }

        void clear() {
            push.clear();
            read.clear();
        }

        private void insert() {
            inserting.list(_ -> null,
                    "with stored as (insert into plain (line) select unnest(?) returning 1)"
                            + " select count(*) from stored",
                    new Args<>(inserting.connection(), lines).bytes(line -> line));
        }

        private static double cpu(Api session) {
            return ProcessCpu.seconds(session.backendPid());
        }
    }
}
