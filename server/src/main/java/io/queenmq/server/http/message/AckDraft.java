package io.queenmq.server.http.message;

import com.fasterxml.jackson.core.JsonParser;
import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.PopCommand;
import io.queenmq.server.http.json.BadRequest;
import io.queenmq.server.http.json.JsonInput;
import io.queenmq.server.http.json.Names;
import io.queenmq.server.http.json.Uuids;
import java.io.IOException;
import java.util.UUID;

/** The fields of one acknowledgement while they are read. */
public final class AckDraft {
    private String transactionId;
    private String partitionId;
    private String leaseId;
    private String status;
    private String group;
    private String error;

    /** Reads the value of the field just named, if it is one of an acknowledgement. */
    public boolean take(String name, JsonParser parser) throws IOException {
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

    public void setPartitionId(String partitionId) {
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

    public String transactionId() {
        return transactionId;
    }

    /** The group, in a request that names one for this acknowledgement alone. */
    String group() {
        return groupOf(group);
    }

    public static String groupOf(String group) {
        return group == null || group.isEmpty() ? PopCommand.QUEUE_MODE : Names.requireName(group, "consumerGroup");
    }

    /** Why this acknowledgement cannot be carried out, although others of its request can; null when it can. */
    public String problem() {
        if (Names.problemOf(transactionId) != null) {
            return "transactionId " + Names.problemOf(transactionId);
        }
        if (Uuids.parse(partitionId) == null) {
            return "partitionId must be a UUID";
        }
        if (hasLease() && Uuids.parse(leaseId) == null) {
            return "leaseId must be a UUID";
        }
        return status() == null ? "status must be completed, failed, retry or dlq" : null;
    }

    /** To be called when there is no problem. */
    public AckItem item(String group) {
        UUID lease = hasLease() ? Uuids.parse(leaseId) : null;
        // The text goes into the dead letters, where PostgreSQL would refuse the character NUL.
        String reason = error == null ? null : error.replace('\0', '\ufffd');
        return new AckItem(transactionId, Uuids.parse(partitionId), group, lease, status(), reason);
    }

    private boolean hasLease() {
        return leaseId != null && !leaseId.isEmpty();
    }

    private AckItem.Status status() {
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
