package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * A shard: a schema that holds a subset of the partitions.
 *
 * @param number from 0
 * @param host of its PostgreSQL
 * @param trouble why it is unavailable, so that its figures are unknown; null if it is available
 * @param bytes of its tables and indexes
 * @param rowsWritten since the statistics of its PostgreSQL were reset
 * @param messages stored messages; {@code pending}: those that some group has not read
 * @param move the running move by Citus; null for none
 */
public record ShardSummary(int number, String schema, String host, int port, @Nullable String trouble,
        @Nullable Long bytes, @Nullable Long rowsWritten, @Nullable Long partitions, @Nullable Long messages,
        @Nullable Long pending, @Nullable Move move) {

    static ShardSummary read(JsonNode node) {
        JsonNode move = node.get("move");
        return new ShardSummary((int) node.get("number").number(), node.get("schema").string(),
                node.get("host").string(), (int) node.get("port").number(), node.get("trouble").text(),
                number(node.get("bytes")), number(node.get("rowsWritten")), number(node.get("partitions")),
                number(node.get("messages")), number(node.get("pending")),
                move.isNull()
                        ? null
                        : new Move(move.get("host").string(), (int) move.get("port").number(),
                                move.get("bytes").number(), move.get("movedBytes").number()));
    }

    private static @Nullable Long number(JsonNode node) {
        return node.isNull() ? null : node.number();
    }

    /**
     * A move to another PostgreSQL.
     *
     * @param bytes its size; {@code movedBytes}: the copied bytes
     */
    public record Move(String host, int port, long bytes, long movedBytes) {}
}
