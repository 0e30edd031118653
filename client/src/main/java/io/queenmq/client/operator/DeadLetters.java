package io.queenmq.client.operator;

import io.queenmq.client.wire.Call;
import io.queenmq.client.wire.Call.Repeat;
import io.queenmq.client.wire.JsonNode;
import io.queenmq.client.wire.Names;
import io.queenmq.client.wire.Query;
import io.queenmq.client.wire.Reply;
import io.queenmq.client.wire.Wire;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Dead letters: list, redrive, purge. */
public final class DeadLetters {
    private static final String PATH = "/api/v1/dlq";
    private static final String REDRIVES = PATH + "/redrives";
    private static final int NOT_FOUND = 404;

    private final Wire wire;

    DeadLetters(Wire wire) {
        this.wire = wire;
    }

    /** Lists the latest failures first. */
    public Page<DeadLetter> list(MessageFilter filter) {
        JsonNode response = wire.send(Call.get(PATH + filter.query())).json();
        return new Page<>(response.get("messages").list().stream().map(DeadLetter::read).toList(),
                response.get("total").number());
    }

    /** Lists errors and their frequency, the most frequent first. */
    public List<DeadLetterError> errors(MessageFilter filter) {
        return wire.send(Call.get(PATH + "/errors" + filter.query())).json().get("errors").list().stream()
                .map(each -> new DeadLetterError(each.get("error").text(), each.get("count").number(),
                        each.get("queue").string(), each.get("consumerGroup").string(),
                        each.get("firstFailedAt").moment(), each.get("lastFailedAt").moment()))
                .toList();
    }

    /** @param group null for any */
    public Optional<DeadLetter> find(String partitionId, String transactionId, @Nullable String group) {
        Reply reply = wire.send(Call.get(PATH + "/" + Names.encode(partitionId) + "/" + Names.encode(transactionId)
                + new Query().add("consumerGroup", group)));
        return reply.status() == NOT_FOUND ? Optional.empty() : Optional.of(DeadLetter.read(reply.json()));
    }

    /** Returns the number of dead letters that a redrive would push. Changes nothing. */
    public long countFor(RedriveRequest request) {
        return wire.send(Call.post(PATH + "/redrive", request.body(true)).repeat(Repeat.READ)).json().get("total")
                .number();
    }

    /**
     * Starts a redrive, which pushes the dead letters to the end of their partitions, for all groups, in the
     * background.
     */
    public Redrive redrive(RedriveRequest request) {
        return Redrive.read(wire.send(Call.post(PATH + "/redrive", request.body(false)).repeat(Repeat.NEVER)).json());
    }

    /** Returns the progress of a redrive. */
    public Optional<Redrive> findRedrive(String id) {
        Reply reply = wire.send(Call.get(REDRIVES + "/" + Names.encode(id)));
        return reply.status() == NOT_FOUND ? Optional.empty() : Optional.of(Redrive.read(reply.json()));
    }

    /** Lists the redrives of the last 30 days, newest first. */
    public Page<Redrive> redrives(int limit, int offset) {
        JsonNode response = wire.send(Call.get(REDRIVES + new Query().add("limit", limit).add("offset", offset)))
                .json();
        return new Page<>(response.get("redrives").list().stream().map(Redrive::read).toList(),
                response.get("total").number());
    }

    /** Cancels a redrive. Messages that it has pushed stay. */
    public Redrive cancelRedrive(String id) {
        return Redrive.read(wire.send(Call.delete(REDRIVES + "/" + Names.encode(id))).json());
    }

    /**
     * Deletes dead letters permanently.
     *
     * @param filter must name the queue; its limit and offset are ignored
     * @return the number of deleted dead letters
     */
    public long purge(MessageFilter filter) {
        String query = new Query().add("queue", filter.queue()).add("partition", filter.partition())
                .add("consumerGroup", filter.group()).add("error", filter.error()).add("from", filter.from())
                .add("to", filter.to()).toString();
        return wire.send(Call.delete(PATH + query).repeat(Repeat.NEVER)).json().get("purged").number();
    }
}
