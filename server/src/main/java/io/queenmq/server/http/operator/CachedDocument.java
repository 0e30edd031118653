package io.queenmq.server.http.operator;

import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.time.Clock;
import io.queenmq.server.operator.OperatorCall;
import io.queenmq.server.operator.OperatorOutcome;
import io.queenmq.server.operator.OperatorQueries;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Caches a document of the database that is requested often and may be slightly outdated. Concurrent requests share one query.
 * While the database is unavailable, there is no document. Safe from any thread.
 */
final class CachedDocument {
    private static final long AGE_NS_MAX = 500_000_000L;
    private static final long WAIT_MS_MAX = 5_000;

    private final OperatorQueries operatorQueries;
    private final String routine;
    private final List<Object> arguments;
    private @Nullable CompletableFuture<Optional<String>> latest;
    private long askedNs;

    CachedDocument(OperatorQueries operatorQueries, String routine, Object... arguments) {
        this.operatorQueries = operatorQueries;
        this.routine = routine;
        this.arguments = List.of(arguments);
    }

    /**
     * Completes the reply with the document, or with an empty value if the database does not respond in time. The reply
     * never fails.
     */
    void read(Reply<Optional<String>> reply) {
        latest().thenAccept(reply::succeed);
    }

    private synchronized CompletableFuture<Optional<String>> latest() {
        long nowNs = Clock.SYSTEM.nowNs();
        if (latest == null || nowNs - askedNs > AGE_NS_MAX) {
            askedNs = nowNs;
            latest = ask();
        }
        return latest;
    }

    private CompletableFuture<Optional<String>> ask() {
        CompletableFuture<Optional<String>> answer = new CompletableFuture<>();
        answer.completeOnTimeout(Optional.empty(), WAIT_MS_MAX, TimeUnit.MILLISECONDS);
        operatorQueries.call(new OperatorCall(routine, arguments,
                Reply.of(outcome -> answer.complete(
                        outcome instanceof OperatorOutcome.Document(var text) ? Optional.of(text) : Optional.empty()),
                        _ -> answer.complete(Optional.empty()))));
        return answer;
    }
}
