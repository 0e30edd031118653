package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Why the next message of a partition, or a certain one, is not being delivered to a group.
 *
 * @param state {@code ready} when the next pop gets it; otherwise {@code leased}, {@code retrying}, {@code delayed}, {@code window},
 *     {@code paused}, {@code maintenance}, {@code expired}, {@code exhausted}, {@code unsubscribed} or {@code empty}, and of a certain
 *     message also {@code behind}, {@code finished}, {@code dead_lettered} or {@code removed}
 * @param reason the same in a sentence
 * @param until when that will change by itself; null when it will not, or need not
 * @param error of the last failure; null for none
 * @param offset what is delivered next, or that of the message that was asked about
 * @param pending how many the group has not finished in the partition
 * @param expired how many of those waited too long and are not delivered any more
 */
public record Explanation(String state, String reason, @Nullable Instant until, int attempts, @Nullable String error,
        @Nullable String leaseId,
        long offset, long pending, long expired) {
    static Explanation read(JsonNode node) {
        JsonNode offset = node.get("offset").isNull() ? node.get("position") : node.get("offset");
        return new Explanation(node.get("state").string(), node.get("reason").string(), node.get("until").instant(),
                (int) node.get("attempts").number(), node.get("error").text(), node.get("leaseId").text(),
                offset.number(), node.get("pending").number(), node.get("expired").number());
    }
}
