package io.queenmq.engine.batch;

import io.queenmq.engine.config.EngineConfig;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool;
import io.queenmq.engine.connection.SqlFailure;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.time.Timers;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue of the requests of one operation that wait for PostgreSQL. While a connection is free, requests are sent at once.
 * While all connections are busy, requests collect, and the next call sends them together. So batches grow with the load.
 * Requests wait for others only briefly, after a large batch or if microBatchWait is set.
 *
 * <p>A request is in exactly one place: in the queue, in a batch to be retried, or in a call. So each request is settled or
 * refused exactly once, and every waiting request times out. A failure affects one request only: a failed batch is halved until
 * the request that causes the failure is alone. A batch whose connection is lost is sent again, because every routine is
 * idempotent. Owned by the engine loop.
 */
public final class Batches<C, A> {
    private static final Logger log = LoggerFactory.getLogger(Batches.class);

    /** After smaller batches than this, a call does not wait for more requests. */
    private static final int LINGER_SIZE_MIN = 8;

    /** A call does not wait for more requests than this, because PostgreSQL would be idle meanwhile. */
    private static final int LINGER_SIZE_MAX = 100;
    private static final long LINGER_NS = 1_000_000;

    /** The maximum number of bytes that one call sends, unless a single request is larger. */
    private static final long BATCH_BYTES_MAX = 8 << 20;

    /** The delays before requests are retried that did not cause the failure of their call. */
    private static final long RETRY_FIRST_NS = 1_000_000;
    private static final long RETRY_MAX_NS = 500_000_000;

    /** A request in a batch that lost its connection this often may be the cause, so that the batch is halved. */
    private static final int LOSSES_MAX = 3;

    /** An overdue request that was in this many lost calls is refused instead of sent again. */
    private static final int LOSSES_BEFORE_TIMEOUT = 2;
    private static final long CHECK_EVERY_NS = 100_000_000;

    private final Operation operation;
    private final ConnectionPool connections;
    private final Timers timers;
    private final Carrier<C, A> carrier;
    private final BatchMeters meters;
    private final int sizeMax;
    private final int inFlightMax;
    private final int waitingMax;
    private final long lingerNs;
    private final long unavailableAfterNs;
    private final ArrayDeque<Waiting<C>> waiting = new ArrayDeque<>();
    private final ArrayDeque<RetryBatch<C>> retries = new ArrayDeque<>();
    private int inFlight;
    private int retriesInFlight;
    private int expected;
    private int lingerSize;
    private Timers.@Nullable Alarm linger;
    private boolean isCheckScheduled;
    private boolean isUnavailableReported;

    public Batches(EngineContext context, Operation operation, ConnectionPool connections, Carrier<C, A> carrier) {
        EngineConfig config = context.config();
        this.operation = operation;
        this.connections = connections;
        this.timers = context.timers();
        this.carrier = carrier;
        this.meters = context.meters();
        this.sizeMax = Math.min(config.requestsPerBatchMax(), operation.requestsMax());
        this.inFlightMax = config.callsInFlightMax();
        this.waitingMax = config.requestsWaitingMax();
        this.lingerNs = operation.isMerged() ? config.microBatchWait().toNanos() : 0;
        this.unavailableAfterNs = config.unavailableAfter().toNanos();
        connections.addUser(this::send);
        meters.gauge(operation, "in.flight", "Calls of PostgreSQL in flight, by operation.",
                () -> inFlight + retriesInFlight);
        meters.gauge(operation, "waiting", "Requests that wait for a call of PostgreSQL, by operation.",
                () -> waiting.size() + retries.stream().mapToInt(retry -> retry.requests().size()).sum());
    }

    /** Enqueues a command, or refuses it at once if too many are waiting. */
    public void offer(C command) {
        offer(command, timers.nowNs());
    }

    /** @param sinceNs the arrival time of the oldest request of the command, from which its timeout is measured */
    public void offer(C command, long sinceNs) {
        assert timers.isOnLoop();
        if (waiting.size() >= waitingMax) {
            refuse(command, new Failure.Overloaded("too many requests are waiting for PostgreSQL"));
            return;
        }
        waiting.add(new Waiting<>(command, sinceNs));
        if (lingerNs > 0 && linger == null) {
            linger(lingerNs, sizeMax);
        }
        send();
    }

    private void send() {
        sendRetries();
        while (!waiting.isEmpty() && inFlight < inFlightMax && !shouldLinger()) {
            Connection connection = connections.tryAcquire();
            if (connection == null) {
                scheduleCheck();
                return;
            }
            inFlight++;
            carry(connection, takeBatch(), false);
        }
    }

    /** Retries are sent before other requests, one at a time, so that they occupy at most one connection. */
    private void sendRetries() {
        while (retriesInFlight == 0) {
            RetryBatch<C> due = firstDue();
            if (due == null) {
                return;
            }
            Connection connection = connections.tryAcquire();
            if (connection == null) {
                return;
            }
            retries.remove(due);
            retriesInFlight++;
            carry(connection, due.requests(), true);
        }
    }

    private @Nullable RetryBatch<C> firstDue() {
        for (RetryBatch<C> retry : retries) {
            if (retry.dueNs() - timers.nowNs() <= 0 && (!retry.isUnknown() || connections.isSettled())) {
                return retry;
            }
        }
        return null;
    }

    /** Returns true if the call should wait briefly for further requests, which are expected. */
    private boolean shouldLinger() {
        if (linger == null && waiting.size() < expected) {
            linger(LINGER_NS, expected);
        }
        expected = 0;
        if (linger != null && waiting.size() >= lingerSize) {
            linger.cancel();
            linger = null;
        }
        return linger != null;
    }

    private void linger(long forNs, int size) {
        lingerSize = size;
        linger = timers.after(forNs, () -> {
            linger = null;
            send();
        });
    }

    private List<Waiting<C>> takeBatch() {
        int size = Math.min(waiting.size(), sizeMax);
        List<Waiting<C>> batch = new ArrayList<>(size);
        long bytes = 0;
        while (batch.size() < size) {
            bytes += carrier.bytes(waiting.peek().command);
            if (bytes > BATCH_BYTES_MAX && !batch.isEmpty()) {
                break;
            }
            batch.add(waiting.poll());
        }
        return batch;
    }

    private void carry(Connection connection, List<Waiting<C>> batch, boolean isRetry) {
        long startNs = timers.nowNs();
        call(connection, batch).onComplete(done -> {
            if (isRetry) {
                retriesInFlight--;
            } else {
                inFlight--;
            }
            meters.batch(operation, batch.size(), timers.nowNs() - startNs, done.failed());
            try {
                if (done.succeeded()) {
                    if (isUnavailableReported) {
                        isUnavailableReported = false;
                        connections.setAvailable();
                    }
                    settle(batch, done.result());
                } else {
                    onFailure(batch, done.cause());
                }
            } finally {
                connections.release(connection);
                send();
            }
        });
    }

    private Future<List<A>> call(Connection connection, List<Waiting<C>> batch) {
        List<C> commands = new ArrayList<>(batch.size());
        batch.forEach(each -> commands.add(each.command));
        try {
            return carrier.carry(connection, commands);
        } catch (RuntimeException bug) {
            return Future.failedFuture(bug);
        }
    }

    private void settle(List<Waiting<C>> batch, List<A> answers) {
        if (batch.size() >= LINGER_SIZE_MIN) {
            // Clients that got their responses together mostly send their next requests together. One call for forty requests
            // costs PostgreSQL half as much as two calls for twenty, so the first requests wait briefly for the others.
            expected = Math.min((batch.size() + waiting.size()) * 3 / 4, Math.min(sizeMax, LINGER_SIZE_MAX));
        }
        List<Waiting<C>> busy = new ArrayList<>(0);
        for (int i = 0; i < batch.size(); i++) {
            C command = batch.get(i).command;
            try {
                if (carrier.isBusy(command, answers.get(i))) {
                    busy.add(batch.get(i));
                } else {
                    carrier.settle(command, answers.get(i));
                }
            } catch (RuntimeException bug) {
                // The answers of other requests are still applied. This request took effect, so it must not be sent again.
                log.error("answer of PostgreSQL could not be applied, operation {}", operation, bug);
                refuse(command, new Failure.Unavailable("this server could not apply the answer of PostgreSQL"));
            }
        }
        if (!busy.isEmpty()) {
            retryLater(busy, "the requested row is locked by another transaction of the database", false);
        }
    }

    private void onFailure(List<Waiting<C>> batch, Throwable cause) {
        SqlFailure kind = SqlFailure.of(cause);
        log.debug("database call failed, operation {}, {} requests: {} {}", operation, batch.size(), kind,
                cause.toString());
        switch (kind) {
            case LOST -> onLost(batch, cause);
            case UNAVAILABLE -> onUnavailable(batch, SqlFailure.messageOf(cause));
            case SCHEMA_MISSING -> onUnavailable(batch, connections.schemaMissing(SqlFailure.messageOf(cause)));
            case TRANSIENT -> retryTransient(batch, SqlFailure.messageOf(cause));
            // An operation with a special meaning of these has converted them to an answer before.
            case PARTITION_MOVED, LEASE_GONE, OUTDATED, FULL, BUSY, IMPOSSIBLE, FORBIDDEN, REFUSED ->
                refuseOrHalve(batch, new Failure.Refused(SqlFailure.messageOf(cause)));
            case DEFECT -> {
                log.error("database call failed by a defect, operation {}, {} requests", operation, batch.size(),
                        cause);
                // PostgreSQL may have executed the call, and this server failed to read the answer.
                refuseOrHalve(batch, new Failure.Unavailable("this server failed: " + cause));
            }
        }
    }

    private void onUnavailable(List<Waiting<C>> batch, String reason) {
        isUnavailableReported = true;
        connections.setUnavailable(reason);
        // Needs operator action; retry at the maximum interval.
        retryAfter(RETRY_MAX_NS, batch, reason, false);
    }

    /** Halves a batch of several requests, because the same call would fail again. Retries a single one until it is overdue. */
    private void retryTransient(List<Waiting<C>> batch, String reason) {
        if (batch.size() == 1 && timers.nowNs() - batch.getFirst().sinceNs < unavailableAfterNs) {
            retryLater(batch, reason, false);
        } else {
            refuseOrHalve(batch, new Failure.Unavailable(reason));
        }
    }

    /** Refuses a single request. Several are halved first, so that no request is refused because of another one. */
    private void refuseOrHalve(List<Waiting<C>> batch, Failure failure) {
        if (batch.size() > 1) {
            retryInHalves(batch, false);
        } else {
            refuse(batch.getFirst().command, failure);
        }
    }

    private void onLost(List<Waiting<C>> batch, Throwable cause) {
        List<Waiting<C>> again = new ArrayList<>(batch.size());
        List<Waiting<C>> overdue = new ArrayList<>(0);
        boolean isSuspect = false;
        for (Waiting<C> each : batch) {
            each.failure = SqlFailure.messageOf(cause);
            isSuspect |= ++each.losses >= LOSSES_MAX;
            // A silent call takes seconds, so an overdue request is sent again once, but not repeatedly.
            (each.losses >= LOSSES_BEFORE_TIMEOUT && isOverdue(each) ? overdue : again).add(each);
        }
        // A lost call may still be executed. Its requests must not be repeated while that is possible.
        if (isSuspect && again.size() > 1) {
            retryInHalves(again, true);
        } else if (isSuspect && !again.isEmpty()) {
            retryLater(again, SqlFailure.messageOf(cause), true);
        } else if (!again.isEmpty()) {
            retries.addFirst(new RetryBatch<>(again, timers.nowNs(), true));
            scheduleCheck();
        }
        overdue.forEach(each -> refuse(each.command, new Failure.Unavailable(reasonOf(each))));
    }

    private void retryInHalves(List<Waiting<C>> batch, boolean isUnknown) {
        int half = batch.size() / 2;
        retries.addFirst(
                new RetryBatch<>(new ArrayList<>(batch.subList(half, batch.size())), timers.nowNs(), isUnknown));
        retries.addFirst(new RetryBatch<>(new ArrayList<>(batch.subList(0, half)), timers.nowNs(), isUnknown));
        scheduleCheck();
    }

    /** Retries requests that did not cause the failure, with increasing delays. They are refused when they are overdue. */
    private void retryLater(List<Waiting<C>> batch, String reason, boolean isUnknown) {
        int retries = 0;
        for (Waiting<C> each : batch) {
            retries = Math.max(retries, each.retries++);
        }
        retryAfter(Math.min(RETRY_FIRST_NS << Math.min(retries, 10), RETRY_MAX_NS), batch, reason, isUnknown);
    }

    private void retryAfter(long delayNs, List<Waiting<C>> batch, String reason, boolean isUnknown) {
        for (Waiting<C> each : batch) {
            each.failure = reason;
        }
        retries.addLast(new RetryBatch<>(new ArrayList<>(batch), timers.nowNs() + delayNs, isUnknown));
        timers.after(delayNs, this::send);
        scheduleCheck();
    }

    private void refuse(C command, Failure failure) {
        try {
            carrier.refuse(command, failure);
        } catch (RuntimeException bug) {
            log.error("request could not be failed, operation {}", operation, bug);
        }
    }

    /** Refuses overdue requests, as long as requests wait. */
    private void scheduleCheck() {
        if (isCheckScheduled) {
            return;
        }
        isCheckScheduled = true;
        timers.after(Math.min(unavailableAfterNs, CHECK_EVERY_NS), () -> {
            isCheckScheduled = false;
            refuseOverdue();
            send();
            if (!waiting.isEmpty() || !retries.isEmpty()) {
                scheduleCheck();
            }
        });
    }

    private void refuseOverdue() {
        List<Waiting<C>> overdue = new ArrayList<>(0);
        removeOverdue(waiting, overdue);
        retries.removeIf(retry -> {
            removeOverdue(retry.requests(), overdue);
            return retry.requests().isEmpty();
        });
        for (Waiting<C> each : overdue) {
            refuse(each.command, new Failure.Unavailable(reasonOf(each)));
        }
    }

    private void removeOverdue(Collection<Waiting<C>> from, List<Waiting<C>> overdue) {
        from.removeIf(each -> isOverdue(each) && overdue.add(each));
    }

    /** Returns true if a request has waited too long. The limit is shorter while PostgreSQL is unavailable or fails. */
    private boolean isOverdue(Waiting<C> each) {
        boolean isUnreachable = !connections.isConnected() || connections.isStalled();
        if (isUnreachable && carrier.failsWhenUnreachable(each.command)) {
            return true;
        }
        long waitedNs = timers.nowNs() - each.sinceNs;
        boolean isFailing = each.failure != null || isUnreachable;
        return waitedNs >= (isFailing ? unavailableAfterNs : unavailableAfterNs + connections.callTimeoutNs());
    }

    private String reasonOf(Waiting<C> each) {
        if (connections.isStalled() || !connections.isConnected()) {
            return connections.unavailableReason() != null
                    ? connections.unavailableReason()
                    : "PostgreSQL cannot be reached";
        }
        return each.failure != null ? each.failure : "PostgreSQL is overloaded";
    }
}
