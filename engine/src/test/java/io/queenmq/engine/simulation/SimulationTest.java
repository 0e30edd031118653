package io.queenmq.engine.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.command.PushOutcome;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Runs many seeds of {@link Simulation}. A failing seed is printed; -Dsimulation.seed=N replays it, and
 * -Dsimulation.seeds=N runs that many new ones. Every other seed uses three shards, and all do with
 * -Dsimulation.shards=3.
 */
@Execution(ExecutionMode.CONCURRENT)
class SimulationTest {
    private static final int FIXED_SEEDS = 64;
    private static final long FRESH_FOR_NS = 10_000_000_000L;

    @Test
    void aSeedDeterminesTheSimulation() {
        Simulation first = new Simulation(7);
        first.play();
        Simulation second = new Simulation(7);
        second.play();

        assertThat(second.world().fingerprint()).isEqualTo(first.world().fingerprint());
    }

    @Test
    void guaranteesHoldForFixedSeeds() {
        String seed = System.getProperty("simulation.seed");
        if (seed != null) {
            play(Long.parseLong(seed));
            return;
        }
        for (long each = 1; each <= FIXED_SEEDS; each++) {
            play(each);
        }
    }

    @Test
    void guaranteesHoldForNewSeeds() {
        long seeds = Long.getLong("simulation.seeds", 0);
        long startNs = System.nanoTime();
        for (long played = 0; seeds > 0 ? played < seeds : System.nanoTime() - startNs < FRESH_FOR_NS; played++) {
            boolean hasSpool = played % 2 == 1;
            play(ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE), plan -> hasSpool ? plan.withSpool() : plan);
        }
    }

    /** With this seed a transaction reaches its deadline when the partition that it waits for becomes free. */
    @Test
    void aTransactionAtItsDeadlineIsAnsweredOnce() {
        play(6764206574796841679L, Plan::withSpool);
    }

    /** With this seed a read waits for response bytes for longer than its lease of seven seconds lasts. */
    @Test
    void aLeaseIsReleasedBeforeItsReadHasWaitedTooLong() {
        play(4819137327474695166L);
    }

    @Test
    @DisplayName("no spooled message is lost, duplicated or reordered by outages and crashes at any step")
    void pushesAreSpooled() {
        long buffered = 0;
        for (long seed = 1; seed <= Long.getLong("simulation.spool.seeds", 12); seed++) {
            buffered += play(seed, Plan::withSpool).history().pushes().stream().filter(push -> push.outcomes != null)
                    .flatMap(push -> push.outcomes.stream()).filter(PushOutcome.Buffered.class::isInstance).count();
        }
        assertThat(buffered).as("messages that were in a spool").isGreaterThan(100);
    }

    @Test
    @DisplayName("transactionIds are used again inside and outside the duplicate window, through outages, crashes and lost responses")
    void transactionIdsAreReused() {
        Faults faults = new Faults(0.02, 0.03, 0.002, 0.02, 0.02);
        for (long seed = 1; seed <= Long.getLong("simulation.reuse.seeds", 24); seed++) {
            int window = List.of(0, 1, 3, 8).get((int) (seed % 4));
            boolean hasSpool = seed % 3 != 0;
            play(seed, plan -> {
                Plan troubled = plan.withOnly(faults, 0.01, 0.05, 0.05).withOutages(0.02);
                return (hasSpool ? troubled.withSpool() : troubled).withDedupWindow(window);
            });
        }
    }

    @Test
    @DisplayName("no accepted message is lost or stored twice when sessions end or statements fail")
    void sessionsEnd() {
        Faults faults = new Faults(0.03, 0.03, 0, 0.05, 0.02);
        for (long seed = 1; seed <= 20; seed++) {
            play(seed, plan -> plan.withOnly(faults, 0, 0, 0));
        }
    }

    @Test
    @DisplayName("transactionIds that are pushed again after their removal keep the order of their request")
    void removedTransactionIdsAreReused() {
        for (long seed = 1; seed <= 10; seed++) {
            play(seed, plan -> plan.withOnly(Faults.NONE, 0, 0.6, 0));
        }
    }

    @Test
    @DisplayName("silent connections are replaced, and every request is answered")
    void connectionsBecomeSilent() {
        for (long seed = 1; seed <= 8; seed++) {
            play(seed, plan -> plan.withOnly(Faults.NONE, 0.05, 0, 0));
        }
    }

    @Test
    @DisplayName("a locked row delays only requests that need it, and none of them forever")
    void rowsAreLocked() {
        for (long seed = 1; seed <= 16; seed++) {
            play(seed, plan -> plan.withOnly(Faults.NONE, 0, 0, 0.6));
        }
    }

    @Test
    @DisplayName("every request fails in time while PostgreSQL is unavailable for long")
    void postgresIsUnavailableForLong() {
        Faults faults = new Faults(0, 0.01, 0.002, 0, 0);
        for (long seed = 1; seed <= 12; seed++) {
            play(seed, plan -> plan.withOnly(faults, 0.01, 0, 0).withOutages(0.01));
        }
    }

    @Test
    @DisplayName("a message is charged an attempt only if it was delivered, even if responses to lease calls are lost")
    void leaseResponsesAreLost() {
        Faults faults = new Faults(0, 0.05, 0.01, 0, 0);
        for (long seed = 1; seed <= 20; seed++) {
            play(seed, plan -> plan.withOnly(faults, 0.01, 0, 0).withOutages(0.02).withHints(1, HintFaults.NONE, 0));
        }
    }

    @Test
    @DisplayName("while one of three shards is unavailable, only requests that need it wait")
    void oneShardIsUnavailable() {
        for (long seed = 1; seed <= 12; seed++) {
            boolean hasSpool = seed % 2 == 0;
            play(seed,
                    plan -> (hasSpool ? plan.withSpool() : plan).withOnly(Faults.NONE, 0, 0, 0).withShards(3, 0.04, 0));
        }
    }

    @Test
    @DisplayName("connections to one of three shards become silent, and every request is answered")
    void oneShardIsSilent() {
        for (long seed = 1; seed <= 8; seed++) {
            play(seed, plan -> plan.withOnly(Faults.NONE, 0, 0, 0).withShards(3, 0, 0.04));
        }
    }

    @Test
    @DisplayName("the database returns to an earlier state: the end of its history is lost, and every other guarantee holds")
    void theDatabaseLosesTheEndOfItsHistory() {
        for (long seed = 1; seed <= Long.getLong("simulation.revert.seeds", 24); seed++) {
            boolean isCalm = seed % 3 == 0;
            boolean hasSpool = seed % 4 == 3;
            play(seed, plan -> (hasSpool ? plan.withSpool() : isCalm ? plan.withOnly(Faults.NONE, 0, 0, 0) : plan)
                    .withReverts(0.03));
        }
    }

    @Test
    @DisplayName("a task that throws, or a response that cannot be read, affects no other request")
    void tasksThrow() {
        for (long seed = 1; seed <= 8; seed++) {
            play(seed, plan -> plan.withOnly(Faults.NONE, 0, 0, 0).withDefects(0.6));
        }
    }

    @Test
    void everyHintOfThreeServersIsLost() {
        for (long seed = 1; seed <= 10; seed++) {
            play(seed, plan -> plan.withHints(3, HintFaults.NO_HINT_ARRIVES, 0));
        }
    }

    @Test
    void hintsOfThreeServersAreLostDelayedAndDuplicated() {
        for (long seed = 1; seed <= 10; seed++) {
            play(seed, plan -> plan.withHints(3, new HintFaults(0.3, 0.3, 0.3), 0.1));
        }
    }

    private static void play(long seed) {
        play(seed, UnaryOperator.identity());
    }

    private static Simulation play(long seed, UnaryOperator<Plan> change) {
        Simulation simulation = new Simulation(seed, change);
        List<String> violations;
        try {
            violations = simulation.play();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("seed " + seed + " failed", e);
        }
        assertThat(violations).as("-Dsimulation.seed=" + seed + " " + simulation.plan()).isEmpty();
        return simulation;
    }
}
