package io.queenmq.server.http.stream;

import io.queenmq.engine.Engine;
import io.queenmq.engine.command.RegisterQueryCommand;
import io.queenmq.engine.command.RegisterQueryOutcome;
import io.queenmq.server.auth.Right;
import io.queenmq.server.http.access.Needs;
import io.queenmq.server.http.access.QueueRoute;
import io.queenmq.server.http.json.JsonBuffer;
import io.queenmq.server.http.json.JsonInput;
import io.queenmq.server.http.json.Names;
import io.queenmq.server.http.server.Exchange;
import org.jspecify.annotations.Nullable;

/** Registers stream queries. A query whose fingerprint differs from the registered one is rejected with 409. */
public final class QueryRoute implements QueueRoute<QueryRoute.Registration> {
    public static final String PATH = "/streams/v1/queries";

    private final Engine engine;

    public QueryRoute(Engine engine) {
        this.engine = engine;
    }

    @Override
    public Registration parse(Exchange exchange, byte[] body) {
        return Registration.parse(body);
    }

    /** A query with this name may exist with other queues than the request names. */
    @Override
    public void addNeeds(Registration wanted, Needs needs) {
        Needs.Query existing = new Needs.Query(null, wanted.name, true);
        needs.queue(Right.POP, wanted.sourceQueue);
        needs.add(Right.POP, new Needs.Subject.Source(existing));
        if (wanted.sinkQueue != null) {
            needs.queue(Right.PUSH, wanted.sinkQueue);
        }
        needs.add(Right.PUSH, new Needs.Subject.Sink(existing));
        if (wanted.isReset) {
            needs.queue(Right.MANAGE, wanted.sourceQueue);
            needs.add(Right.MANAGE, new Needs.Subject.Source(existing));
        }
    }

    @Override
    public void handle(Exchange exchange, Registration wanted) {
        engine.submit(new RegisterQueryCommand(exchange.actor(), wanted.name, wanted.sourceQueue, wanted.sinkQueue,
                wanted.configHash, wanted.isReset, exchange.reply(outcome -> answer(exchange, wanted, outcome))));
    }

    private static void answer(Exchange exchange, Registration wanted, RegisterQueryOutcome outcome) {
        JsonBuffer json = exchange.json().raw("{\"success\":").bool(!outcome.isRefused());
        if (outcome.isRefused()) {
            json.raw(",\"error\":").string("config_hash mismatch: the query '" + wanted.name
                    + "' is registered with another config_hash; use another name, or reset the query, which deletes its"
                    + " state");
        }
        json.raw(",\"query_id\":").uuid(outcome.queryId()).raw(",\"name\":").string(wanted.name);
        if (!outcome.isRefused()) {
            json.raw(",\"config_hash\":").string(wanted.configHash).raw(",\"fresh\":").bool(outcome.isFresh())
                    .raw(",\"reset\":").bool(outcome.isReset());
        }
        exchange.send(outcome.isRefused() ? 409 : 200, json.raw("}"));
    }

    /** Answers a request for a query that does not exist. */
    static void unknown(Exchange exchange) {
        exchange.send(404, exchange.json().raw("{\"success\":false,\"error\":\"there is no such query\"}"));
    }

    /** The contents of a registration request. */
    record Registration(String name, String sourceQueue, @Nullable String sinkQueue, String configHash,
            boolean isReset) {
        static Registration parse(byte[] body) {
            return JsonInput.object(body, parser -> {
                String name = null;
                String source = null;
                String sink = null;
                String hash = null;
                boolean isReset = false;
                for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
                    switch (field) {
                        case "name" -> name = JsonInput.stringOrNull(parser, field);
                        case "source_queue" -> source = JsonInput.stringOrNull(parser, field);
                        case "sink_queue" -> sink = JsonInput.stringOrNull(parser, field);
                        case "config_hash" -> hash = JsonInput.stringOrNull(parser, field);
                        case "reset" -> isReset = JsonInput.flag(parser, field, false);
                        default -> JsonInput.skip(parser);
                    }
                }
                return new Registration(Names.requireName(name == null ? "" : name, "name"),
                        Names.requireQueue(source == null ? "" : source, "source_queue"),
                        sink == null || sink.isEmpty() ? null : Names.requireQueue(sink, "sink_queue"),
                        Names.requireName(hash == null ? "" : hash, "config_hash"), isReset);
            });
        }
    }
}
