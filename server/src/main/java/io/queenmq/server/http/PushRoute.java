package io.queenmq.server.http;

import io.queenmq.server.engine.Engine;
import io.queenmq.server.push.MessageIds;
import io.queenmq.server.push.PushCommand;
import io.queenmq.server.push.PushItem;
import io.queenmq.server.push.PushOutcome;
import java.util.List;

/** Takes messages in. */
final class PushRoute implements BodyRoute {
    static final String PATH = "/api/v1/push";

    private final Engine engine;
    private final PushParser parser;

    PushRoute(Engine engine, MessageIds ids) {
        this.engine = engine;
        this.parser = new PushParser(ids);
    }

    @Override
    public void handle(Exchange exchange, byte[] body) {
        List<PushItem> items = parser.parse(body, exchange.tokenSubject());
        if (items.isEmpty()) {
            exchange.send(201, exchange.json().raw("[]"));
            return;
        }
        exchange.about(items.size());
        engine.push(new PushCommand(items, exchange.reply(outcomes -> answer(exchange, items, outcomes))));
    }

    private static void answer(Exchange exchange, List<PushItem> items, List<PushOutcome> outcomes) {
        exchange.send(201, PushResult.writeAll(exchange.json(), items, outcomes));
    }
}
