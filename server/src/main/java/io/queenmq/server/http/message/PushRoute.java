package io.queenmq.server.http.message;

import io.queenmq.engine.Engine;
import io.queenmq.engine.command.PushCommand;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.push.MessageIds;
import io.queenmq.server.auth.Right;
import io.queenmq.server.http.access.Needs;
import io.queenmq.server.http.access.QueueRoute;
import io.queenmq.server.http.server.Exchange;
import java.util.List;

/** Handles {@code POST /push}. */
public final class PushRoute implements QueueRoute<List<PushItem>> {
    public static final String PATH = "/api/v1/push";

    private final Engine engine;
    private final PushParser parser;

    public PushRoute(Engine engine, MessageIds ids) {
        this.engine = engine;
        this.parser = new PushParser(ids);
    }

    @Override
    public List<PushItem> parse(Exchange exchange, byte[] body) {
        return parser.parse(body, exchange.tokenSubject());
    }

    @Override
    public void addNeeds(List<PushItem> items, Needs needs) {
        items.forEach(item -> needs.queue(Right.PUSH, item.queue()));
    }

    @Override
    public void handle(Exchange exchange, List<PushItem> items) {
        if (items.isEmpty()) {
            exchange.send(201, exchange.json().raw("[]"));
            return;
        }
        exchange.countMessages(items.size());
        engine.submit(new PushCommand(items, exchange.reply(outcomes -> answer(exchange, items, outcomes))));
    }

    private static void answer(Exchange exchange, List<PushItem> items, List<PushOutcome> outcomes) {
        exchange.send(201, PushResult.writeAll(exchange.json(), items, outcomes));
    }
}
