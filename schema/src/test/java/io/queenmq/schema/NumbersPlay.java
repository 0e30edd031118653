package io.queenmq.schema;

import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.Reader;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/** Random operations of servers, operators, upkeep and programs on a few queues of all kinds. */
final class NumbersPlay {
    private static final int PARTITIONS = 4;
    private static final int DAY = 86_400;
    private static final List<String> GROUPS = List.of("billing", "mail", "audit", "never", "__QUEUE_MODE__");
    private static final Map<String, Map<String, Object>> QUEUES = Map.of("plain", Map.of("retry_delay_ms", 0),
            "retrying", Map.of("retry_delay_ms", 3_600_000, "retry_limit", 2), "delayed",
            Map.of("delayed_processing_s", 3_600), "window", Map.of("window_buffer_s", 3_600), "kept",
            Map.of("retention_enabled", true, "retention_s", 100, "completed_retention_s", 10), "short",
            Map.of("max_wait_time_s", 1_000, "dead_letter_queue", true), "shop.orders.new",
            Map.of("namespace", "shop", "task", "orders"));

    private final SchemaDatabase database;
    private final Api api;
    private final OperatorRoutines operators;
    private final Upkeep upkeep;
    private final Random random;
    private final Runnable count;
    private final List<LeaseRequest> held = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private int messages;

    /** @param count counts everything recorded so far */
    NumbersPlay(SchemaDatabase database, long seed, Runnable count) {
        this.count = count;
        this.database = database;
        this.api = database.api();
        this.operators = new OperatorRoutines(api);
        this.upkeep = new Upkeep(api);
        this.random = new Random(seed);
        QUEUES.keySet().stream().sorted().forEach(this::configure);
    }

    /** The last operations. */
    List<String> log() {
        return log.subList(Math.max(0, log.size() - 60), log.size());
    }

    void step() {
        var queue = any(QUEUES.keySet().stream().sorted().toList());
        var group = any(GROUPS);
        switch (random.nextInt(30)) {
            case 0, 1, 2, 3, 4, 5 -> push(queue);
            case 6, 7, 8, 9 -> lease(queue, group, false);
            case 10 -> lease(queue, group, true);
            case 11, 12, 13 -> ack();
            case 14, 15 -> nack();
            case 16 -> runOut();
            case 17 -> operate("seek_partition", "me", group, queue, partition(queue).name(), false, true, null, null);
            case 18 -> operate("seek_queue", "me", group, queue, random.nextBoolean(), false, null);
            case 19 -> operate("pause_group", "me", group, queue, random.nextBoolean());
            case 20 -> operate("delete_group", "me", group, random.nextBoolean() ? queue : null, random.nextBoolean());
            case 21 -> subscribe(group, queue);
            case 22 -> operate("change_subscription", "me", group, OffsetDateTime.now().minusMinutes(10).toString());
            case 23 -> operate("skip_message", "me", group, queue, partition(queue).name(), random.nextBoolean());
            case 24 -> upkeep();
            case 25 -> operate("remove_message", "me", partition(queue).id(), "m" + random.nextInt(messages + 1));
            case 26 -> operate("dead_letter_message", "me", partition(queue).id(), "m" + random.nextInt(messages + 1),
                    group, "no");
            case 27 -> age(queue);
            case 28 -> within(queue);
            default -> rare(queue);
        }
    }

    private void rare(String queue) {
        switch (random.nextInt(4)) {
            case 0 -> {
                note("delete " + queue);
                api.deleteQueue(queue);
                configure(queue);
            }
            case 1 -> operate("clear_queue", "me", queue, random.nextBoolean() ? null : partition(queue).name());
            case 2 -> {
                note("reconfigure " + queue);
                api.configure(queue, Map.of("delayed_processing_s", random.nextInt(2) * 3_600));
            }
            default -> {
                note("delete idle partitions");
                api.everywhere("update partition set active_at = active_at - interval '40 days' where head = tail");
                api.everywhere("update partition_upkeep set due_at = due_at - interval '40 days' where kind = 'idle'");
                upkeep.deleteIdlePartitions(30, 100);
            }
        }
    }

    private void configure(String queue) {
        api.configure(queue, QUEUES.get(queue));
    }

    private void push(String queue) {
        var partition = existing(queue);
        note("push " + queue + " " + partition.name());
        var ids = new String[1 + random.nextInt(3)];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = "m" + messages++;
        }
        operators.push(partition, ids);
        touch(partition.id());
    }

    /** As queen.push in a transaction of a user's program. */
    private void within(String queue) {
        note("push within " + queue);
        Rows.strings(api.connection(), "select queen.push(?, ?, '1', ?)", queue, partition(queue).name(),
                "m" + messages++);
    }

    private void lease(String queue, String group, boolean isAutoAck) {
        var partition = existing(queue);
        note("lease " + queue + " " + partition.name() + " " + group + " " + isAutoAck);
        if (!group.equals("__QUEUE_MODE__")) {
            api.subscribe(group, queue, "", "", "all", null);
        }
        api.evict(new Reader(partition.id(), group));
        api.openCursors(new Opening(partition.id(), group, null));
        var leaseRequest = LeaseRequest.of(partition, group, 1 + random.nextInt(3)).forSeconds(3_600);
        if (api.lease(isAutoAck, leaseRequest).stream().anyMatch(LeaseResult::isLeased) && !isAutoAck) {
            held.add(leaseRequest);
        }
        touch(partition.id());
    }

    private void ack() {
        if (!held.isEmpty()) {
            var leaseRequest = held.get(random.nextInt(held.size()));
            note("ack " + leaseRequest.group());
            var offsets = offsets(leaseRequest);
            if (!offsets.isEmpty()) {
                long done = offsets.get(random.nextInt(offsets.size()));
                api.ack(Holder.of(leaseRequest, "{[" + done + "," + (done + 1) + ")}"));
            }
            touch(leaseRequest.partition());
        }
    }

    private void nack() {
        if (!held.isEmpty()) {
            var leaseRequest = held.remove(random.nextInt(held.size()));
            var offsets = offsets(leaseRequest);
            if (!offsets.isEmpty()) {
                note("nack " + leaseRequest.group());
                api.nack(List.of(Holder.of(leaseRequest, "{}")),
                        new Failed(1, offsets.getFirst(), random.nextBoolean() ? "failed" : "dlq", "boom"));
                touch(leaseRequest.partition());
            }
        }
    }

    /** A lease expires: time passes for the cursor and for its failures. */
    private void runOut() {
        if (!held.isEmpty()) {
            var leaseRequest = held.remove(random.nextInt(held.size()));
            note("run out " + leaseRequest.group());
            api.everywhere("update cursor set lease_until = now() - interval '1 second' where lease_id = '"
                    + leaseRequest.lease() + "'");
            api.everywhere(
                    "update partition_depth set recheck_at = now() where recheck_at is not null and partition_id = '"
                            + leaseRequest.partition() + "'");
            if (random.nextBoolean()) {
                api.expire(new Reader(leaseRequest.partition(), leaseRequest.group()));
                touch(leaseRequest.partition());
            }
        }
    }

    private void subscribe(String group, String queue) {
        if (!group.equals("__QUEUE_MODE__")) {
            note("subscribe " + group + " " + queue);
            var mode = any(List.of("all", "new", "timestamp"));
            var fromAt = mode.equals("timestamp") ? OffsetDateTime.now().minusMinutes(5) : null;
            if (random.nextBoolean()) {
                api.subscribe(group, queue, "", "", mode, fromAt);
            } else {
                api.subscribe(group, "", "shop", "", mode, fromAt);
            }
        }
    }

    private void upkeep() {
        note("upkeep");
        for (var queue : List.of("kept", "short")) {
            push(queue);
            age(queue);
        }
        // Upkeep must record its changes itself.
        count.run();
        upkeep.retain();
        upkeep.evict();
    }

    /** Moves all times of a partition to the past. */
    private void age(String queue) {
        var partition = existing(queue);
        note("age " + queue + " " + partition.name());
        upkeep.age(partition, random.nextInt(2) == 0 ? 50 : DAY);
        touch(partition.id());
    }

    /** An operation that is invalid in this state is rejected and changes nothing. */
    private void operate(String routine, Object... arguments) {
        note(routine + " " + Arrays.toString(arguments));
        try {
            api.operate("{}", routine, arguments);
        } catch (Rows.SqlFailure refused) {
            if (!refused.state().equals("QN400")) {
                throw refused;
            }
        }
    }

    private List<Long> offsets(LeaseRequest leaseRequest) {
        return api.list(rows -> rows.getLong(1), """
                select o from queen.cursor c, generate_series(c.committed, c.lease_end - 1) o
                where c.lease_id = ? and not coalesce(c.acked @> o, false) order by 1""", leaseRequest.lease());
    }

    /** Returns an existing partition; it is created as a server would. */
    private Partition existing(String queue) {
        var partition = partition(queue);
        api.catchUp(0, 0, Api.CatchUp.of(partition, 0));
        touch(partition.id());
        return partition;
    }

    private Partition partition(String queue) {
        var id = Rows.list(api.connection(), rows -> rows.getObject(1, UUID.class),
                "select id from queen.queue where name = ?", queue).getFirst();
        return database.partition(id, queue, "partition-" + random.nextInt(PARTITIONS));
    }

    private void touch(UUID partition) {
        new Counting(api).touch(partition);
    }

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private void note(String what) {
        log.add(what);
    }
}
