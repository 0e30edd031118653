package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * A shard: the part of the database that holds some of the partitions.
 *
 * @param number from 0
 * @param host of the PostgreSQL that holds it
 * @param trouble why it cannot be asked; null when all is well. What is in it is not known then
 * @param bytes of its tables and indexes
 * @param rowsWritten since its PostgreSQL began to count
 * @param messages that are stored; {@code pending}: those of them that some group has not read
 * @param move where Citus is moving it to; null when it stays
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
     * On its way to another PostgreSQL.
     *
     * @param bytes it has; {@code movedBytes}: those that are there already
     */
    public record Move(String host, int port, long bytes, long movedBytes) {}
}
