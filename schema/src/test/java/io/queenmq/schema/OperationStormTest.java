package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Holder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Operations in pages, pushes, pops and acks at once, over three shards: no deadlock, and every operation finishes. */
class OperationStormTest {
    private static final int ROUNDS = 60;
    private static final int PAGE = 4;

    @RegisterExtension
    static final SchemaDatabase database = SchemaDatabase.of(3);

    private final Api api = database.api();
    private final List<Partition> partitions = database.newPartitions(24, Map.of("retry_delay_ms", 0));
    private final String queue = partitions.getFirst().queue();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    @Test
    void operationsDoNotDeadlock() throws InterruptedException {
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 2; i++) {
            threads.add(worker(this::push));
            threads.add(worker(this::consume));
            threads.add(worker(this::continueNext));
        }
        threads.add(worker(session -> operate(session,
                "seek_queue(null, 'g', '" + queue + "', true, false, null, false, " + PAGE + ")")));
        threads.add(worker(session -> operate(session,
                "seek_queue(null, 'g', '" + queue + "', false, true, null, false, " + PAGE + ")")));
        threads.add(worker(session -> operate(session, "clear_queue(null, '" + queue + "', null, " + PAGE + ")")));
        threads.add(worker(session -> operate(session, "delete_group(null, 'g', null, false, " + PAGE + ")")));
        for (var thread : threads) {
            thread.join();
        }
        while (continueNext(api)) {
            // Until every operation has finished.
        }

        assertThat(failures).isEmpty();
        assertThat(Rows.number(api.connection(), "select count(*) from queen.operation where status = 'running'"))
                .isZero();
        assertThat(Rows.number(api.connection(),
                "select count(*) from queen.cursor c join queen.partition p"
                        + " on p.id = c.partition_id where c.committed < p.tail and p.queue_id = ?",
                partitions.getFirst().queueId())).as("cursors before the tail, which clear moves with it").isZero();
    }

    private Thread worker(Consumer<Api> step) {
        var session = database.newSession();
        return Thread.ofPlatform().start(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                try {
                    step.accept(session);
                } catch (Throwable e) {
                    failures.add(e);
                }
            }
        });
    }

    private void push(Api session) {
        var partition = anyPartition();
        long head = Rows.number(session.connection(), "select head from queen.partition where id = ?", partition.id());
        session.push(new Append(partition, head, Batch.ofSize(2)));
    }

    private void consume(Api session) {
        var request = LeaseRequest.of(anyPartition(), "g", 2);
        var given = session.leaseAgain(null, request);
        if (!given.isEmpty() && given.getFirst().isLeased()) {
            session.ack(Holder.of(request, "{[%d,%d)}".formatted(given.getFirst().first(), given.getFirst().end())));
        }
    }

    private boolean continueNext(Api session) {
        var next = session
                .list(rows -> rows.getObject(1, UUID.class), "select " + api.schema() + ".next_operation('{}')")
                .getFirst();
        if (next != null) {
            session.list(rows -> rows.getBoolean(1), "select " + api.schema() + ".continue_operation(?, ?)", next,
                    PAGE);
        }
        return next != null;
    }

    private void operate(Api session, String call) {
        session.list(rows -> rows.getString(1), "select " + api.schema() + "." + call);
    }

    private Partition anyPartition() {
        return partitions.get(new Random().nextInt(partitions.size()));
    }
}
