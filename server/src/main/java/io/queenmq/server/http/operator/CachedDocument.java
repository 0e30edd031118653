package io.queenmq.server.http.operator;

import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.time.Clock;
import io.queenmq.server.operator.OperatorCall;
import io.queenmq.server.operator.OperatorDesk;
import io.queenmq.server.operator.OperatorOutcome;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A document of the database that is read often and may be a moment old. However many ask, the database is asked
 * once; while it cannot answer, there is no document. Safe from any thread.
 */
final class CachedDocument {
    private static final long AGE_NS_MAX = 500_000_000L;
    private static final long WAIT_MS_MAX = 5_000;

    private final OperatorDesk desk;
    private final String routine;
    private final List<Object> arguments;
    private CompletableFuture<Optional<String>> latest;
    private long askedNs;

    CachedDocument(OperatorDesk desk, String routine, Object... arguments) {
        this.desk = desk;
        this.routine = routine;
        this.arguments = List.of(arguments);
    }

    /** The reply gets nothing when the database does not answer, or not in time; it never fails. */
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
        desk.call(new OperatorCall(routine, arguments, Reply.of(
                outcome -> answer.complete(outcome instanceof OperatorOutcome.Document(var text)
                        ? Optional.of(text)
                        : Optional.empty()),
                _ -> answer.complete(Optional.empty()))));
        return answer;
    }
}
