package io.queenmq.server.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.server.harness.Cluster;
import io.queenmq.testkit.QueenClient.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many producers and consumers of two groups on few partitions of two servers, with all kinds of failures. */
class ConcurrencyTest {
    private static final String QUEUE = "orders";
    private static final List<String> GROUPS = List.of("billing", "shipping");
    private static final int PARTITIONS = 4;
    private static final int PRODUCERS = 8;
    private static final int CONSUMERS_PER_GROUP = 8;
    private static final int PUSHES_PER_PRODUCER = 80;
    private static final int RETRY_LIMIT = 3;
    private static final Duration LEASE_TIME = Duration.ofSeconds(1);
    private static final Duration FINISHED_WITHIN = Duration.ofMinutes(5);

    @Test
    void everyAcceptedMessageIsDeliveredInOrderAndFinishedOnce() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("rerun with -Dseed=" + seed);
        try (Cluster cluster = Cluster.of(2); var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            LeaseAudit audit = LeaseAudit.install(cluster);
            cluster.configure(QUEUE,
                    Map.of("leaseTime", LEASE_TIME.toSeconds(), "retryLimit", RETRY_LIMIT, "retryDelay", 20));
            List<Producer> producers = IntStream.range(0, PRODUCERS)
                    .mapToObj(number -> new Producer(cluster.clients(), QUEUE, number, PARTITIONS, seed)).toList();
            List<Consumer> consumers = new ArrayList<>();
            for (int i = 0; i < CONSUMERS_PER_GROUP * GROUPS.size(); i++) {
                consumers.add(new Consumer(cluster.clients(), QUEUE, GROUPS.get(i % GROUPS.size()), PARTITIONS,
                        LEASE_TIME, seed + 1000 + i));
            }

            AtomicBoolean isOver = new AtomicBoolean();
            List<Future<?>> consuming = new ArrayList<>();
            consumers.forEach(consumer -> consuming.add(threads.submit(() -> consumer.run(isOver::get))));
            try {
                for (Future<?> producing : threads.invokeAll(producers.stream().<Callable<Void>>map(producer -> () -> {
                    producer.run(PUSHES_PER_PRODUCER);
                    return null;
                }).toList())) {
                    producing.get();
                }
                awaitNothingPending(cluster);
            } finally {
                isOver.set(true);
            }
            for (Future<?> consumer : consuming) {
                consumer.get();
            }

            Map<String, List<String>> log = log(cluster);
            everyAcceptedMessageIsStoredOnceInProducerOrder(producers, log);
            everyMessageEndedOnce(cluster, consumers);
            noPartitionHadTwoLeaseHolders(audit, consumers);
            for (String group : GROUPS) {
                firstDeliveriesWereInOrder(audit, consumers, group, log);
            }
            secondDeliveriesHadACause(audit, consumers);
        }
    }

    private static void awaitNothingPending(Cluster cluster) throws InterruptedException {
        long deadlineNs = System.nanoTime() + FINISHED_WITHIN.toNanos();
        String pending = """
                select p.name, g.name, p.head, c.committed, c.lease_until - clock_timestamp(), c.retry_at
                from queen.partition p join queen.queue q on q.id = p.queue_id
                cross join unnest(array['billing', 'shipping']) as g (name)
                left join queen.cursor c on c.partition_id = p.id and c.group_name = g.name
                where q.name = ? and coalesce(c.committed, 0) < p.head""";
        List<List<Object>> left = cluster.rows(pending, QUEUE);
        while (!left.isEmpty() && System.nanoTime() < deadlineNs) {
            Thread.sleep(100);
            left = cluster.rows(pending, QUEUE);
        }
        assertThat(left).as("messages that are still not finished (partition, group, head, committed, lease, retry)")
                .isEmpty();
    }

    /** Returns the transactionIds of each partition in stored order. */
    private static Map<String, List<String>> log(Cluster cluster) {
        Map<String, List<String>> log = new HashMap<>();
        cluster.rows(
                "select partition, transaction_id from queen.message where queue = ? order by partition, \"offset\"",
                QUEUE)
                .forEach(row -> log.computeIfAbsent((String) row.get(0), _ -> new ArrayList<>())
                        .add((String) row.get(1)));
        return log;
    }

    private static void everyAcceptedMessageIsStoredOnceInProducerOrder(List<Producer> producers,
            Map<String, List<String>> log) {
        List<String> stored = new ArrayList<>();
        log.forEach((partition, ids) -> ids.forEach(id -> stored.add(partition + ":" + id)));
        assertThat(stored).containsExactlyInAnyOrderElementsOf(
                producers.stream().flatMap(producer -> producer.accepted().stream()).toList());
        log.forEach((partition, ids) -> IntStream.range(0, PRODUCERS)
                .forEach(producer -> assertThat(ids.stream().filter(id -> id.startsWith(producer + "/"))
                        .map(id -> Integer.valueOf(id.split("/")[1])))
                        .as("messages of producer %s in %s", producer, partition).isSorted()));
    }

    private static void everyMessageEndedOnce(Cluster cluster, List<Consumer> consumers) {
        List<List<Object>> books = cluster.rows("""
                select p.name, c.group_name, p.head, c.completed_count + c.dead_count, c.dead_count, (
                    select count(*) from queen.dead_letter d
                    where d.partition_id = c.partition_id and d.group_name = c.group_name)
                from queen.cursor c join queen.partition p on p.id = c.partition_id""");
        assertThat(books).hasSize(PARTITIONS * GROUPS.size()).allSatisfy(row -> {
            assertThat(row.get(3)).as("acked and dead of %s", row).isEqualTo(row.get(2));
            assertThat(row.get(5)).as("dead letters of %s", row).isEqualTo(row.get(4));
        });
        Map<String, Integer> deliveries = new HashMap<>();
        consumers.forEach(consumer -> consumer.deliveries().forEach(delivery -> delivery.messages()
                .forEach(message -> deliveries.merge(consumer.group() + ":" + keyOf(message), 1, Integer::sum))));
        cluster.rows("""
                select d.group_name || ':' || p.name || ':' || (convert_from(d.line, 'UTF8')::json ->> 'transactionId'),
                       d.attempts
                from queen.dead_letter d join queen.partition p on p.id = d.partition_id""").forEach(row -> {
            assertThat(row.get(1)).as("failed deliveries of the dead %s", row).isEqualTo(1 + RETRY_LIMIT);
            assertThat(deliveries.get(row.get(0))).as("deliveries of the dead %s", row)
                    .isGreaterThanOrEqualTo(1 + RETRY_LIMIT);
        });
    }

    private static void noPartitionHadTwoLeaseHolders(LeaseAudit audit, List<Consumer> consumers) {
        Set<String> nacked = new HashSet<>();
        consumers.forEach(consumer -> nacked.addAll(consumer.nacked()));
        assertThat(audit.takeovers()).isEmpty();
        assertThat(audit.endedTooEarly(nacked)).as("leases that ended early").isEmpty();
    }

    private static void firstDeliveriesWereInOrder(LeaseAudit audit, List<Consumer> consumers, String group,
            Map<String, List<String>> log) {
        Map<String, Long> grants = audit.grants();
        List<Delivery> deliveries = consumers.stream().filter(consumer -> consumer.group().equals(group))
                .flatMap(consumer -> consumer.deliveries().stream())
                .sorted(Comparator.comparing(delivery -> grants.get(delivery.leaseId()))).toList();
        Map<String, Set<String>> firsts = new HashMap<>();
        deliveries.forEach(delivery -> delivery.messages().forEach(message -> firsts
                .computeIfAbsent(delivery.partition(), _ -> new LinkedHashSet<>()).add(message.transactionId())));
        log.forEach((partition, ids) -> assertThat(List.copyOf(firsts.get(partition)))
                .as("first deliveries of %s to %s", partition, group).isEqualTo(ids));
    }

    private static void secondDeliveriesHadACause(LeaseAudit audit, List<Consumer> consumers) {
        Set<String> excused = new HashSet<>(audit.expired());
        consumers.forEach(consumer -> excused.addAll(consumer.nacked()));
        Map<String, Long> grants = audit.grants();
        for (String group : GROUPS) {
            Map<String, List<Delivery>> byMessage = new HashMap<>();
            Map<String, Long> completed = new HashMap<>();
            for (Consumer consumer : consumers) {
                if (consumer.group().equals(group)) {
                    consumer.deliveries().forEach(delivery -> delivery.messages().forEach(message -> byMessage
                            .computeIfAbsent(keyOf(message), _ -> new ArrayList<>()).add(delivery)));
                    consumer.completed().forEach((message, atNs) -> completed.merge(message, atNs, Math::min));
                }
            }
            byMessage.forEach((message, deliveries) -> {
                deliveries.sort(Comparator.comparing(delivery -> grants.get(delivery.leaseId())));
                deliveries.removeLast();
                assertThat(deliveries).as("deliveries of %s that were followed by another", message)
                        .allMatch(delivery -> excused.contains(delivery.leaseId()));
            });
            consumers.stream().filter(consumer -> consumer.group().equals(group))
                    .flatMap(consumer -> consumer.deliveries().stream())
                    .forEach(delivery -> assertThat(delivery.messages()).as("requested after it was completed")
                            .noneMatch(message -> completed.getOrDefault(keyOf(message), Long.MAX_VALUE) < delivery
                                    .beganNs()));
        }
    }

    private static String keyOf(Message message) {
        return message.partition() + ":" + message.transactionId();
    }
}
