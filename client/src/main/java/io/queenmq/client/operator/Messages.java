package io.queenmq.client.operator;

import io.queenmq.client.wire.Call;
import io.queenmq.client.wire.Call.Repeat;
import io.queenmq.client.wire.JsonNode;
import io.queenmq.client.wire.JsonWriter;
import io.queenmq.client.wire.Names;
import io.queenmq.client.wire.Reply;
import io.queenmq.client.wire.Wire;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Stored messages: list, read, delete, repair. */
public final class Messages {
    private static final String PATH = "/api/v1/messages";
    private static final int NOT_FOUND = 404;

    private static final byte[] NO_FIELDS = {'{', '}'};

    private final Wire wire;

    Messages(Wire wire) {
        this.wire = wire;
    }

    /** Lists messages, newest first. By default those of the last hour. */
    public List<MessageSummary> list(MessageFilter filter) {
        return wire.send(Call.get(PATH + filter.query())).json().get("messages").list().stream().map(Messages::summary)
                .toList();
    }

    public Optional<MessageDetail> find(String partitionId, String transactionId) {
        Reply reply = wire.send(Call.get(path(partitionId, transactionId)));
        if (reply.status() == NOT_FOUND) {
            return Optional.empty();
        }
        JsonNode message = reply.json();
        return Optional.of(new MessageDetail(summary(message), message.get("payload").toString(),
                (int) message.get("retryCount").number(), message.get("errorMessage").text()));
    }

    /** Deletes a message, so that it is not delivered to any group. Returns false if there was none. */
    public boolean delete(String partitionId, String transactionId) {
        Reply reply = wire.send(Call.delete(path(partitionId, transactionId)));
        return reply.status() != NOT_FOUND && reply.json().get("success").bool();
    }

    /** Pushes the dead letters of a message to the end of its partition. */
    public void retry(String partitionId, String transactionId) {
        wire.send(Call.post(path(partitionId, transactionId) + "/retry", NO_FIELDS).repeat(Repeat.NEVER)).json();
    }

    /**
     * Dead-letters an unfinished message of a group.
     *
     * @param group null for consumers without a group
     */
    public void deadLetter(String partitionId, String transactionId, @Nullable String group, String reason) {
        byte[] body = new JsonWriter().beginObject().field("consumerGroup", group).field("error", reason).endObject()
                .bytes();
        wire.send(Call.post(path(partitionId, transactionId) + "/dlq", body).repeat(Repeat.NEVER)).json();
    }

    private static String path(String partitionId, String transactionId) {
        return PATH + "/" + Names.encode(partitionId) + "/" + Names.encode(transactionId);
    }

    private static MessageSummary summary(JsonNode message) {
        return new MessageSummary(Objects.requireNonNullElse(message.get("id").text(), ""),
                Objects.requireNonNullElse(message.get("transactionId").text(), ""),
                message.get("partitionId").string(), message.get("queue").string(), message.get("partition").string(),
                message.get("status").string(), message.get("traceId").text(), message.get("producerSub").text(),
                message.get("headers").strings(), message.get("createdAt").moment());
    }
}
