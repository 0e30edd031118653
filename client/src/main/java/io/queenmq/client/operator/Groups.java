package io.queenmq.client.operator;

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

/** Consumer groups: where they are, and moving them. */
public final class Groups {
    private static final String PATH = "/api/v1/consumer-groups";

    private static final byte[] NO_FIELDS = {'{', '}'};

    private final Wire wire;

    Groups(Wire wire) {
        this.wire = wire;
    }

    /** One entry for each group and queue. */
    public List<GroupSummary> list() {
        return wire.send(Call.get(PATH)).json().list().stream().map(each -> new GroupSummary(each.get("name").text(),
                each.get("queueName").text(), each.get("members").number(), each.get("partitionsWithLag").number(),
                seconds(each.get("maxTimeLag")), each.get("state").text(), each.get("subscriptionMode").text(),
                each.get("subscriptionTimestamp").instant())).toList();
    }

    /** Lanes with a message that waits for longer than this. */
    public List<LaggingLane> lagging(Duration minLag) {
        String path = PATH + "/lagging?minLagSeconds=" + minLag.toSeconds();
        return wire.send(Call.get(path)).json().list().stream().map(each -> new LaggingLane(
                each.get("consumer_group").text(), each.get("queue_name").text(), each.get("partition_name").text(),
                each.get("partition_id").text(), each.get("offset_lag").number(), seconds(each.get("time_lag_seconds")),
                each.get("oldest_unconsumed_at").instant())).toList();
    }

    /** All lanes of all queues the group has begun to read. */
    public List<GroupLane> lanes(String group) {
        List<GroupLane> lanes = new ArrayList<>();
        wire.send(Call.get(PATH + "/" + Names.encode(group))).json().fields().forEach((queue, detail) -> {
            for (JsonNode each : detail.get("partitions").list()) {
                lanes.add(new GroupLane(queue, each.get("partition").text(), each.get("workerId").text(),
                        each.get("lastConsumedAt").instant(), each.get("totalConsumed").number(),
                        each.get("offsetLag").number(), seconds(each.get("timeLagSeconds")),
                        each.get("leaseActive").bool()));
            }
        });
        return lanes;
    }

    /**
     * Moves the group in all lanes of the queue. Leases end: what was delivered before cannot be acknowledged any more.
     *
     * @return in how many lanes
     */
    public long seek(String group, String queue, SeekTarget target) {
        JsonWriter body = new JsonWriter().beginObject();
        switch (target) {
            case SeekTarget.End end -> body.field("toEnd", true);
            case SeekTarget.After after -> body.field("timestamp", after.moment());
        }
        String path = PATH + "/" + Names.encode(group) + "/queues/" + Names.encode(queue) + "/seek";
        return wire.send(Call.post(path, body.endObject().bytes()).repeat(Repeat.NEVER)).json()
                .get("partitionsUpdated").number();
    }

    /** Moves the group behind the last message of one lane; false when there is no such lane. */
    public boolean seekToEnd(String group, String queue, String partition) {
        String path = PATH + "/" + Names.encode(group) + "/queues/" + Names.encode(queue) + "/partitions/"
                + Names.encode(partition) + "/seek";
        return wire.send(Call.post(path, NO_FIELDS).repeat(Repeat.NEVER)).json().get("success").bool();
    }

    /** Changes from when on the group reads lanes it has not begun yet. */
    public void changeSubscription(String group, Instant from) {
        byte[] body = new JsonWriter().beginObject().field("subscriptionTimestamp", from).endObject().bytes();
        wire.send(Call.post(PATH + "/" + Names.encode(group) + "/subscription", body)).json();
    }

    /**
     * Forgets where the group is, in all queues.
     *
     * @param isSubscriptionKept whether it begins where it once subscribed, should it come again
     */
    public void delete(String group, boolean isSubscriptionKept) {
        wire.send(Call.delete(PATH + "/" + Names.encode(group) + "?deleteMetadata=" + !isSubscriptionKept)).json();
    }

    /** The same for one queue. */
    public void delete(String group, String queue, boolean isSubscriptionKept) {
        wire.send(Call.delete(PATH + "/" + Names.encode(group) + "/queues/" + Names.encode(queue) + "?deleteMetadata="
                + !isSubscriptionKept)).json();
    }

    private static Duration seconds(JsonNode seconds) {
        return Duration.ofSeconds(seconds.number());
    }
}
