package io.queenmq.server.http.message;

import io.queenmq.engine.Engine;
import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.AckOutcome;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.command.TransactCommand;
import io.queenmq.engine.command.TransactCommand.Operation;
import io.queenmq.engine.command.TransactOutcome;
import io.queenmq.engine.command.TransactOutcome.Result;
import io.queenmq.engine.push.MessageIds;
import io.queenmq.server.auth.Right;
import io.queenmq.server.http.access.Needs;
import io.queenmq.server.http.access.QueueRoute;
import io.queenmq.server.http.access.Unknown;
import io.queenmq.server.http.json.JsonBuffer;
import io.queenmq.server.http.server.Exchange;
import java.util.List;
import java.util.UUID;

/** Handles {@code POST /transaction}: pushes and acknowledges atomically. Clients read {@code success}, not the status. */
public final class TransactionRoute implements QueueRoute<Transaction> {
    public static final String PATH = "/api/v1/transaction";

    private final Engine engine;
    private final MessageIds ids;
    private final TransactionParser parser;

    public TransactionRoute(Engine engine, MessageIds ids) {
        this.engine = engine;
        this.ids = ids;
        this.parser = new TransactionParser(ids);
    }

    @Override
    public Transaction parse(Exchange exchange, byte[] body) {
        return parser.parse(body, exchange.tokenSubject());
    }

    @Override
    public void addNeeds(Transaction transaction, Needs needs) {
        for (Operation operation : transaction.operations()) {
            switch (operation) {
                case Operation.Push(PushItem item) -> needs.queue(Right.PUSH, item.queue());
                case Operation.Ack(AckItem item) -> needs.partition(Right.POP, item.partitionId());
            }
        }
        transaction.requiredLeases().forEach(lease -> needs.add(Right.POP, new Needs.Subject.Lease(lease)));
    }

    @Override
    public void handleUnknown(Exchange exchange, Transaction transaction, Unknown unknown) {
        abort(exchange, unknown.inWords());
    }

    @Override
    public void handle(Exchange exchange, Transaction transaction) {
        if (!transaction.problems().isEmpty()) {
            abort(exchange, transaction.problems().getFirst());
        } else if (transaction.operations().isEmpty()) {
            // All pushes are empty.
            commit(exchange, List.of(), List.of());
        } else {
            List<Operation> operations = transaction.operations();
            exchange.countMessages(operations.size());
            engine.submit(new TransactCommand(operations, transaction.requiredLeases(),
                    exchange.reply(outcome -> answer(exchange, operations, outcome))));
        }
    }

    private void answer(Exchange exchange, List<Operation> operations, TransactOutcome outcome) {
        switch (outcome) {
            case TransactOutcome.Committed(List<Result> results) -> commit(exchange, operations, results);
            case TransactOutcome.Aborted(String error) -> abort(exchange, error);
        }
    }

    private void abort(Exchange exchange, String error) {
        JsonBuffer json = exchange.json().raw("{\"success\":false,\"error\":").string(error);
        exchange.send(200, json.raw(",\"transactionId\":").uuid(ids.next()).raw(",\"results\":[]}"));
    }

    private void commit(Exchange exchange, List<Operation> operations, List<Result> results) {
        JsonBuffer json = exchange.json().raw("{\"success\":true,\"transactionId\":").uuid(ids.next());
        json.raw(",\"results\":[");
        for (int i = 0; i < operations.size(); i++) {
            json.raw(i == 0 ? "{\"index\":" : ",{\"index\":").number(i);
            switch (results.get(i)) {
                case Result.Pushed(PushOutcome outcome) ->
                    write(json, ((Operation.Push) operations.get(i)).item(), outcome);
                case Result.Acked(AckOutcome outcome) ->
                    write(json, ((Operation.Ack) operations.get(i)).item(), outcome);
            }
        }
        exchange.send(200, json.raw("]}"));
    }

    private static void write(JsonBuffer json, PushItem item, PushOutcome outcome) {
        json.raw(",\"type\":\"push\"");
        switch (outcome) {
            case PushOutcome.Queued(UUID partitionId, _) -> {
                json.raw(",\"success\":true,\"status\":\"queued\",\"messageId\":").uuid(item.messageId());
                json.raw(",\"partitionId\":").uuid(partitionId);
            }
            case PushOutcome.Duplicate(UUID partitionId, UUID original) -> {
                json.raw(",\"success\":true,\"status\":\"duplicate\",\"messageId\":").uuid(original);
                json.raw(",\"partitionId\":").uuid(partitionId);
            }
            case PushOutcome.Buffered _ -> throw new IllegalStateException("transactions are not buffered");
            case PushOutcome.Failed(String error) ->
                json.raw(",\"success\":false,\"status\":\"failed\",\"error\":").string(error);
        }
        json.raw(",\"transactionId\":").string(item.transactionId());
        json.raw(",\"queueName\":").string(item.queue()).raw("}");
    }

    private static void write(JsonBuffer json, AckItem item, AckOutcome outcome) {
        json.raw(",\"type\":\"ack\",\"success\":").bool(outcome.isAccepted());
        json.raw(",\"transactionId\":").string(item.transactionId());
        json.raw(",\"error\":").stringOrNull(outcome.error()).raw(",\"dlq\":").bool(outcome.isDead()).raw("}");
    }
}
