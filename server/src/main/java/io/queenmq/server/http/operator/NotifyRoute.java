package io.queenmq.server.http.operator;

import io.queenmq.engine.Engine;
import io.queenmq.engine.command.ArrivalCommand;
import io.queenmq.server.http.server.BodyRoute;
import io.queenmq.server.http.server.Exchange;
import java.util.Map;

/** Wakes pops that wait for a queue, for clients that have stored new messages. */
public final class NotifyRoute implements BodyRoute {
    public static final String PATH = "/internal/api/notify";

    private final Engine engine;

    public NotifyRoute(Engine engine) {
        this.engine = engine;
    }

    @Override
    public void handle(Exchange exchange, byte[] body) {
        Map<String, Object> fields = OperatorBody.parse(body);
        String queue = (String) Parameter.requiredName().from(fields.get("queue"), "queue");
        engine.submit(new ArrivalCommand(queue,
                (String) Parameter.optionalName().from(fields.get("partition"), "partition")));
        exchange.sendDocument(200, "{\"status\":\"ok\"}");
    }
}
