package io.queenmq.server.http.stream;

import io.queenmq.engine.Engine;
import io.queenmq.engine.command.CycleCommand;
import io.queenmq.engine.command.CycleOutcome;
import io.queenmq.engine.push.MessageIds;
import io.queenmq.server.auth.Right;
import io.queenmq.server.http.access.Needs;
import io.queenmq.server.http.access.QueueRoute;
import io.queenmq.server.http.access.Unknown;
import io.queenmq.server.http.json.JsonBuffer;
import io.queenmq.server.http.message.PushResult;
import io.queenmq.server.http.server.Exchange;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Executes a cycle of a stream query: state changes, pushes and an acknowledgment take effect atomically. Runners read
 * {@code success}, not the status.
 */
public final class CycleRoute implements QueueRoute<CycleRoute.Cycle> {
    public static final String PATH = "/streams/v1/cycle";

    private final Engine engine;
    private final CycleParser parser;

    public CycleRoute(Engine engine, MessageIds ids) {
        this.engine = engine;
        this.parser = new CycleParser(ids);
    }

    @Override
    public Cycle parse(Exchange exchange, byte[] body) {
        // A client that repeats a request after a lost response sends the same bytes.
        return new Cycle(parser.parse(body, exchange.tokenSubject()), UUID.nameUUIDFromBytes(body));
    }

    @Override
    public void addNeeds(Cycle cycle, Needs needs) {
        CycleRequest request = cycle.request;
        needs.add(Right.POP, new Needs.Subject.Source(new Needs.Query(request.queryId(), null, false)));
        needs.partition(Right.POP, request.partitionId());
        request.pushes().forEach(item -> needs.queue(Right.PUSH, item.queue()));
        if (request.ack().item() != null) {
            needs.partition(Right.POP, request.ack().item().partitionId());
        }
    }

    @Override
    public void handleUnknown(Exchange exchange, Cycle cycle, Unknown unknown) {
        if (unknown.hasPartition(cycle.request.partitionId())) {
            refuse(exchange, cycle.request, null, unknown.inWords());
        } else {
            QueryRoute.unknown(exchange);
        }
    }

    @Override
    public void handle(Exchange exchange, Cycle cycle) {
        CycleRequest request = cycle.request;
        if (request.problem() != null) {
            refuse(exchange, request, null, request.problem());
            return;
        }
        exchange.countMessages(request.ack().item() == null ? 0 : (int) request.ack().count());
        engine.submit(new CycleCommand(request.queryId(), request.partitionId(), request.group(), cycle.token,
                request.changes().ops(), request.pushes(), request.ack().item(), request.ack().isLeaseKept(),
                ClientHosts.of(exchange.request()), exchange.reply(outcome -> answer(exchange, request, outcome))));
    }

    /** @param token token of the request; a repeated request has the same token */
    record Cycle(CycleRequest request, UUID token) {}

    private static void answer(Exchange exchange, CycleRequest request, CycleOutcome outcome) {
        switch (outcome) {
            case CycleOutcome.Done done -> commit(exchange, request, done);
            case CycleOutcome.Refused(var queue, var error) -> refuse(exchange, request, queue, error);
            case CycleOutcome.UnknownQuery _ -> QueryRoute.unknown(exchange);
        }
    }

    private static void commit(Exchange exchange, CycleRequest request, CycleOutcome.Done done) {
        JsonBuffer json = begin(exchange, request, true, done.queue());
        json.raw(",\"state_ops_applied\":").number(done.isRepeated() ? 0 : request.changes().requested());
        PushResult.writeAll(json.raw(",\"push_results\":"), request.pushes(), done.pushes());
        json.raw(",\"ack_result\":");
        if (request.ack().item() == null) {
            json.raw("null");
        } else {
            json.raw("{\"success\":true,\"count\":").number(request.ack().count());
            json.raw(",\"lease_released\":").bool(done.isLeaseReleased());
            json.raw(",\"dlq\":").bool(request.ack().isDead()).raw("}");
        }
        exchange.send(200, json.raw("}"));
    }

    private static void refuse(Exchange exchange, CycleRequest request, @Nullable String queue, String error) {
        JsonBuffer json = begin(exchange, request, false, queue).raw(",\"error\":").string(error);
        exchange.send(200, json.raw(",\"state_ops_applied\":0,\"push_results\":[],\"ack_result\":null}"));
    }

    private static JsonBuffer begin(Exchange exchange, CycleRequest request, boolean isDone, @Nullable String queue) {
        return exchange.json().raw("{\"success\":").bool(isDone).raw(",\"query_id\":").uuid(request.queryId())
                .raw(",\"partition_id\":").uuid(request.partitionId()).raw(",\"queueName\":").stringOrNull(queue);
    }
}
