package io.queenmq.server.http.operator;

import io.queenmq.engine.Engine;
import io.queenmq.engine.command.DeleteQueueCommand;
import io.queenmq.server.auth.Right;
import io.queenmq.server.http.access.Needs;
import io.queenmq.server.http.access.QueueRoute;
import io.queenmq.server.http.json.JsonBuffer;
import io.queenmq.server.http.json.Names;
import io.queenmq.server.http.server.Exchange;
import io.queenmq.server.operator.OperatorCall;
import io.queenmq.server.operator.OperatorOutcome;
import io.queenmq.server.operator.OperatorQueries;
import java.util.List;

/**
 * Deletes a queue with its contents. Deleting a queue that does not exist is not an error. The partitions of a large queue are
 * removed in pages. If that takes too long, the response is 202 and the rest is removed in the background.
 */
public final class DeleteQueueRoute implements QueueRoute<String> {
    public static final String PATH = "/api/v1/resources/queues/:queue";

    private static final int QUEUE_SEGMENT = 4;

    private final Engine engine;
    private final OperatorQueries operatorQueries;

    public DeleteQueueRoute(Engine engine, OperatorQueries operatorQueries) {
        this.engine = engine;
        this.operatorQueries = operatorQueries;
    }

    @Override
    public String parse(Exchange exchange, byte[] body) {
        return Names.requireText(exchange.path().decoded(QUEUE_SEGMENT), "queue");
    }

    @Override
    public void addNeeds(String queue, Needs needs) {
        needs.queue(Right.MANAGE, queue);
    }

    @Override
    public void handle(Exchange exchange, String queue) {
        engine.submit(new DeleteQueueCommand(exchange.actor(), queue, exchange.reply(existed -> {
            if (existed) {
                removePartitions(exchange, queue);
            } else {
                answer(exchange, queue, false);
            }
        })));
    }

    /** Called after the queue was deleted. If this call fails, upkeep removes the partitions. */
    private void removePartitions(Exchange exchange, String queue) {
        operatorQueries.call(new OperatorCall("continue_deletion", List.of(queue), exchange.reply(outcome -> {
            if (outcome instanceof OperatorOutcome.InProgress(var json)) {
                exchange.sendDocument(202, json);
            } else {
                answer(exchange, queue, true);
            }
        }, _ -> answer(exchange, queue, true))));
    }

    private static void answer(Exchange exchange, String queue, boolean existed) {
        JsonBuffer json = exchange.json().raw("{\"deleted\":true,\"queue\":").string(queue);
        exchange.send(200, json.raw(",\"existed\":").bool(existed).raw("}"));
    }
}
