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

/** Consumer groups: where they are, moving them, pausing them. */
public final class Groups {
    private static final String PATH = "/api/v1/consumer-groups";

    private static final byte[] NO_FIELDS = {'{', '}'};

    private final Wire wire;

    Groups(Wire wire) {
        this.wire = wire;
    }

    /** One entry for each group and queue. */
    public List<GroupSummary> list() {
        return wire.send(Call.get(PATH)).json().list().stream().map(each -> new GroupSummary(each.get("name").string(),
                each.get("queueName").string(), each.get("state").string(), each.get("consumers").number(),
                each.get("members").number(), each.get("partitionsWithLag").number(), each.get("totalLag").number(),
                seconds(each.get("oldestUnreadSeconds")), each.get("paused").bool(),
                each.get("subscriptionMode").text(), each.get("subscriptionTimestamp").instant())).toList();
    }

    /** Partitions with a message that has been due for longer than this; not those that are paused. */
    public List<LaggingPartition> lagging(Duration minLag) {
        String path = PATH + "/lagging?minLagSeconds=" + minLag.toSeconds();
        return wire.send(Call.get(path)).json().list().stream().map(each -> new LaggingPartition(
                each.get("consumer_group").string(), each.get("queue_name").string(),
                each.get("partition_name").string(),
                each.get("partition_id").string(), each.get("offset_lag").number(),
                seconds(each.get("time_lag_seconds")),
                each.get("oldest_unconsumed_at").instant())).toList();
    }

    /** The first partitions by name of each queue the group reads, also those it has not begun. */
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
     * Moves the group in all partitions of the queue. Leases end: what was delivered before cannot be acknowledged any more.
     *
     * @return in how many partitions
     */
    public long seek(String group, String queue, SeekTarget target) {
        return seek(group, queue, target, false);
    }

    /**
     * Moves the group in one partition.
     *
     * @return the offset it goes on with
     */
    public long seek(String group, String queue, String partition, SeekTarget target) {
        return seek(group, queue, partition, target, false);
    }

    /**
     * As {@link #seek(String, String, SeekTarget)}, but only a group that reads the queue: no other is begun by a mistyped
     * name.
     *
     * @throws RefusedException with status 404 when the group does not read the queue
     */
    public long seekReader(String group, String queue, SeekTarget target) {
        return seek(group, queue, target, true);
    }

    /** As {@link #seek(String, String, String, SeekTarget)}, but only a group that reads the queue. */
    public long seekReader(String group, String queue, String partition, SeekTarget target) {
        return seek(group, queue, partition, target, true);
    }

    private long seek(String group, String queue, SeekTarget target, boolean isReaderOnly) {
        if (target instanceof SeekTarget.Offset) {
            throw new IllegalArgumentException("an offset is a place in one partition, so name the partition");
        }
        JsonNode response = wire.send(Call.post(path(group, queue) + "/seek", body(target, isReaderOnly))
                .repeat(Repeat.NEVER)).json();
        return new Operations(wire).finished(response, "partitionsUpdated", OperationProgress::partitionsChanged);
    }

    private long seek(String group, String queue, String partition, SeekTarget target, boolean isReaderOnly) {
        return wire.send(Call.post(path(group, queue, partition) + "/seek", body(target, isReaderOnly))
                .repeat(Repeat.NEVER)).json().get("cursorMovedTo").number();
    }

    /**
     * Passes over the first message the group has not finished in a partition.
     *
     * @param isDeadLettered whether it is kept as a dead letter
     * @return the offset of that message
     */
    public long skip(String group, String queue, String partition, boolean isDeadLettered) {
        byte[] body = new JsonWriter().beginObject().field("toDlq", isDeadLettered).endObject().bytes();
        return wire.send(Call.post(path(group, queue, partition) + "/skip", body).repeat(Repeat.NEVER)).json()
                .get("skippedOffset").number();
    }

    /** From now on the group gets nothing of the queue; what is leased may be finished. */
    public void pause(String group, String queue) {
        wire.send(Call.post(path(group, queue) + "/pause", NO_FIELDS)).json();
    }

    /** Ends a pause. */
    public void resume(String group, String queue) {
        wire.send(Call.post(path(group, queue) + "/resume", NO_FIELDS)).json();
    }

    /** Changes from when on the group reads partitions it has not begun yet. */
    public void changeSubscription(String group, Instant from) {
        byte[] body = new JsonWriter().beginObject().field("subscriptionTimestamp", from).endObject().bytes();
        wire.send(Call.post(path(group) + "/subscription", body)).json();
    }

    /**
     * Forgets where the group is, in all queues.
     *
     * @param isSubscriptionKept whether it begins where it once subscribed, should it come again
     */
    public void delete(String group, boolean isSubscriptionKept) {
        awaitDeletion(wire.send(Call.delete(path(group) + "?deleteMetadata=" + !isSubscriptionKept)).json());
    }

    /** The same for one queue. */
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
