package io.queenmq.server.http.message;

import com.fasterxml.jackson.core.JsonParser;
import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.PopCommand;
import io.queenmq.server.http.json.BadRequest;
import io.queenmq.server.http.json.JsonInput;
import io.queenmq.server.http.json.Names;
import io.queenmq.server.http.json.Uuids;
import java.io.IOException;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Collects the fields of one acknowledgment during parsing. */
public final class AckDraft {
    private @Nullable String transactionId;
    private @Nullable String partitionId;
    private @Nullable String leaseId;
    private @Nullable String status;
    private @Nullable String group;
    private @Nullable String error;

    /** Reads the value of the current field if it belongs to an acknowledgment. Returns false without reading otherwise. */
    public boolean readField(String name, JsonParser parser) throws IOException {
        switch (name) {
            case "transactionId" -> transactionId = JsonInput.string(parser, name);
            case "partitionId" -> partitionId = JsonInput.string(parser, name);
            case "leaseId" -> leaseId = JsonInput.stringOrNull(parser, name);
            case "status" -> status = JsonInput.stringOrNull(parser, name);
            case "consumerGroup" -> group = JsonInput.stringOrNull(parser, name);
            case "error" -> error = JsonInput.stringOrNull(parser, name);
            default -> {
                return false;
            }
        }
        return true;
    }

    void setTransactionId(String transactionId) {
        this.transactionId = transactionId;
    }

    public void setPartitionId(@Nullable String partitionId) {
        this.partitionId = partitionId;
    }

    void requireIds() {
        if (transactionId == null) {
            throw new BadRequest("transactionId is missing");
        }
        if (partitionId == null) {
            throw new BadRequest("partitionId is missing");
        }
    }

    public @Nullable String transactionId() {
        return transactionId;
    }

    /** Returns the group of this acknowledgment. Only single requests have one per acknowledgment. */
    String group() {
        return groupOf(group);
    }

    public static String groupOf(@Nullable String group) {
        return group == null || group.isEmpty() ? PopCommand.QUEUE_MODE : Names.requireName(group, "consumerGroup");
    }

    /** Returns why this acknowledgment is invalid, or null. Other acknowledgments of the request are processed in any case. */
    public @Nullable String problem() {
        String wrongTransaction = Names.problemOf(Objects.requireNonNull(transactionId));
        if (wrongTransaction != null) {
            return "transactionId " + wrongTransaction;
        }
        if (Uuids.parse(Objects.requireNonNull(partitionId)) == null) {
            return "partitionId must be a UUID";
        }
        if (leaseId != null && !leaseId.isEmpty() && Uuids.parse(leaseId) == null) {
            return "leaseId must be a UUID";
        }
        return status() == null ? "status must be completed, failed, retry or dlq" : null;
    }

    /** Must be called only if {@link #problem} is null. */
    public AckItem item(String group) {
        UUID lease = leaseId == null || leaseId.isEmpty() ? null : Uuids.parse(leaseId);
        // The text is stored with the dead letter, and PostgreSQL rejects the character NUL.
        String reason = error == null ? null : error.replace('\0', '\ufffd');
        return new AckItem(Objects.requireNonNull(transactionId), Uuids.require(partitionId, "partitionId"), group,
                lease, Objects.requireNonNull(status()), reason);
    }

    private AckItem.@Nullable Status status() {
        return switch (status) {
            case null -> AckItem.Status.COMPLETED;
            case "completed", "success" -> AckItem.Status.COMPLETED;
            case "failed" -> AckItem.Status.FAILED;
            case "retry" -> AckItem.Status.RETRY;
            case "dlq" -> AckItem.Status.DLQ;
            default -> null;
        };
    }
}
