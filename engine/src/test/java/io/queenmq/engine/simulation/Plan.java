package io.queenmq.engine.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The parameters of one simulation: servers and their settings, partitions, clients and faults.
 *
 * @param hasSpool true if servers spool pushes while PostgreSQL is unavailable
 * @param shards the number of shards
 * @param shardOutages the frequency of outages of one shard
 * @param shardSilences the frequency of silent connections to one shard
 * @param reverts the frequency of returns to an earlier state
 * @param seconds the duration of faults; then all faults end and servers must become idle
 */
record Plan(int servers, Map<String, String> settings, int queues, int partitions, List<String> groups, int producers,
        int consumers, int transferrers, int seconds, Faults faults, double outages, double silences, double crashes,
        double operators, double locks, double defects, HintFaults hintFaults, double cuts, boolean hasSpool,
        int shards, double shardOutages, double shardSilences, double reverts) {

    static final String TRANSFER_GROUP = "transfer";
    private static final String DEDUP_WINDOW_SECONDS = "DEDUP_WINDOW_SECONDS";

    static Plan of(SplittableRandom random) {
        boolean isCalm = random.nextInt(8) == 0;
        Map<String, String> settings = Map.ofEntries(Map.entry("DB_STATEMENT_TIMEOUT", "5000"),
                Map.entry("DB_CONNECTION_TIMEOUT", "2000"), Map.entry("DB_UNAVAILABLE_AFTER_MS", "3000"),
                Map.entry("QUEEN_SYNC_HEARTBEAT_MS", "2000"),
                Map.entry("MAX_CALLS_IN_FLIGHT", Integer.toString(1 + random.nextInt(4))),
                Map.entry("MAX_ITEMS_PER_TX", Integer.toString(List.of(1, 3, 20, 500).get(random.nextInt(4)))),
                Map.entry("SEGMENT_CACHE_BYTES", random.nextBoolean() ? "0" : "33554432"),
                Map.entry("POP_MAX_BYTES", Integer.toString(List.of(1_024, 3_000, 8_388_608).get(random.nextInt(3)))),
                Map.entry("MAX_ANSWER_BYTES", Integer.toString(random.nextBoolean() ? 65_536 : 8_388_608)),
                Map.entry("MICRO_BATCH_WAIT_MS", Integer.toString(random.nextInt(4) == 0 ? 3 : 0)));
        return new Plan(1 + random.nextInt(3), settings, 1 + random.nextInt(2), 1 + random.nextInt(6),
                random.nextInt(3) == 0 ? List.of("billing", "audit") : List.of("billing"), 2 + random.nextInt(6),
                1 + random.nextInt(4), random.nextInt(3), 20 + random.nextInt(40),
                isCalm
                        ? Faults.NONE
                        : new Faults(some(random, 0.03), some(random, 0.03), some(random, 0.004), some(random, 0.04),
                                some(random, 0.05)),
                isCalm ? 0 : some(random, 0.03), isCalm ? 0 : some(random, 0.02), isCalm ? 0 : some(random, 0.04),
                some(random, 0.1), some(random, 0.1), some(random, 0.1),
                isCalm ? HintFaults.NONE : new HintFaults(some(random, 1), some(random, 0.2), some(random, 0.2)),
                isCalm ? 0 : some(random, 0.03), false, 1, 0, 0, 0);
    }

    /** Returns a plan with spools and frequent outages. */
    Plan withSpool() {
        return new Plan(servers, settings, queues, partitions, groups, producers, consumers, transferrers, seconds,
                faults, Math.max(outages, 0.03), silences, Math.max(crashes, 0.02), operators, locks, defects,
                hintFaults, cuts, true, shards, shardOutages, shardSilences, reverts);
    }

    /** Returns a plan with this duplicate window, in which clients reuse transactionIds. */
    Plan withDedupWindow(int windowSeconds) {
        Map<String, String> changed = new HashMap<>(settings);
        changed.put(DEDUP_WINDOW_SECONDS, Integer.toString(windowSeconds));
        return new Plan(servers, changed, queues, partitions, groups, producers, consumers, 0, seconds, faults, outages,
                silences, crashes, operators, locks, defects, hintFaults, cuts, hasSpool, shards, shardOutages,
                shardSilences, reverts);
    }

    int dedupWindowSeconds() {
        return Integer.parseInt(settings.getOrDefault(DEDUP_WINDOW_SECONDS, "3600"));
    }

    /** Returns zero in half of the cases. */
    private static double some(SplittableRandom random, double max) {
        return random.nextBoolean() ? 0 : random.nextDouble(max);
    }

    /** Returns a plan with only these faults. */
    Plan withOnly(Faults faults, double silences, double operators, double locks) {
        return new Plan(servers, settings, queues, partitions, groups, producers, consumers, transferrers, seconds,
                faults, 0, silences, 0, operators, locks, 0, HintFaults.NONE, 0, hasSpool, shards, 0, 0, 0);
    }

    /** Returns a plan with additional outages. */
    Plan withOutages(double outages) {
        return new Plan(servers, settings, queues, partitions, groups, producers, consumers, transferrers, seconds,
                faults, outages, silences, crashes, operators, locks, defects, hintFaults, cuts, hasSpool, shards,
                shardOutages, shardSilences, reverts);
    }

    /** Returns a plan with additional defects. */
    Plan withDefects(double defects) {
        return new Plan(servers, settings, queues, partitions, groups, producers, consumers, transferrers, seconds,
                faults, outages, silences, crashes, operators, locks, defects, hintFaults, cuts, hasSpool, shards,
                shardOutages, shardSilences, reverts);
    }

    /** Returns a plan with this number of servers and these faults of hints. */
    Plan withHints(int servers, HintFaults hintFaults, double cuts) {
        return new Plan(servers, settings, queues, partitions, groups, producers, consumers, transferrers, seconds,
                faults, outages, silences, crashes, operators, locks, defects, hintFaults, cuts, hasSpool, shards,
                shardOutages, shardSilences, reverts);
    }

    /** Returns true if the only faults are outages of a shard. */
    boolean hasOnlyShardOutages() {
        return shardOutages > 0 && faults.areNone()
                && outages + silences + crashes + operators + locks + defects + shardSilences + reverts == 0;
    }

    /** Returns true if the only faults are locked rows. */
    boolean hasOnlyLocks() {
        return locks > 0 && faults.areNone() && outages + silences + crashes + operators + defects + cuts + shardOutages
                + shardSilences + reverts == 0;
    }

    /** Returns a plan with shards, one of which is sometimes unavailable or silent. */
    Plan withShards(int shards, double shardOutages, double shardSilences) {
        return new Plan(servers, settings, queues, partitions, groups, producers, consumers, transferrers, seconds,
                faults, outages, silences, crashes, operators, locks, defects, hintFaults, cuts, hasSpool, shards,
                shardOutages, shardSilences, reverts);
    }

    /** Returns a plan in which the database sometimes returns to an earlier state. */
    Plan withReverts(double reverts) {
        return new Plan(servers, settings, queues, partitions, groups, producers, consumers, transferrers, seconds,
                faults, outages, silences, crashes, operators, locks, defects, hintFaults, cuts, hasSpool, shards,
                shardOutages, shardSilences, reverts);
    }
}
