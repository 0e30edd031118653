package io.queenmq.server.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.server.harness.Cluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Messages age by hours and months while they are pushed, popped and acked. Upkeep must not remove unread messages. */
class UpkeepUnderLoadTest {
    private static final String QUEUE = "orders";
    private static final List<String> GROUPS = List.of("billing", "shipping");
    private static final int PARTITIONS = 12;
    private static final int PRODUCERS = 4;
    private static final int CONSUMERS_PER_GROUP = 4;
    private static final int PUSHES_PER_PRODUCER = 150;
    private static final Duration LEASE_TIME = Duration.ofSeconds(1);
    private static final Duration FINISHED_WITHIN = Duration.ofMinutes(5);

    @Test
    void noUnreadMessageIsLost() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("rerun with -Dseed=" + seed);
        Map<String, String> settings = Map.of("RETENTION_INTERVAL", "20", "RETENTION_BATCH_SIZE", "3",
                "EVICTION_INTERVAL", "20");
        try (Cluster cluster = Cluster.of(2, settings); var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            cluster.configure(QUEUE, Map.of("leaseTime", LEASE_TIME.toSeconds(), "retryLimit", 3, "retryDelay", 20,
                    "completedRetentionSeconds", 60));
            List<Producer> producers = IntStream.range(0, PRODUCERS)
                    .mapToObj(number -> new Producer(cluster.clients(), QUEUE, number, PARTITIONS, seed)).toList();
            List<Consumer> consumers = new ArrayList<>();
            for (int i = 0; i < CONSUMERS_PER_GROUP * GROUPS.size(); i++) {
                consumers.add(new Consumer(cluster.clients(), QUEUE, GROUPS.get(i % GROUPS.size()), PARTITIONS,
                        LEASE_TIME, seed + 1000 + i));
            }

            AtomicBoolean isOver = new AtomicBoolean();
            List<Future<?>> running = new ArrayList<>();
            consumers.forEach(consumer -> running.add(threads.submit(() -> consumer.run(isOver::get))));
            running.add(threads.submit(() -> age(cluster, isOver)));
            try {
                for (Future<?> producing : threads.invokeAll(producers.stream().<Callable<Void>>map(producer -> () -> {
                    producer.run(PUSHES_PER_PRODUCER);
                    return null;
                }).toList())) {
                    producing.get();
                }
                awaitNothingPending(cluster);
                awaitPartitionsDeleted(cluster);
            } finally {
                isOver.set(true);
            }
            for (Future<?> each : running) {
                each.get();
            }

            for (String group : GROUPS) {
                everyMessageWasFinished(cluster, producers, consumers, group);
            }
            assertThat(cluster.rows("select 1 from queen.cursor where expired_count > 0")).isEmpty();
            assertThat((Number) cluster.rows("select sum(completed_retention) from queen.retention_minute").getFirst()
                    .getFirst()).satisfies(removed -> assertThat(removed.longValue()).isPositive());
        }
    }

    private static void everyMessageWasFinished(Cluster cluster, List<Producer> producers, List<Consumer> consumers,
            String group) {
        Set<String> ended = new HashSet<>();
        consumers.stream().filter(consumer -> consumer.group().equals(group))
                .forEach(consumer -> ended.addAll(consumer.completed().keySet()));
        cluster.rows("select p.name || ':' || (convert_from(d.line, 'UTF8')::json ->> 'transactionId')"
                + " from queen.dead_letter d join queen.partition p on p.id = d.partition_id where d.group_name = ?",
                group).forEach(row -> ended.add((String) row.getFirst()));
        List<String> lost = producers.stream().flatMap(producer -> producer.accepted().stream())
                .filter(message -> !ended.contains(message)).toList();
        assertThat(lost).as("unfinished messages of " + group).isEmpty();
    }

    /** Ages all rows by hours and months between two steps of upkeep, to avoid deadlocks with them. */
    private static void age(Cluster cluster, AtomicBoolean isOver) {
        while (!isOver.get()) {
            cluster.everywhere("""
                    do $$
                    begin
                        lock table partition_upkeep in exclusive mode;
                        update segment set created_at = created_at - interval '1 hour';
                        update partition_upkeep set due_at = due_at - interval '1 hour' where kind <> 'idle';
                        update partition set active_at = active_at - interval '40 days' where head = tail;
                        update partition_upkeep set due_at = due_at - interval '40 days' where kind = 'idle';
                    end
                    $$""");
            pause();
        }
    }

    private static void awaitNothingPending(Cluster cluster) {
        await(cluster, """
                select p.name, g.name, p.head, c.committed, c.lease_until - clock_timestamp(), c.retry_at
                from queen.partition p join queen.queue q on q.id = p.queue_id
                cross join unnest(array['billing', 'shipping']) as g (name)
                left join queen.cursor c on c.partition_id = p.id and c.group_name = g.name
                where q.name = 'orders' and greatest(coalesce(c.committed, p.tail), p.tail) < p.head""");
    }

    /** Waits until only partitions with dead letters and the partition without pushes are left. */
    private static void awaitPartitionsDeleted(Cluster cluster) {
        await(cluster,
                """
                select p.name
                from queen.partition p
                where p.name <> 'Default' and not exists (select from queen.dead_letter d where d.partition_id = p.id)""");
    }

    private static void await(Cluster cluster, String unfinished) {
        long deadlineNs = System.nanoTime() + FINISHED_WITHIN.toNanos();
        List<List<Object>> left = cluster.rows(unfinished);
        while (!left.isEmpty() && System.nanoTime() < deadlineNs) {
            pause();
            left = cluster.rows(unfinished);
        }
        assertThat(left).as(unfinished).isEmpty();
    }

    private static void pause() {
        try {
            Thread.sleep(30);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
