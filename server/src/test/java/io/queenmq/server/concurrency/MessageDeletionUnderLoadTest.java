package io.queenmq.server.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.server.harness.Cluster;
import io.queenmq.testkit.QueenClient;
import io.queenmq.testkit.QueenClient.Answer;
import io.queenmq.testkit.QueenClient.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Messages are deleted while they are pushed, popped, acked and nacked on two servers. */
class MessageDeletionUnderLoadTest {
    private static final String QUEUE = "storm";
    private static final List<String> GROUPS = List.of("red", "blue");
    private static final int PARTITIONS = 4;
    private static final int PUSHES = 150;
    private static final int PER_PUSH = 3;
    private static final Duration FINISHED_WITHIN = Duration.ofMinutes(3);
    /** A group without a cursor in a partition has finished none of its messages. */
    private static final String UNFINISHED = """
            select p.name, g.name, p.tail, p.head, c.committed, c.acked::text, c.lease_until - clock_timestamp()
            from queen.partition p
            cross join unnest(array['red', 'blue']) as g (name)
            left join queen.cursor c on c.partition_id = p.id and c.group_name = g.name
            where greatest(coalesce(c.committed, 0), p.tail) < p.head""";

    private final Map<String, Set<String>> finished = new ConcurrentHashMap<>();
    private final Map<String, Long> removedAtNs = new ConcurrentHashMap<>();
    private final List<String> problems = Collections.synchronizedList(new ArrayList<>());
    private final AtomicBoolean isPushed = new AtomicBoolean();
    private final AtomicBoolean isOver = new AtomicBoolean();

    @Test
    void everyMessageIsFinishedOrDeletedAndNoneIsRedelivered() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("rerun with -Dseed=" + seed);
        try (Cluster cluster = Cluster.of(2); var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            cluster.configure(QUEUE, Map.of("retryDelay", 0, "retryLimit", 1_000));
            List<Callable<Void>> work = new ArrayList<>();
            GROUPS.forEach(group -> finished.put(group, ConcurrentHashMap.newKeySet()));
            work.add(() -> push(cluster));
            work.add(() -> remove(cluster, new Random(seed)));
            for (int i = 0; i < 6; i++) {
                String group = GROUPS.get(i % GROUPS.size());
                QueenClient server = cluster.client(i / 3);
                Random random = new Random(seed + i + 1);
                work.add(() -> consume(server, group, random));
            }
            work.add(() -> endWhenAllIsFinished(cluster));
            for (Future<Void> each : threads.invokeAll(work)) {
                each.get();
            }

            assertThat(cluster.rows(UNFINISHED)).as("partition, group, tail, head, committed, acked, lease").isEmpty();
            assertThat(problems).isEmpty();
            assertThat(removedAtNs).isNotEmpty();
            for (String group : GROUPS) {
                assertThat(all()).allMatch(id -> finished.get(group).contains(id) || removedAtNs.containsKey(id));
            }
            assertThat(cluster.rows("select deadlocks from pg_stat_database where datname = current_database()"))
                    .containsExactly(List.of(0L));
        }
    }

    private Void push(Cluster cluster) {
        try {
            for (int i = 0; i < PUSHES; i++) {
                int push = i;
                cluster.client(i % 2).push(QUEUE, "partition-" + i % PARTITIONS,
                        IntStream.range(0, PER_PUSH).mapToObj(n -> push + "-" + n).toList());
            }
        } finally {
            isPushed.set(true);
        }
        return null;
    }

    /** Ends the consumers when the database shows no unfinished message. The number of empty pops is no criterion, because a pause of the machine causes many. */
    private Void endWhenAllIsFinished(Cluster cluster) throws InterruptedException {
        long deadlineNs = System.nanoTime() + FINISHED_WITHIN.toNanos();
        while (System.nanoTime() < deadlineNs && !(isPushed.get() && cluster.rows(UNFINISHED).isEmpty())) {
            Thread.sleep(50);
        }
        isOver.set(true);
        return null;
    }

    private static List<String> all() {
        return IntStream.range(0, PUSHES * PER_PUSH).mapToObj(i -> i / PER_PUSH + "-" + i % PER_PUSH).toList();
    }

    private Void remove(Cluster cluster, Random random) {
        while (!isPushed.get() || removedAtNs.isEmpty()) {
            List<List<Object>> kept = cluster.rows("select partition_id::text, transaction_id from queen.message"
                    + " where queue = ? order by random() limit 2", QUEUE);
            for (List<Object> message : kept) {
                int status = cluster.client(random.nextInt(2))
                        .delete("/api/v1/messages/" + message.get(0) + "/" + message.get(1)).status();
                if (status == 200) {
                    removedAtNs.put((String) message.get(1), System.nanoTime());
                } else {
                    problems.add("deletion was answered with " + status);
                }
            }
        }
        return null;
    }

    private Void consume(QueenClient server, String group, Random random) {
        while (!isOver.get()) {
            long sentNs = System.nanoTime();
            List<Message> messages = server.pop(QUEUE, null, group, "batch=4&partitions=2&wait=true&timeout=300")
                    .messages();
            for (Message message : messages) {
                Long removedNs = removedAtNs.get(message.transactionId());
                if (removedNs != null && removedNs < sentNs) {
                    problems.add(message.transactionId() + " was delivered after it was deleted");
                }
            }
            if (!messages.isEmpty()) {
                boolean isGood = random.nextInt(4) > 0;
                Answer answer = server.ack(group,
                        messages.stream().map(message -> message.ack(isGood ? "completed" : "failed")).toList());
                for (int i = 0; i < messages.size(); i++) {
                    if (!answer.body().path(i).path("success").asBoolean()) {
                        problems.add("an ack was answered with " + answer);
                    } else if (isGood) {
                        finished.get(group).add(messages.get(i).transactionId());
                    }
                }
            }
        }
        return null;
    }
}
