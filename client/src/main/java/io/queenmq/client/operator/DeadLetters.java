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

/** What groups have given up on: look at it, push it again, or let it go. */
public final class DeadLetters {
    private static final String PATH = "/api/v1/dlq";
    private static final String REDRIVES = PATH + "/redrives";
    private static final int NOT_FOUND = 404;

    private final Wire wire;

    DeadLetters(Wire wire) {
        this.wire = wire;
    }

    /** The newest failures first. */
    public Page<DeadLetter> list(MessageFilter filter) {
        JsonNode answer = wire.send(Call.get(PATH + filter.query())).json();
        return new Page<>(answer.get("messages").list().stream().map(DeadLetter::read).toList(),
                answer.get("total").number());
    }

    /** What went wrong and how often, the most frequent first. */
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

    /** How many dead letters a redrive would push; nothing is changed. */
    public long countFor(RedriveRequest request) {
        return wire.send(Call.post(PATH + "/redrive", request.body(true)).repeat(Repeat.READ)).json().get("total")
                .number();
    }

    /** Begins to push them again, to the end of their partition, for all groups; it goes on in the background. */
    public Redrive redrive(RedriveRequest request) {
        return Redrive.read(wire.send(Call.post(PATH + "/redrive", request.body(false)).repeat(Repeat.NEVER)).json());
    }

    /** How far a redrive has come. */
    public Optional<Redrive> findRedrive(String id) {
        Reply reply = wire.send(Call.get(REDRIVES + "/" + Names.encode(id)));
        return reply.status() == NOT_FOUND ? Optional.empty() : Optional.of(Redrive.read(reply.json()));
    }

    /** Those of the last 30 days, newest first. */
    public Page<Redrive> redrives(int limit, int offset) {
        JsonNode answer = wire.send(Call.get(REDRIVES + new Query().add("limit", limit).add("offset", offset))).json();
        return new Page<>(answer.get("redrives").list().stream().map(Redrive::read).toList(),
                answer.get("total").number());
    }

    /** It goes no further; what it has pushed stays pushed. */
    public Redrive cancelRedrive(String id) {
        return Redrive.read(wire.send(Call.delete(REDRIVES + "/" + Names.encode(id))).json());
    }

    /**
     * Deletes dead letters for good.
     *
     * @param filter must name the queue; its page does not count
     * @return how many
     */
    public long purge(MessageFilter filter) {
        String query = new Query().add("queue", filter.queue()).add("partition", filter.partition())
                .add("consumerGroup", filter.group()).add("error", filter.error()).add("from", filter.from())
                .add("to", filter.to()).toString();
        return wire.send(Call.delete(PATH + query).repeat(Repeat.NEVER)).json().get("purged").number();
    }
}
