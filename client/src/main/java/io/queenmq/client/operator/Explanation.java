package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The reason why the next message of a partition, or a certain message, is not delivered to a group.
 *
 * @param state {@code ready} if the next pop receives it; otherwise {@code leased}, {@code retrying}, {@code delayed},
 *     {@code window}, {@code paused}, {@code maintenance}, {@code expired}, {@code exhausted}, {@code unsubscribed} or
 *     {@code empty}, and for a certain message also {@code behind}, {@code finished}, {@code dead_lettered} or {@code
 *     removed}
 * @param reason the state as a sentence
 * @param until when the state changes by itself; null if it does not
 * @param error the last failure; null for none
 * @param offset the next offset to be delivered, or the offset of the requested message
 * @param pending the number of unfinished messages of the group in the partition
 * @param expired the number of those that exceeded their time and are not delivered
 */
public record Explanation(String state, String reason, @Nullable Instant until, int attempts, @Nullable String error,
        @Nullable String leaseId, long offset, long pending, long expired) {
    static Explanation read(JsonNode node) {
        JsonNode offset = node.get("offset").isNull() ? node.get("position") : node.get("offset");
        return new Explanation(node.get("state").string(), node.get("reason").string(), node.get("until").instant(),
                (int) node.get("attempts").number(), node.get("error").text(), node.get("leaseId").text(),
                offset.number(), node.get("pending").number(), node.get("expired").number());
    }
}
