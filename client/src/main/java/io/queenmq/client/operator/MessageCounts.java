package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;

/**
 * The number of messages by status.
 *
 * @param total all stored messages
 * @param pending not yet delivered to the slowest group
 * @param processing leased
 * @param completed finished by every group
 * @param failed unfinished, with at least one failure
 */
public record MessageCounts(long total, long pending, long processing, long completed, long failed, long deadLetter) {
    static MessageCounts read(JsonNode node) {
        return new MessageCounts(node.get("total").number(), node.get("pending").number(),
                node.get("processing").number(), node.get("completed").number(), node.get("failed").number(),
                node.get("deadLetter").number());
    }
}
