package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Why the next message of a lane, or a certain one, is not being delivered to a group.
 *
 * @param state such as {@code ready}, {@code leased}, {@code retrying}, {@code delayed}, {@code paused}, {@code behind}
 * @param reason the same in a sentence
 * @param until when that will change by itself; null when it will not, or need not
 * @param error of the last failure; null for none
 * @param offset the first the group has not read, or that of the message that was asked about
 * @param pending how many the group has not finished in the lane
 */
public record Explanation(String state, String reason, @Nullable Instant until, int attempts, @Nullable String error,
        @Nullable String leaseId,
        long offset, long pending) {
    static Explanation read(JsonNode node) {
        JsonNode offset = node.get("offset").isNull() ? node.get("position") : node.get("offset");
        return new Explanation(node.get("state").string(), node.get("reason").string(), node.get("until").instant(),
                (int) node.get("attempts").number(), node.get("error").text(), node.get("leaseId").text(),
                offset.number(), node.get("pending").number());
    }
}
