package io.queenmq.client.operator;

import io.queenmq.client.wire.Call;
import io.queenmq.client.wire.JsonNode;
import io.queenmq.client.wire.Names;
import io.queenmq.client.wire.Query;
import io.queenmq.client.wire.Reply;
import io.queenmq.client.wire.Wire;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Partitions: list, explain, pause. */
public final class Partitions {
    private static final byte[] NO_FIELDS = {'{', '}'};
    private static final int NOT_FOUND = 404;
    private static final int PAGE = 1000;

    private final Wire wire;

    Partitions(Wire wire) {
        this.wire = wire;
    }

    public PartitionPage list(PartitionFilter filter) {
        JsonNode response = wire.send(Call.get("/api/v1/resources/partitions" + filter.query())).json();
        return new PartitionPage(response.get("partitions").list().stream().map(PartitionSummary::read).toList(),
                response.get("next").text());
    }

    public Optional<PartitionSummary> find(String partitionId) {
        Reply reply = wire.send(Call.get(path(partitionId)));
        return reply.status() == NOT_FOUND ? Optional.empty() : Optional.of(PartitionSummary.read(reply.json()));
    }

    /** Returns the partition of this name. */
    public Optional<PartitionSummary> find(String queue, String partition) {
        PartitionFilter filter = PartitionFilter.any().queue(Names.requireQueue(queue)).search(partition);
        @Nullable
        String after = null;
        do {
            PartitionPage page = list(filter.page(PAGE, after));
            for (PartitionSummary each : page.partitions()) {
                if (each.partition().equals(partition)) {
                    return Optional.of(each);
                }
            }
            after = page.next();
        } while (after != null);
        return Optional.empty();
    }

    /** Lists the state of each group that has started to read the partition. */
    public List<PartitionGroup> groups(String partitionId) {
        return wire.send(Call.get(path(partitionId))).json().get("groups").list().stream().map(PartitionGroup::read)
                .toList();
    }

    /**
     * Explains why the next message of the partition is not delivered.
     *
     * @param group null for consumers without a group
     */
    public Explanation explain(String partitionId, @Nullable String group) {
        return Explanation.read(wire
                .send(Call
                        .get("/api/v1/explain/" + Names.encode(partitionId) + new Query().add("consumerGroup", group)))
                .json());
    }

    /** Explains why this message is not delivered. */
    public Explanation explain(String partitionId, String transactionId, @Nullable String group) {
        return Explanation.read(wire.send(Call.get("/api/v1/explain/" + Names.encode(partitionId) + "/"
                + Names.encode(transactionId) + new Query().add("consumerGroup", group))).json());
    }

    /** Pauses deliveries of the partition. Pushes are still accepted. */
    public void pause(String partitionId) {
        wire.send(Call.post(path(partitionId) + "/pause", NO_FIELDS)).json();
    }

    /** Ends a pause. */
    public void resume(String partitionId) {
        wire.send(Call.post(path(partitionId) + "/resume", NO_FIELDS)).json();
    }

    private static String path(String partitionId) {
        return "/api/v1/partitions/" + Names.encode(partitionId);
    }
}
