package io.queenmq.server.http.stream;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.queenmq.engine.Engine;
import io.queenmq.engine.command.ReadStateCommand;
import io.queenmq.engine.command.ReadStateOutcome;
import io.queenmq.server.auth.Right;
import io.queenmq.server.http.access.Needs;
import io.queenmq.server.http.access.QueueRoute;
import io.queenmq.server.http.access.Unknown;
import io.queenmq.server.http.json.BadRequest;
import io.queenmq.server.http.json.JsonBuffer;
import io.queenmq.server.http.json.JsonInput;
import io.queenmq.server.http.json.Names;
import io.queenmq.server.http.json.Timestamps;
import io.queenmq.server.http.json.Uuids;
import io.queenmq.server.http.server.Exchange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Returns the state of a query in a partition. */
public final class StateRoute implements QueueRoute<StateRoute.StateRequest> {
    public static final String PATH = "/streams/v1/state/get";

    private final Engine engine;

    public StateRoute(Engine engine) {
        this.engine = engine;
    }

    @Override
    public StateRequest parse(Exchange exchange, byte[] body) {
        return JsonInput.object(body, parser -> new StateRequest().read(parser));
    }

    @Override
    public void addNeeds(StateRequest request, Needs needs) {
        needs.add(Right.POP,
                new Needs.Subject.Source(new Needs.Query(Uuids.require(request.queryId, "query_id"), null, false)));
        needs.partition(Right.POP, Uuids.require(request.partitionId, "partition_id"));
    }

    @Override
    public void handleUnknown(Exchange exchange, StateRequest request, Unknown unknown) {
        if (unknown.hasPartition(Uuids.require(request.partitionId, "partition_id"))) {
            answer(exchange, new ReadStateOutcome.Refused(unknown.inWords()));
        } else {
            QueryRoute.unknown(exchange);
        }
    }

    @Override
    public void handle(Exchange exchange, StateRequest request) {
        engine.submit(new ReadStateCommand(Uuids.require(request.queryId, "query_id"),
                Uuids.require(request.partitionId, "partition_id"), request.keys.isEmpty() ? null : request.keys,
                request.prefix, request.ripeUntil, ClientHosts.of(exchange.request()),
                exchange.reply(outcome -> answer(exchange, outcome))));
    }

    private static void answer(Exchange exchange, ReadStateOutcome outcome) {
        switch (outcome) {
            case ReadStateOutcome.Rows(var rows) -> sendRows(exchange, rows);
            case ReadStateOutcome.UnknownQuery _ -> QueryRoute.unknown(exchange);
            case ReadStateOutcome.Refused(var error) ->
                exchange.send(400, exchange.json().raw("{\"success\":false,\"error\":").string(error).raw("}"));
        }
    }

    private static void sendRows(Exchange exchange, List<ReadStateOutcome.Row> rows) {
        JsonBuffer json = exchange.json().raw("{\"success\":true,\"rows\":[");
        for (int i = 0; i < rows.size(); i++) {
            ReadStateOutcome.Row row = rows.get(i);
            json.raw(i == 0 ? "{\"key\":" : ",{\"key\":").string(row.key()).raw(",\"value\":")
                    .raw(row.value(), 0, row.value().length).raw(",\"updated_at\":\"")
                    .raw(Timestamps.textOfMicros(row.updatedAtMicros())).raw("\"}");
        }
        exchange.send(200, json.raw("]}"));
    }

    /** The contents of a request, collected during parsing. */
    static final class StateRequest {
        private @Nullable String queryId;
        private @Nullable String partitionId;
        private final List<String> keys = new ArrayList<>();
        private @Nullable String prefix;
        private @Nullable Double ripeUntil;

        StateRequest read(JsonParser parser) throws IOException {
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                switch (name) {
                    case "query_id" -> queryId = JsonInput.stringOrNull(parser, name);
                    case "partition_id" -> partitionId = JsonInput.stringOrNull(parser, name);
                    case "keys" -> readKeys(parser);
                    case "key_prefix" -> prefix = storable(JsonInput.stringOrNull(parser, name), name);
                    case "ripe_at_or_before" -> readRipeUntil(parser, name);
                    default -> JsonInput.skip(parser);
                }
            }
            return this;
        }

        private void readKeys(JsonParser parser) throws IOException {
            JsonToken token = parser.nextToken();
            if (token == JsonToken.VALUE_NULL) {
                return;
            }
            if (token != JsonToken.START_ARRAY) {
                throw new BadRequest("keys must be an array");
            }
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                String path = "keys[" + keys.size() + "]";
                if (parser.currentToken() != JsonToken.VALUE_STRING) {
                    throw new BadRequest(path + " must be a string");
                }
                keys.add(storable(parser.getText(), path));
            }
        }

        private void readRipeUntil(JsonParser parser, String name) throws IOException {
            JsonToken token = parser.nextToken();
            if (token == JsonToken.VALUE_NULL) {
                return;
            }
            if (!token.isNumeric()) {
                throw new BadRequest(name + " must be a number");
            }
            ripeUntil = parser.getDoubleValue();
        }

        private static @Nullable String storable(@Nullable String text, String field) {
            String problem = text == null ? null : Names.unstorable(text);
            if (problem != null) {
                throw new BadRequest(field + " " + problem);
            }
            return text;
        }
    }
}
