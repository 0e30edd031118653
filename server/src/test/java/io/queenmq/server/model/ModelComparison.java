package io.queenmq.server.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.server.harness.Cluster;
import io.queenmq.server.model.CursorModel.Due;
import io.queenmq.server.model.CursorModel.Verdict;
import io.queenmq.testkit.QueenClient;
import io.queenmq.testkit.QueenClient.Answer;
import io.queenmq.testkit.QueenClient.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Performs each step on the servers and on the model, and compares the results. */
final class ModelComparison {
    static final int PARTITIONS = 3;
    static final List<String> GROUPS = List.of("__QUEUE_MODE__", "g");

    private final Cluster cluster;
    private final String queue;
    private final List<List<String>> partitions = IntStream.range(0, PARTITIONS)
            .<List<String>>mapToObj(_ -> new ArrayList<>()).toList();
    private final List<List<CursorModel>> cursors;
    private final Map<String, String> messageIds = new HashMap<>();
    private final List<Batch> batches = new ArrayList<>();
    private int pushed;

    ModelComparison(Cluster cluster, String queue, int retryLimit) {
        this.cluster = cluster;
        this.queue = queue;
        this.cursors = GROUPS.stream()
                .map(_ -> partitions.stream().map(partition -> new CursorModel(partition, retryLimit)).toList())
                .toList();
        cluster.configure(queue, Map.of("retryLimit", retryLimit, "retryDelay", 0, "leaseTime", 300));
    }

    /** The messages of one pop. */
    private record Batch(int group, String leaseId, List<Message> messages) {}

    void perform(Step step) {
        switch (step) {
            case Step.Push push -> push(push);
            case Step.Pop pop -> pop(pop);
            case Step.Ack ack -> ack(ack);
            case Step.Transact transact -> transact(transact);
            case Step.Renew renew -> renew(renew);
            case Step.Expire(int group, int partition) -> expire(group, partition);
        }
    }

    private void push(Step.Push step) {
        List<String> partition = partitions.get(step.partition());
        List<String> ids = new ArrayList<>(
                partition.subList(Math.max(0, partition.size() - step.repeated()), partition.size()));
        List<String> fresh = newIds(step.fresh());
        ids.addAll(fresh);

        Answer answer = client(step.server()).push(queue, "p" + step.partition(), ids);

        assertThat(answer.status()).as("push: %s", answer).isEqualTo(201);
        for (int i = 0; i < ids.size(); i++) {
            JsonNode result = answer.body().get(i);
            String messageId = result.path("message_id").asText();
            boolean isFresh = fresh.contains(ids.get(i));
            assertThat(result.path("status").asText()).isEqualTo(isFresh ? "queued" : "duplicate");
            assertThat(messageId).isEqualTo(isFresh ? messageId : messageIds.get(ids.get(i)));
            messageIds.put(ids.get(i), messageId);
        }
        partition.addAll(fresh);
    }

    private List<String> newIds(int count) {
        return IntStream.range(0, count).mapToObj(_ -> "m" + pushed++).toList();
    }

    private void pop(Step.Pop step) {
        String partition = step.partition() == PARTITIONS ? null : "p" + step.partition();
        if (partition == null) {
            expireLeasesWithDeadLetters(step);
        }
        Answer answer = client(step.server()).pop(queue, partition, GROUPS.get(step.group()),
                "batch=" + step.batch() + "&partitions=" + step.partitionsMax() + "&autoAck=" + step.autoAck());
        List<Message> messages = answer.messages();

        assertThat(answer.status()).as("pop: %s", answer).isEqualTo(messages.isEmpty() ? 204 : 200);
        assertThat(messages).hasSizeLessThanOrEqualTo(step.batch());
        Map<Integer, List<Message>> byPartition = messages.stream().collect(Collectors.groupingBy(
                message -> Integer.valueOf(message.partition().substring(1)), LinkedHashMap::new, Collectors.toList()));
        assertThat(byPartition).hasSizeLessThanOrEqualTo(partition == null ? step.partitionsMax() : 1);
        String leaseId = answer.body().path("leaseId").asText();
        assertThat(messages).allMatch(message -> message.leaseId().equals(leaseId));
        assertThat(leaseId.isEmpty()).isEqualTo(messages.isEmpty() || step.autoAck());
        if (messages.isEmpty()) {
            for (int number = 0; number < PARTITIONS; number++) {
                if (partition == null || number == step.partition()) {
                    cursor(step.group(), number).processExpiry();
                    assertThat(cursor(step.group(), number).due(step.batch()))
                            .as("an empty pop; due in partition %s", number).isEmpty();
                }
            }
            return;
        }
        byPartition.forEach((number, delivered) -> take(step, leaseId, number, delivered, byPartition.size() > 1));
        batches.addFirst(new Batch(step.group(), leaseId, messages));
    }

    /**
     * Pops partitions with a message to dead-letter by name. A pop of any partition may or may not process expired leases on its
     * way, which is visible only if that dead-letters a message.
     */
    private void expireLeasesWithDeadLetters(Step.Pop step) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            if (cursor(step.group(), partition).willDeadLetter()) {
                pop(new Step.Pop(step.server(), step.group(), partition, 1, 1, false));
            }
        }
    }

    /** Compares the messages of one partition. If several partitions share the batch, the model derives the share of each from the result. */
    private void take(Step.Pop step, String leaseId, int partition, List<Message> delivered, boolean isShared) {
        CursorModel cursor = cursor(step.group(), partition);
        cursor.processExpiry();
        List<Due> due = delivered.stream().map(message -> new Due(message.transactionId(), message.retryCount()))
                .toList();
        assertThat(delivered).allMatch(message -> message.id().equals(messageIds.get(message.transactionId())));
        IntFunction<List<Due>> offered = step.autoAck() ? cursor::dueAtOnce : cursor::due;
        int batch = isShared ? partOf(step.batch(), offered, due) : step.batch();
        assertThat(due).as("delivered from partition %s", partition).isEqualTo(offered.apply(batch));
        if (step.autoAck()) {
            cursor.autoAck(batch);
        } else {
            assertThat(isShared && cursor.isNextAlone())
                    .as("other messages with the last attempt in partition %s", partition).isFalse();
            cursor.lease(leaseId, batch,
                    step.partition() < PARTITIONS || step.partitionsMax() == 1 || step.batch() == 1);
        }
    }

    /** Returns the share of the batch that the partition received: a size for which the model delivers the same messages. */
    private static int partOf(int batch, IntFunction<List<Due>> offered, List<Due> delivered) {
        return IntStream.rangeClosed(1, batch).filter(part -> {
            List<Due> due = offered.apply(part);
            return due.size() <= delivered.size() && due.equals(delivered.subList(0, due.size()));
        }).max().orElse(batch);
    }

    private void ack(Step.Ack step) {
        if (batches.isEmpty()) {
            return;
        }
        Batch batch = batches.get(step.batch() % batches.size());
        List<Message> messages = step.isReversed() ? batch.messages.reversed() : batch.messages;
        List<Message> named = new ArrayList<>();
        List<Status> statuses = new ArrayList<>();
        choose(messages, step.words(), named, statuses);
        List<Map<String, String>> items = new ArrayList<>();
        for (int i = 0; i < named.size(); i++) {
            Map<String, String> item = new HashMap<>(named.get(i).ack(statuses.get(i).word()));
            if (!step.namesLease()) {
                item.remove("leaseId");
            }
            items.add(item);
        }

        Answer answer = client(step.server()).ack(GROUPS.get(batch.group), items);

        assertThat(answer.status()).as("ack: %s", answer).isEqualTo(200);
        boolean namesLease = step.namesLease() && !batch.leaseId.isEmpty();
        Verdict[] expected = new Verdict[named.size()];
        for (int number = 0; number < PARTITIONS; number++) {
            String partition = "p" + number;
            int[] mine = IntStream.range(0, expected.length).filter(i -> named.get(i).partition().equals(partition))
                    .toArray();
            List<Verdict> verdicts = cursor(batch.group, number).ack(namesLease ? batch.leaseId : null,
                    IntStream.of(mine).mapToObj(i -> named.get(i).transactionId()).toList(),
                    IntStream.of(mine).mapToObj(statuses::get).toList());
            for (int i = 0; i < mine.length; i++) {
                expected[mine[i]] = verdicts.get(i);
            }
        }
        List<Verdict> verdicts = new ArrayList<>();
        answer.body().forEach(result -> verdicts
                .add(new Verdict(result.path("success").asBoolean(), result.path("dlq").asBoolean())));
        assertThat(verdicts).as("results of acks %s", answer.body()).containsExactly(expected);
    }

    private static void choose(List<Message> messages, List<Status> words, List<Message> named, List<Status> statuses) {
        for (int i = 0; i < messages.size(); i++) {
            Status word = words.get(i % words.size());
            if (word != null) {
                named.add(messages.get(i));
                statuses.add(word);
            }
        }
    }

    private void transact(Step.Transact step) {
        List<Batch> leased = batches.stream().filter(batch -> !batch.leaseId.isEmpty()
                && batch.messages.stream().map(Message::partition).distinct().count() == 1).toList();
        if (leased.isEmpty()) {
            return;
        }
        Batch batch = leased.get(step.batch() % leased.size());
        CursorModel cursor = cursor(batch.group, Integer.parseInt(batch.messages.getFirst().partition().substring(1)));
        List<Message> named = new ArrayList<>();
        List<Status> statuses = new ArrayList<>();
        choose(batch.messages, step.words(), named, statuses);
        statuses.replaceAll(status -> status == Status.RETRY ? Status.COMPLETED : status);
        for (int i = 0; i < named.size(); i++) {
            if (cursor.isFinished(named.get(i).transactionId())) {
                statuses.set(i, Status.COMPLETED);
            }
        }
        List<String> fresh = newIds(named.isEmpty() ? Math.max(1, step.fresh()) : step.fresh());
        List<Object> operations = new ArrayList<>();
        for (int i = 0; i < named.size(); i++) {
            operations.add(Map.of("type", "ack", "transactionId", named.get(i).transactionId(), "partitionId",
                    named.get(i).partitionId(), "status", statuses.get(i).word(), "consumerGroup",
                    GROUPS.get(batch.group)));
        }
        if (!fresh.isEmpty()) {
            operations.add(Map.of("type", "push", "items", QueenClient.items(queue, "p" + step.partition(), fresh)));
        }

        Answer answer = client(step.server()).post("/api/v1/transaction",
                Map.of("operations", operations, "requiredLeases", List.of(batch.leaseId)));

        assertThat(answer.status()).as("transaction: %s", answer).isEqualTo(200);
        boolean isRepeated = fresh.isEmpty()
                && named.stream().allMatch(message -> cursor.isFinished(message.transactionId()));
        assertThat(answer.body().path("success").asBoolean()).as("transaction: %s", answer)
                .isEqualTo(cursor.isLeasedBy(batch.leaseId) || isRepeated);
        if (cursor.isLeasedBy(batch.leaseId)) {
            cursor.ack(batch.leaseId, named.stream().map(Message::transactionId).toList(), statuses);
            partitions.get(step.partition()).addAll(fresh);
            for (int i = 0; i < fresh.size(); i++) {
                messageIds.put(fresh.get(i),
                        answer.body().path("results").path(named.size() + i).path("messageId").asText());
            }
        }
    }

    private void renew(Step.Renew step) {
        List<Batch> leased = batches.stream().filter(batch -> !batch.leaseId.isEmpty()).toList();
        if (leased.isEmpty()) {
            return;
        }
        Batch batch = leased.get(step.batch() % leased.size());

        Answer answer = client(step.server()).post("/api/v1/lease/" + batch.leaseId + "/extend", null);

        boolean isLive = cursors.get(batch.group).stream().anyMatch(cursor -> cursor.isLeasedBy(batch.leaseId));
        assertThat(answer.status()).as("renew: %s", answer).isEqualTo(isLive ? 200 : 404);
    }

    private void expire(int group, int partition) {
        if (cursor(group, partition).isLeased()) {
            cluster.everywhere("""
                    update cursor c set lease_until = clock_timestamp() - interval '1 second'
                    from partition p join queen.queue q on q.id = p.queue_id
                    where p.id = c.partition_id and c.lease_id is not null
                      and q.name = ? and p.name = ? and c.group_name = ?""", queue, "p" + partition, GROUPS.get(group));
            cursor(group, partition).expire();
        }
    }

    /** Ends every lease, reads all messages, and compares the stored state with the model. */
    void settle() {
        for (int group = 0; group < GROUPS.size(); group++) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                expire(group, partition);
                // The server processes an expired lease when the partition is popped again.
                pop(new Step.Pop(0, group, partition, 1, 1, false));
                compareStored(group, partition);
                expire(group, partition);
                while (cursor(group, partition).pendingCount() > 0) {
                    pop(new Step.Pop(partition % 2, group, partition, 5, 1, true));
                }
                pop(new Step.Pop(1, group, partition, 5, 1, true));
                compareStored(group, partition);
            }
        }
    }

    private void compareStored(int group, int partition) {
        CursorModel cursor = cursor(group, partition);
        Object[] where = {queue, "p" + partition, GROUPS.get(group)};
        List<List<Object>> stored = cluster.rows("""
                select p.head, c.completed_count, c.dead_count, p.head - c.committed
                       - coalesce((select sum(upper(r) - lower(r)) from unnest(c.acked) r), 0)::bigint
                from queen.cursor c join queen.partition p on p.id = c.partition_id join queen.queue q on q.id = p.queue_id
                where q.name = ? and p.name = ? and c.group_name = ? and p.head > 0""", where);
        List<List<Object>> expected = partitions.get(partition).isEmpty()
                ? List.of()
                : List.of(List.of((long) partitions.get(partition).size(), (long) cursor.ackedCount(),
                        (long) cursor.dead().size(), (long) cursor.pendingCount()));
        assertThat(stored).as("pushed, acked, dead, pending").isEqualTo(expected);
        List<List<Object>> dead = cluster.rows("""
                select d.message_offset, d.attempts, convert_from(d.line, 'UTF8')::json ->> 'transactionId'
                from queen.dead_letter d join queen.partition p on p.id = d.partition_id join queen.queue q on q.id = p.queue_id
                where q.name = ? and p.name = ? and d.group_name = ? order by 1""", where);
        List<List<Object>> deadExpected = new ArrayList<>();
        cursor.dead().forEach((offset, deliveries) -> deadExpected
                .add(List.of((long) offset, deliveries, partitions.get(partition).get(offset))));
        assertThat(dead).as("dead letters of partition %s for %s", partition, GROUPS.get(group))
                .isEqualTo(deadExpected);
    }

    private CursorModel cursor(int group, int partition) {
        return cursors.get(group).get(partition);
    }

    private QueenClient client(int server) {
        return cluster.client(server);
    }
}
