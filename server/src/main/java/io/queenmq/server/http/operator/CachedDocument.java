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
    /** A scrape has a timeout, and slow statements of PostgreSQL must not make a server appear to be down. */
    private static final long SCRAPE_WAIT_MS_MAX = 200;
    /** An older document would hide changes from alerts. */
    private static final long LATE_NS_MAX = 60_000_000_000L;

    private final OperatorQueries operatorQueries;
    private final String routine;
    private final List<Object> arguments;
    private final long waitMsMax;
    private final long lateNsMax;
    private @Nullable CompletableFuture<Optional<String>> latest;
    private long askedNs;
    /** The last document that the database returned, and the time of its request; null before the first one. */
    private @Nullable String received;
    private long receivedNs;

    private CachedDocument(long waitMsMax, long lateNsMax, OperatorQueries operatorQueries, String routine,
            Object... arguments) {
        this.waitMsMax = waitMsMax;
        this.lateNsMax = lateNsMax;
        this.operatorQueries = operatorQueries;
        this.routine = routine;
        this.arguments = List.of(arguments);
    }

    static CachedDocument of(OperatorQueries operatorQueries, String routine, Object... arguments) {
        return new CachedDocument(WAIT_MS_MAX, 0, operatorQueries, routine, arguments);
    }

    /**
     * Returns a document for Prometheus. A request waits for at most 200 ms; if the database takes longer, it gets the previous
     * document, which is at most a minute old.
     */
    static CachedDocument forScrapes(OperatorQueries operatorQueries, String routine, Object... arguments) {
        return new CachedDocument(SCRAPE_WAIT_MS_MAX, LATE_NS_MAX, operatorQueries, routine, arguments);
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
            latest = ask(nowNs);
        }
        return latest;
    }

    private CompletableFuture<Optional<String>> ask(long nowNs) {
        CompletableFuture<Optional<String>> answer = new CompletableFuture<>();
        answer.completeOnTimeout(previous(nowNs), waitMsMax, TimeUnit.MILLISECONDS);
        operatorQueries.call(new OperatorCall(routine, arguments,
                Reply.of(outcome -> answer.complete(outcome instanceof OperatorOutcome.Document(var text)
                        ? Optional.of(receive(text, nowNs))
                        : Optional.empty()), _ -> answer.complete(Optional.empty()))));
        return answer;
    }

    private synchronized String receive(String text, long requestedNs) {
        if (received == null || requestedNs > receivedNs) {
            received = text;
            receivedNs = requestedNs;
        }
        return text;
    }

    private synchronized Optional<String> previous(long nowNs) {
        return nowNs - receivedNs < lateNsMax ? Optional.ofNullable(received) : Optional.empty();
    }
}
