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
import io.queenmq.server.operator.OperatorDesk;
import io.queenmq.server.operator.OperatorOutcome;
import java.util.List;

/**
 * Deletes a queue with all that is in it. That there was none is no error: it is gone either way. The partitions of a large
 * queue are removed in pages; when that takes long, the response is 202 and the rest is removed in the background.
 */
public final class DeleteQueueRoute implements QueueRoute<String> {
    public static final String PATH = "/api/v1/resources/queues/:queue";

    private static final int QUEUE_SEGMENT = 4;

    private final Engine engine;
    private final OperatorDesk desk;

    public DeleteQueueRoute(Engine engine, OperatorDesk desk) {
        this.engine = engine;
        this.desk = desk;
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

    /** The queue is deleted by now, and upkeep removes its partitions if this call cannot. */
    private void removePartitions(Exchange exchange, String queue) {
        desk.call(new OperatorCall("continue_deletion", List.of(queue), exchange.reply(outcome -> {
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
