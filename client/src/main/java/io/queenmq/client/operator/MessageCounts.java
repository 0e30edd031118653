package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;

/**
 * How many messages there are, by what became of them.
 *
 * @param total all that are kept
 * @param pending not yet handed out to the slowest group
 * @param processing leased
 * @param completed finished by every group
 * @param failed unfinished, and failed at least once
 */
public record MessageCounts(long total, long pending, long processing, long completed, long failed, long deadLetter) {
    static MessageCounts read(JsonNode node) {
        return new MessageCounts(node.get("total").number(), node.get("pending").number(),
                node.get("processing").number(), node.get("completed").number(), node.get("failed").number(),
                node.get("deadLetter").number());
    }
}
