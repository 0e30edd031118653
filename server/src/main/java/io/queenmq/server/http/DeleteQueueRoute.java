package io.queenmq.server.http;

import io.queenmq.server.catalog.DeleteQueueCommand;
import io.queenmq.server.engine.Engine;

/** Deletes a queue with all that is in it. That there was none is no error: it is gone either way. */
final class DeleteQueueRoute implements Route {
    static final String PATH = "/api/v1/resources/queues/:queue";

    private static final int QUEUE_SEGMENT = 4;

    private final Engine engine;

    DeleteQueueRoute(Engine engine) {
        this.engine = engine;
    }

    @Override
    public void handle(Exchange exchange) {
        String queue = Names.requireQueue(exchange.path().decoded(QUEUE_SEGMENT), "queue");
        engine.deleteQueue(new DeleteQueueCommand(exchange.actor(), queue,
                exchange.reply(existed -> answer(exchange, queue, existed))));
    }

    private static void answer(Exchange exchange, String queue, boolean existed) {
        JsonBuffer json = exchange.json().raw("{\"deleted\":true,\"queue\":").string(queue);
        exchange.send(200, json.raw(",\"existed\":").bool(existed).raw("}"));
    }
}
