package io.queenmq.server.http.message;

import io.queenmq.engine.Engine;
import io.queenmq.engine.command.AckCommand;
import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.AckOutcome;
import io.queenmq.server.auth.Right;
import io.queenmq.server.http.access.Needs;
import io.queenmq.server.http.access.QueueRoute;
import io.queenmq.server.http.access.Unknown;
import io.queenmq.server.http.json.JsonBuffer;
import io.queenmq.server.http.message.AckParser.AckRequest;
import io.queenmq.server.http.server.Exchange;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/**
 * Handles {@code POST /ack} and {@code POST /ack/batch}. An invalid acknowledgment fails alone; the others of its request are
 * processed.
 */
public final class AckRoute {
    public static final String PATH = "/api/v1/ack";
    public static final String BATCH_PATH = "/api/v1/ack/batch";

    private final Engine engine;

    public AckRoute(Engine engine) {
        this.engine = engine;
    }

    /** @param parser reads the body of a request */
    public QueueRoute<AckRequest> of(Function<byte[], AckRequest> parser) {
        return new QueueRoute<>() {
            @Override
            public AckRequest parse(Exchange exchange, byte[] body) {
                return parser.apply(body);
            }

            @Override
            public void addNeeds(AckRequest request, Needs needs) {
                for (AckDraft draft : request.drafts()) {
                    if (draft.problem() == null) {
                        needs.partition(Right.POP, draft.item(request.group()).partitionId());
                    }
                }
            }

            @Override
            public void handle(Exchange exchange, AckRequest request) {
                ack(exchange, request, new Unknown(Set.of()));
            }

            /** Processes acknowledgments of existing partitions as usual. */
            @Override
            public void handleUnknown(Exchange exchange, AckRequest request, Unknown unknown) {
                ack(exchange, request, unknown);
            }
        };
    }

    private void ack(Exchange exchange, AckRequest request, Unknown unknown) {
        List<AckDraft> drafts = request.drafts();
        List<AckItem> items = new ArrayList<>(drafts.size());
        List<String> problems = new ArrayList<>(drafts.size());
        for (AckDraft draft : drafts) {
            String problem = draft.problem();
            AckItem item = problem == null ? draft.item(request.group()) : null;
            if (item != null && unknown.hasPartition(item.partitionId())) {
                problem = "there is no such partition";
            }
            problems.add(problem);
            if (problem == null) {
                items.add(item);
            }
        }
        if (items.isEmpty()) {
            answer(exchange, drafts, problems, List.of());
            return;
        }
        exchange.countMessages(items.size());
        engine.submit(new AckCommand(items, exchange.reply(outcomes -> answer(exchange, drafts, problems, outcomes))));
    }

    /** @param outcomes outcomes of the valid acknowledgments, in order */
    private static void answer(Exchange exchange, List<AckDraft> drafts, List<String> problems,
            List<AckOutcome> outcomes) {
        JsonBuffer json = exchange.json().raw("[");
        int carriedOut = 0;
        for (int i = 0; i < drafts.size(); i++) {
            String problem = problems.get(i);
            AckOutcome outcome = problem == null ? outcomes.get(carriedOut++) : refused(problem);
            json.raw(i == 0 ? "{\"index\":" : ",{\"index\":").number(i);
            json.raw(",\"transactionId\":").string(Objects.requireNonNull(drafts.get(i).transactionId()));
            json.raw(",\"success\":").bool(outcome.isAccepted()).raw(",\"error\":").stringOrNull(outcome.error());
            json.raw(",\"queueName\":").stringOrNull(outcome.queue());
            json.raw(",\"partitionName\":").stringOrNull(outcome.partition());
            json.raw(",\"leaseReleased\":").bool(outcome.isLeaseReleased());
            json.raw(",\"dlq\":").bool(outcome.isDead()).raw("}");
        }
        exchange.send(200, json.raw("]"));
    }

    private static AckOutcome refused(String problem) {
        return new AckOutcome(null, null, problem, false, false);
    }
}
