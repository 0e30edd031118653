package io.queenmq.server.http;

import io.queenmq.server.ack.AckCommand;
import io.queenmq.server.ack.AckItem;
import io.queenmq.server.ack.AckOutcome;
import io.queenmq.server.engine.Engine;
import io.queenmq.server.http.AckParser.AckRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes word of what became of messages, one or many. An acknowledgement that is impossible fails alone, and the others
 * of its request are carried out.
 */
final class AckRoute {
    static final String PATH = "/api/v1/ack";
    static final String BATCH_PATH = "/api/v1/ack/batch";

    private final Engine engine;

    AckRoute(Engine engine) {
        this.engine = engine;
    }

    void handle(Exchange exchange, byte[] body) {
        ack(exchange, AckParser.parseOne(body));
    }

    void handleBatch(Exchange exchange, byte[] body) {
        ack(exchange, AckParser.parseBatch(body));
    }

    private void ack(Exchange exchange, AckRequest request) {
        List<AckDraft> drafts = request.drafts();
        List<AckItem> items = new ArrayList<>(drafts.size());
        List<String> problems = new ArrayList<>(drafts.size());
        for (AckDraft draft : drafts) {
            String problem = draft.problem();
            problems.add(problem);
            if (problem == null) {
                items.add(draft.item(request.group()));
            }
        }
        if (items.isEmpty()) {
            answer(exchange, drafts, problems, List.of());
            return;
        }
        exchange.about(items.size());
        engine.ack(new AckCommand(items, exchange.reply(outcomes -> answer(exchange, drafts, problems, outcomes))));
    }

    /** @param outcomes those of the acknowledgements without a problem, in order */
    private static void answer(Exchange exchange, List<AckDraft> drafts, List<String> problems,
            List<AckOutcome> outcomes) {
        JsonBuffer json = exchange.json().raw("[");
        int carriedOut = 0;
        for (int i = 0; i < drafts.size(); i++) {
            String problem = problems.get(i);
            AckOutcome outcome = problem == null ? outcomes.get(carriedOut++) : refused(problem);
            json.raw(i == 0 ? "{\"index\":" : ",{\"index\":").number(i);
            json.raw(",\"transactionId\":").string(drafts.get(i).transactionId());
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
