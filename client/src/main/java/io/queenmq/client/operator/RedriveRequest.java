package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonWriter;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters to push again, and where to. Immutable.
 *
 * @param filter its limit is how many at most; its offset and status do not count
 * @param targetQueue null for the queue they come from
 * @param targetPartition null for the partition they come from
 * @param ratePerSecond 0 for as fast as it goes
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
