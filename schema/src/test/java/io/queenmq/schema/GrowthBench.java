package io.queenmq.schema;

import io.queenmq.schema.Api.PendingCheck;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Partitions under load, with a session for each operation, so that the CPU of a backend is the cost of one of them. */
final class GrowthBench {
    private static final int PARTITIONS_BUSY_MAX = 1_000;
    private static final int PARTITIONS_PER_ROUND = 100;
    private static final int MESSAGES_PER_PARTITION = 10;
    private static final int LOOK_EVERY = 10;
    private static final int LOOK_BACK_S = 10;
    private static final int PAGE = 1_000;
    private static final int VARIANTS = 16;

    record Cost(String operation, double cpuUs, double pages) {}

    /** One kind of call with its own session. */
    private static final class Operation {
        private final String name;
        private final String statement;
        private final Api session;
        private final int every;
        private final Consumer<Api> call;
        private double cpuSeconds;
        private long calls;
        private long pages;

        /**
         * @param statement a pattern of its text, for pg_stat_statements
         * @param every the number of rounds per call
         */
        Operation(String name, String statement, Api session, int every, Consumer<Api> call) {
            this.name = name;
            this.statement = statement;
            this.session = session;
            this.every = every;
            this.call = call;
        }

        void callIn(int round) {
            if (round % every == 0) {
                call.accept(session);
            }
        }

        /** For the calls since the previous query. */
        Cost cost() {
            double cpuBefore = cpuSeconds;
            long callsBefore = calls;
            long pagesBefore = pages;
            cpuSeconds = ProcessCpu.seconds(session.backendPid());
            session.list(rows -> {
                calls = rows.getLong(1);
                pages = rows.getLong(2);
                return null;
            }, """
                    select sum(calls), sum(shared_blks_hit + shared_blks_read)
                    from pg_stat_statements
                    where query like ? and dbid = (select oid from pg_database where datname = current_database())""",
                    statement);
            return new Cost(name, (cpuSeconds - cpuBefore) * 1e6 / (calls - callsBefore),
                    (double) (pages - pagesBefore) / (calls - callsBefore));
        }
    }

    private final Api api;
    private final Queue queue;
    private final Traffic traffic;
    private final int busy;
    private final List<List<Batch>> batches;
    private final List<Operation> operations;
    private Traffic.Round round;
    private int rounds;

    GrowthBench(CostDatabase database, FilledQueue filling) throws SQLException {
        api = database.newSession();
        api.execute("create extension pg_stat_statements");
        queue = api.configure("growth", Map.of());
        busy = Math.min(filling.partitions(), PARTITIONS_BUSY_MAX);
        int step = filling.partitions() / busy;
        traffic = new Traffic(Traffic.partitions(queue, IntStream.range(0, busy).map(i -> i * step)), filling.head());
        var orders = new SampleMessages();
        batches = Stream.generate(() -> orders.batches(PARTITIONS_PER_ROUND, MESSAGES_PER_PARTITION)).limit(VARIANTS)
                .toList();
        filling.store(api, queue, orders);
        operations = List.of(
                new Operation("push", "%.push(%", database.newSession(), 1, session -> round.push(session)),
                new Operation("resolve, pushed to lately", "select partition_id%.resolve(%", database.newSession(),
                        LOOK_EVERY, this::resolveRecent),
                new Operation("resolve, a page of all partitions", "select count%.resolve(%", database.newSession(),
                        LOOK_EVERY, this::resolvePage),
                new Operation("lease", "%.lease(%", database.newSession(), 1, session -> round.lease(session)),
                new Operation("fetch", "%.fetch(%", database.newSession(), 1, session -> round.fetch(session)),
                new Operation("ack", "%.ack(%", database.newSession(), 1, session -> round.ack(session)),
                new Operation("has_pending, nothing is", "%.has_pending(%", database.newSession(), LOOK_EVERY,
                        this::hasPending));
    }

    void run(int count) {
        for (int i = 0; i < count; i++) {
            round = traffic.new Round(rounds * PARTITIONS_PER_ROUND % busy, batches.get(rounds % VARIANTS));
            operations.forEach(operation -> operation.callIn(rounds));
            rounds++;
        }
    }

    /** Runs at a steady rate, unless the calls are too slow. */
    void runFor(long ns, int roundsPerSecond) {
        long start = System.nanoTime();
        long pace = 1_000_000_000 / roundsPerSecond;
        for (long due = 0; due < ns; due = Math.max(due + pace, System.nanoTime() - start - pace)) {
            LockSupport.parkNanos(start + due - System.nanoTime());
            run(1);
        }
    }

    /** For the calls since the previous query. */
    List<Cost> costs() {
        return operations.stream().map(Operation::cost).toList();
    }

    private void resolveRecent(Api session) {
        session.resolve(queue.id(), Traffic.GROUP, LOOK_BACK_S, "", PAGE);
    }

    private void resolvePage(Api session) {
        session.list(rows -> null, "select count(*) from " + session.schema() + ".resolve(?, ?, null, ?, " + PAGE + ")",
                queue.id(), Traffic.GROUP, "partition-5");
    }

    private void hasPending(Api session) {
        if (!session.hasPending(new PendingCheck(queue.id(), null, Traffic.GROUP, LOOK_BACK_S)).isEmpty()) {
            throw new IllegalStateException("everything was read");
        }
    }
}
