package io.queenmq.server.http.stream;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.StateOp;
import io.queenmq.engine.push.MessageIds;
import io.queenmq.server.http.json.BadRequest;
import io.queenmq.server.http.json.JsonInput;
import io.queenmq.server.http.json.Uuids;
import io.queenmq.server.http.message.AckDraft;
import io.queenmq.server.http.message.PushItemDraft;
import io.queenmq.server.http.message.PushParser;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses the body of a cycle. JSON null counts as absent. Owned by one event loop. */
final class CycleParser {
    private final PushItemDraft pushDraft;

    CycleParser(MessageIds ids) {
        this.pushDraft = new PushItemDraft(ids, "null").acceptingNulls();
    }

    /** @param producerSub subject of the producer; null if it has none */
    CycleRequest parse(byte[] body, @Nullable String producerSub) {
        pushDraft.setProducer(producerSub);
        return JsonInput.object(body, parser -> new Draft(body).read(parser));
    }

    /** Collects the fields of one cycle during parsing. */
    private final class Draft {
        private final byte[] body;
        private final Map<String, StateOp> ops = new LinkedHashMap<>();
        private @Nullable String queryId;
        private @Nullable String partitionId;
        private @Nullable String group;
        private int opCount;
        private List<PushItem> pushes = List.of();
        private @Nullable AckDraft ack;
        private long ackCount = 1;
        private boolean isLeaseReleased = true;
        private @Nullable String problem;

        Draft(byte[] body) {
            this.body = body;
        }

        CycleRequest read(JsonParser parser) throws IOException {
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                switch (name) {
                    case "query_id" -> queryId = JsonInput.stringOrNull(parser, name);
                    case "partition_id" -> partitionId = JsonInput.stringOrNull(parser, name);
                    case "consumer_group" -> group = JsonInput.stringOrNull(parser, name);
                    case "state_ops" -> readOps(parser);
                    case "push_items" -> pushes = PushParser.items(parser, name, pushDraft, body);
                    case "ack" -> readAck(parser);
                    case "release_lease" -> isLeaseReleased = JsonInput.flag(parser, name, true);
                    default -> JsonInput.skip(parser);
                }
            }
            return new CycleRequest(Uuids.require(queryId, "query_id"), Uuids.require(partitionId, "partition_id"),
                    AckDraft.groupOf(group), new CycleRequest.StateChanges(List.copyOf(ops.values()), opCount), pushes,
                    new CycleRequest.Ack(item(), ackCount, !isLeaseReleased), problem);
        }

        private void readOps(JsonParser parser) throws IOException {
            JsonToken token = parser.nextToken();
            if (token == JsonToken.VALUE_NULL) {
                return;
            }
            if (token != JsonToken.START_ARRAY) {
                throw new BadRequest("state_ops must be an array");
            }
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                String path = "state_ops[" + opCount++ + "]";
                if (parser.currentToken() != JsonToken.START_OBJECT) {
                    throw new BadRequest(path + " must be an object");
                }
                try {
                    readOp(parser, path);
                } catch (BadRequest e) {
                    throw e.within(path);
                }
            }
        }

        private void readOp(JsonParser parser, String path) throws IOException {
            StateOpDraft draft = new StateOpDraft();
            draft.read(parser, body);
            StateOp op = draft.op();
            // Only the last operation on a key counts.
            ops.remove(op.key());
            ops.put(op.key(), op);
            if (problem == null && draft.problem() != null) {
                problem = path + "." + draft.problem();
            }
        }

        private void readAck(JsonParser parser) throws IOException {
            JsonToken token = parser.nextToken();
            if (token == JsonToken.VALUE_NULL) {
                return;
            }
            if (token != JsonToken.START_OBJECT) {
                throw new BadRequest("ack must be an object");
            }
            ack = new AckDraft();
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                if (name.equals("count")) {
                    parser.nextToken();
                    ackCount = JsonInput.whole(parser, "ack.count", 0, Integer.MAX_VALUE);
                } else if (!ack.readField(name, parser)) {
                    JsonInput.skip(parser);
                }
            }
            if (ack.transactionId() == null) {
                throw new BadRequest("ack.transactionId is missing");
            }
        }

        private @Nullable AckItem item() {
            if (ack == null) {
                return null;
            }
            ack.setPartitionId(partitionId);
            String ackProblem = ack.problem();
            if (ackProblem != null) {
                problem = "ack." + ackProblem;
                return null;
            }
            AckItem item = ack.item(AckDraft.groupOf(group));
            return switch (item.status()) {
                case COMPLETED, DLQ -> item;
                // A runner reports a failure only after its own retries, so the message must not be delivered again.
                case FAILED -> item.withStatus(AckItem.Status.DLQ);
                case RETRY -> {
                    problem = "ack.status must be completed, failed or dlq";
                    yield null;
                }
            };
        }
    }
}
