package io.queenmq.client.operator;

import io.queenmq.client.error.RefusedException;
import io.queenmq.client.wire.Call;
import io.queenmq.client.wire.Call.Repeat;
import io.queenmq.client.wire.JsonNode;
import io.queenmq.client.wire.JsonWriter;
import io.queenmq.client.wire.Names;
import io.queenmq.client.wire.Wire;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Consumer groups: list, lag, seek, skip, pause, delete. */
public final class Groups {
    private static final String PATH = "/api/v1/consumer-groups";

    private static final byte[] NO_FIELDS = {'{', '}'};

    private final Wire wire;

    Groups(Wire wire) {
        this.wire = wire;
    }

    /** Lists one entry for each group and queue. */
    public List<GroupSummary> list() {
        return wire.send(Call.get(PATH)).json().list().stream()
                .map(each -> new GroupSummary(each.get("name").string(), each.get("queueName").string(),
                        each.get("state").string(), each.get("consumers").number(), each.get("members").number(),
                        each.get("partitionsWithLag").number(), each.get("totalLag").number(),
                        seconds(each.get("oldestUnreadSeconds")), each.get("paused").bool(),
                        each.get("subscriptionMode").text(), each.get("subscriptionTimestamp").instant()))
                .toList();
    }

    /** Lists partitions with a message that has been due for longer than this, except paused ones. */
    public List<LaggingPartition> lagging(Duration minLag) {
        String path = PATH + "/lagging?minLagSeconds=" + minLag.toSeconds();
        return wire.send(Call.get(path)).json().list().stream()
                .map(each -> new LaggingPartition(each.get("consumer_group").string(), each.get("queue_name").string(),
                        each.get("partition_name").string(), each.get("partition_id").string(),
                        each.get("offset_lag").number(), seconds(each.get("time_lag_seconds")),
                        each.get("oldest_unconsumed_at").instant()))
                .toList();
    }

    /**
     * Lists the first partitions by name of each queue that the group reads, including those that it has not started.
     */
    public List<GroupPartition> partitions(String group) {
        List<GroupPartition> partitions = new ArrayList<>();
        wire.send(Call.get(path(group))).json().fields().forEach((queue, detail) -> {
            for (JsonNode each : detail.get("partitions").list()) {
                partitions.add(new GroupPartition(queue, each.get("partition").string(), each.get("workerId").text(),
                        each.get("lastConsumedAt").instant(), each.get("totalConsumed").number(),
                        each.get("offsetLag").number(), seconds(each.get("timeLagSeconds")),
                        each.get("leaseActive").bool()));
            }
        });
        return partitions;
    }

    /**
     * Moves the group like {@link #seek(String, String, SeekTarget)}, and creates it if it does not read the queue.
     *
     * @return the number of partitions
     */
    public long seekOrSubscribe(String group, String queue, SeekTarget target) {
        return seek(group, queue, target, false);
    }

    /**
     * Moves the group in one partition, and creates it if it does not read the queue.
     *
     * @return the offset of its next message
     */
    public long seekOrSubscribe(String group, String queue, String partition, SeekTarget target) {
        return seek(group, queue, partition, target, false);
    }

    /**
     * Moves a group that reads the queue, in all partitions. Leases end: deliveries from before cannot be acknowledged.
     *
     * @return the number of partitions
     * @throws RefusedException with status 404 if the group does not read the queue, so that a mistyped name creates no
     *     group
     */
    public long seek(String group, String queue, SeekTarget target) {
        return seek(group, queue, target, true);
    }

    /**
     * Moves a group that reads the queue, in one partition.
     *
     * @return the offset of its next message
     * @throws RefusedException with status 404 if the group does not read the queue
     */
    public long seek(String group, String queue, String partition, SeekTarget target) {
        return seek(group, queue, partition, target, true);
    }

    private long seek(String group, String queue, SeekTarget target, boolean isReaderOnly) {
        if (target instanceof SeekTarget.Offset) {
            throw new IllegalArgumentException("an offset applies to one partition; name the partition");
        }
        JsonNode response = wire
                .send(Call.post(path(group, queue) + "/seek", body(target, isReaderOnly)).repeat(Repeat.NEVER)).json();
        return new Operations(wire).finished(response, "partitionsUpdated", OperationProgress::partitionsChanged);
    }

    private long seek(String group, String queue, String partition, SeekTarget target, boolean isReaderOnly) {
        return wire.send(
                Call.post(path(group, queue, partition) + "/seek", body(target, isReaderOnly)).repeat(Repeat.NEVER))
                .json().get("cursorMovedTo").number();
    }

    /**
     * Skips the first unfinished message of the group in a partition.
     *
     * @param isDeadLettered true to keep it as a dead letter
     * @return the offset of that message
     */
    public long skip(String group, String queue, String partition, boolean isDeadLettered) {
        byte[] body = new JsonWriter().beginObject().field("toDlq", isDeadLettered).endObject().bytes();
        return wire.send(Call.post(path(group, queue, partition) + "/skip", body).repeat(Repeat.NEVER)).json()
                .get("skippedOffset").number();
    }

    /** Pauses the group: it receives no messages of the queue. Leased messages may be finished. */
    public void pause(String group, String queue) {
        wire.send(Call.post(path(group, queue) + "/pause", NO_FIELDS)).json();
    }

    /** Ends a pause. */
    public void resume(String group, String queue) {
        wire.send(Call.post(path(group, queue) + "/resume", NO_FIELDS)).json();
    }

    /** Changes the start time of partitions that the group has not started yet. */
    public void changeSubscription(String group, Instant from) {
        byte[] body = new JsonWriter().beginObject().field("subscriptionTimestamp", from).endObject().bytes();
        wire.send(Call.post(path(group) + "/subscription", body)).json();
    }

    /**
     * Deletes the cursors of the group in all queues.
     *
     * @param isSubscriptionKept true to keep the subscription, so that the group restarts from its original start
     *     position
     */
    public void delete(String group, boolean isSubscriptionKept) {
        awaitDeletion(wire.send(Call.delete(path(group) + "?deleteMetadata=" + !isSubscriptionKept)).json());
    }

    /** Deletes the cursors of the group in one queue. */
    public void delete(String group, String queue, boolean isSubscriptionKept) {
        awaitDeletion(wire.send(Call.delete(path(group, queue) + "?deleteMetadata=" + !isSubscriptionKept)).json());
    }

    private void awaitDeletion(JsonNode response) {
        new Operations(wire).finished(response, "deletedPartitions", OperationProgress::partitionsChanged);
    }

    private static byte[] body(SeekTarget target, boolean isReaderOnly) {
        JsonWriter body = new JsonWriter().beginObject();
        if (isReaderOnly) {
            body.field("readerOnly", true);
        }
        switch (target) {
            case SeekTarget.End end -> body.field("toEnd", true);
            case SeekTarget.Beginning beginning -> body.field("toBeginning", true);
            case SeekTarget.After after -> body.field("timestamp", after.moment());
            case SeekTarget.Offset place -> body.field("offset", place.offset());
        }
        return body.endObject().bytes();
    }

    private static String path(String group) {
        return PATH + "/" + Names.encode(group);
    }

    private static String path(String group, String queue) {
        return path(group) + "/queues/" + Names.encode(queue);
    }

    private static String path(String group, String queue, String partition) {
        return path(group, queue) + "/partitions/" + Names.encode(partition);
    }

    private static Duration seconds(JsonNode seconds) {
        return Duration.ofSeconds(seconds.number());
    }
}
