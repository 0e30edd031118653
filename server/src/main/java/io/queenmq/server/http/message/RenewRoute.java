package io.queenmq.server.http.message;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.queenmq.engine.Engine;
import io.queenmq.engine.command.RenewCommand;
import io.queenmq.engine.command.RenewOutcome;
import io.queenmq.server.auth.Right;
import io.queenmq.server.http.access.Needs;
import io.queenmq.server.http.access.QueueRoute;
import io.queenmq.server.http.access.Unknown;
import io.queenmq.server.http.json.BadRequest;
import io.queenmq.server.http.json.JsonBuffer;
import io.queenmq.server.http.json.JsonInput;
import io.queenmq.server.http.json.Timestamps;
import io.queenmq.server.http.json.Uuids;
import io.queenmq.server.http.server.Exchange;
import java.io.IOException;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Handles {@code POST /lease/:leaseId/extend}. */
public final class RenewRoute implements QueueRoute<RenewRoute.Renewal> {
    public static final String PATH = "/api/v1/lease/:leaseId/extend";

    private static final int LEASE_SEGMENT = 3;
    private static final int SECONDS_DEFAULT = 60;
    private static final int SECONDS_MAX = 86_400;

    private final Engine engine;

    public RenewRoute(Engine engine) {
        this.engine = engine;
    }

    @Override
    public Renewal parse(Exchange exchange, byte[] body) {
        return new Renewal(Uuids.parse(exchange.path().decoded(LEASE_SEGMENT)), seconds(body));
    }

    @Override
    public void addNeeds(Renewal renewal, Needs needs) {
        if (renewal.leaseId != null) {
            needs.add(Right.POP, new Needs.Subject.Lease(renewal.leaseId));
        }
    }

    @Override
    public void handleUnknown(Exchange exchange, Renewal renewal, Unknown unknown) {
        gone(exchange, RenewOutcome.Gone.UNKNOWN_LEASE);
    }

    /** @param leaseId null if the text is not a UUID, so that no such lease can exist */
    record Renewal(@Nullable UUID leaseId, int seconds) {}

    @Override
    public void handle(Exchange exchange, Renewal renewal) {
        UUID leaseId = renewal.leaseId;
        if (leaseId == null) {
            gone(exchange, RenewOutcome.Gone.UNKNOWN_LEASE);
            return;
        }
        engine.submit(new RenewCommand(leaseId, renewal.seconds,
                exchange.reply(outcome -> answer(exchange, leaseId, outcome))));
    }

    /** Parses the body. No body, an object without {@code seconds}, and an empty array all mean the default. */
    static int seconds(byte[] body) {
        if (body.length == 0) {
            return SECONDS_DEFAULT;
        }
        return JsonInput.document(body, parser -> switch (parser.nextToken()) {
            case START_OBJECT -> secondsOf(parser);
            case START_ARRAY -> {
                parser.skipChildren();
                yield SECONDS_DEFAULT;
            }
            case null, default -> throw new BadRequest("the body must be a JSON object");
        });
    }

    private static int secondsOf(JsonParser parser) throws IOException {
        int seconds = SECONDS_DEFAULT;
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            if (!name.equals("seconds")) {
                JsonInput.skip(parser);
            } else if (parser.nextToken() != JsonToken.VALUE_NULL) {
                seconds = (int) JsonInput.whole(parser, name, 1, SECONDS_MAX);
            }
        }
        return seconds;
    }

    private static void answer(Exchange exchange, UUID leaseId, RenewOutcome outcome) {
        switch (outcome) {
            case RenewOutcome.Gone gone -> gone(exchange, gone);
            case RenewOutcome.Renewed(OffsetDateTime untilAt) -> {
                String until = Timestamps.text(untilAt);
                JsonBuffer json = exchange.json().raw("{\"index\":0,\"leaseId\":").uuid(leaseId);
                json.raw(",\"success\":true,\"error\":null,\"expiresAt\":").string(until);
                json.raw(",\"newExpiresAt\":").string(until);
                exchange.send(200, json.raw(",\"lease_expires_at\":").string(until).raw("}"));
            }
        }
    }

    private static void gone(Exchange exchange, RenewOutcome.Gone gone) {
        exchange.error(404, gone.reason());
    }
}
