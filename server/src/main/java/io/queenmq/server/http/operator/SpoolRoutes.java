package io.queenmq.server.http.operator;

import io.queenmq.engine.Engine;
import io.queenmq.engine.command.DropRefusedCommand;
import io.queenmq.engine.command.ListRefusedCommand;
import io.queenmq.engine.command.RefusedFilter;
import io.queenmq.engine.command.RefusedMessage;
import io.queenmq.engine.command.RestoreRefusedCommand;
import io.queenmq.server.http.json.JsonBuffer;
import io.queenmq.server.http.json.Timestamps;
import io.queenmq.server.http.server.Exchange;
import io.queenmq.server.http.server.QueryString;
import io.queenmq.server.operator.OperatorCall;
import io.queenmq.server.operator.OperatorQueries;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The routes of the spool of this server, and of its messages that PostgreSQL rejected permanently. They work without PostgreSQL;
 * then decisions are recorded in the log, not in the audit log.
 */
public final class SpoolRoutes {
    public static final String PATH = "/api/v1/system/spool";
    public static final String REFUSED_PATH = PATH + "/refused";
    public static final String RETRY_PATH = REFUSED_PATH + "/retry";

    private static final Logger log = LoggerFactory.getLogger(SpoolRoutes.class);
    private static final int SHOWN_MAX = 1_000;

    private final Engine engine;
    private final OperatorQueries operatorQueries;

    public SpoolRoutes(Engine engine, OperatorQueries operatorQueries) {
        this.engine = engine;
        this.operatorQueries = operatorQueries;
    }

    public void show(Exchange exchange) {
        QueryString query = exchange.query();
        long max = (Long) Parameter.whole(100, 1, SHOWN_MAX).from(query.textOrNull("limit"), "limit");
        engine.submit(new ListRefusedCommand(filter(query, Map.of()), (int) max, exchange.reply(messages -> {
            JsonBuffer json = exchange.json().raw("{\"spool\":");
            SpoolJson.write(json, engine.spool());
            json.raw(",\"refused\":[");
            for (int i = 0; i < messages.size(); i++) {
                write(json.raw(i == 0 ? "" : ","), messages.get(i));
            }
            exchange.send(200, json.raw("]}"));
        })));
    }

    private static void write(JsonBuffer json, RefusedMessage message) {
        json.raw("{\"messageId\":").uuid(message.messageId()).raw(",\"queue\":").string(message.queue());
        json.raw(",\"partition\":").string(message.partition());
        json.raw(",\"transactionId\":").string(message.transactionId());
        json.raw(",\"acceptedAt\":").string(Timestamps.textOfMicros(message.acceptedAtMicros()));
        json.raw(",\"reason\":").string(message.reason()).raw(",\"bytes\":").number(message.bytes()).raw("}");
    }

    public void retry(Exchange exchange, byte[] body) {
        RefusedFilter filter = filter(exchange.query(), OperatorBody.parse(body));
        engine.submit(new RestoreRefusedCommand(filter,
                exchange.reply(count -> confirm(exchange, "put back", filter, count, "{\"putBack\":"))));
    }

    public void drop(Exchange exchange) {
        RefusedFilter filter = filter(exchange.query(), Map.of());
        engine.submit(new DropRefusedCommand(filter,
                exchange.reply(count -> confirm(exchange, "drop", filter, count, "{\"dropped\":"))));
    }

    private void confirm(Exchange exchange, String action, RefusedFilter filter, int count, String opening) {
        log.warn("rejected messages of the spool: {} {} messages, {}", action, count, filter);
        Runnable answer = () -> exchange.send(200, exchange.json().raw(opening).number(count).raw("}"));
        operatorQueries.call(new OperatorCall("record_spool_decision",
                Arrays.asList(exchange.actor(), action, filter.queue(), filter.messageId(), count),
                exchange.reply(_ -> answer.run(), _ -> answer.run())).from(exchange.clientAddress()));
    }

    private static RefusedFilter filter(QueryString query, Map<String, Object> body) {
        Object queue = body.getOrDefault("queue", query.textOrNull("queue"));
        Object messageId = body.getOrDefault("messageId", query.textOrNull("messageId"));
        return new RefusedFilter((String) Parameter.optionalName().from(queue, "queue"),
                (UUID) Parameter.uuid().from(messageId, "messageId"));
    }
}
