package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonWriter;
import org.jspecify.annotations.Nullable;

/**
 * Selects the dead letters of a redrive and their destination. Immutable.
 *
 * @param filter its limit is the maximum number; its offset and status are ignored
 * @param targetQueue null for the original queue
 * @param targetPartition null for the original partition
 * @param ratePerSecond 0 for no limit
 */
public record RedriveRequest(MessageFilter filter, @Nullable String targetQueue, @Nullable String targetPartition,
        int ratePerSecond) {
    public static RedriveRequest of(MessageFilter filter) {
        return new RedriveRequest(filter, null, null, 0);
    }

    public RedriveRequest to(@Nullable String queue, @Nullable String partition) {
        return new RedriveRequest(filter, queue, partition, ratePerSecond);
    }

    public RedriveRequest ratePerSecond(int ratePerSecond) {
        return new RedriveRequest(filter, targetQueue, targetPartition, ratePerSecond);
    }

    byte[] body(boolean isDryRun) {
        return new JsonWriter().beginObject().field("queue", filter.queue()).field("partition", filter.partition())
                .field("consumerGroup", filter.group()).field("error", filter.error()).field("from", filter.from())
                .field("to", filter.to()).field("limit", filter.limit()).field("targetQueue", targetQueue)
                .field("targetPartition", targetPartition)
                .field("ratePerSecond", ratePerSecond == 0 ? null : ratePerSecond).field("dryRun", isDryRun).endObject()
                .bytes();
    }
}
