package io.queenmq.server.http.message;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.TransactCommand.Operation;
import io.queenmq.engine.push.MessageIds;
import io.queenmq.server.http.json.BadRequest;
import io.queenmq.server.http.json.JsonInput;
import io.queenmq.server.http.json.Uuids;
import java.io.IOException;
import java.util.ArrayList;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Parses the body of a transaction. Owned by one event loop. */
final class TransactionParser {
    private final PushItemDraft pushDraft;

    TransactionParser(MessageIds ids) {
        this.pushDraft = new PushItemDraft(ids, "{}");
    }

    /** @param producerSub subject of the producer; null if it has none */
    Transaction parse(byte[] body, @Nullable String producerSub) {
        pushDraft.setProducer(producerSub);
        return JsonInput.object(body, parser -> {
            Transaction transaction = new Transaction(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            boolean hasOperations = false;
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                switch (name) {
                    case "operations" -> hasOperations = readOperations(parser, body, transaction) > 0;
                    case "requiredLeases" -> readLeases(parser, transaction);
                    default -> JsonInput.skip(parser);
                }
            }
            if (!hasOperations) {
                throw new BadRequest("operations must be an array that is not empty");
            }
            return transaction;
        });
    }

    private int readOperations(JsonParser parser, byte[] body, Transaction transaction) throws IOException {
        if (parser.nextToken() != JsonToken.START_ARRAY) {
            throw new BadRequest("operations must be an array that is not empty");
        }
        int count = 0;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            String path = "operations[" + count++ + "]";
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                throw new BadRequest(path + " must be an object");
            }
            try {
                readOperation(parser, body, path, transaction);
            } catch (BadRequest e) {
                throw e.within(path);
            }
        }
        return count;
    }

    private void readOperation(JsonParser parser, byte[] body, String path, Transaction transaction)
            throws IOException {
        OperationDraft draft = new OperationDraft(pushDraft, body);
        draft.read(parser);
        switch (draft.type()) {
            case "push" -> draft.pushItems().forEach(item -> transaction.operations().add(new Operation.Push(item)));
            case "ack" -> addAck(draft.ack(), path, transaction);
            case null, default -> transaction.problems().add(path + ".type must be push or ack");
        }
    }

    private static void addAck(AckDraft draft, String path, Transaction transaction) {
        draft.requireIds();
        String problem = draft.problem();
        if (problem != null) {
            transaction.problems().add(path + "." + problem);
            return;
        }
        AckItem item = draft.item(draft.group());
        if (item.status() == AckItem.Status.RETRY) {
            // A retry neither finishes a message nor changes state, so it has no atomic part.
            transaction.problems().add(path + ".status must be completed, failed or dlq");
        }
        transaction.operations().add(new Operation.Ack(item));
    }

    private static void readLeases(JsonParser parser, Transaction transaction) throws IOException {
        JsonToken token = parser.nextToken();
        if (token == JsonToken.VALUE_NULL) {
            return;
        }
        if (token != JsonToken.START_ARRAY) {
            throw new BadRequest("requiredLeases must be an array");
        }
        for (token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            if (token != JsonToken.VALUE_STRING && token != JsonToken.VALUE_NULL) {
                throw new BadRequest("requiredLeases must contain only strings");
            }
            String text = token == JsonToken.VALUE_NULL ? "" : parser.getText();
            UUID lease = Uuids.parse(text);
            if (lease != null) {
                transaction.requiredLeases().add(lease);
            } else if (!text.isEmpty()) {
                // Messages of an autoAck pop have an empty lease, which clients pass on. Any other invalid lease is an error.
                transaction.problems().add("requiredLeases: '" + text + "' is not a lease");
            }
        }
    }
}
