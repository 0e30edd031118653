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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests of one operation on their way to PostgreSQL. While a connection is free, what waits goes at once; while
 * all are busy, requests gather, and the next call takes them together: batches grow with the load and no request waits
 * for company.
 *
 * <p>A request is in exactly one place: in line, in a part that goes apart, or in a call. So every one is settled or
 * refused once, and the rule that nobody waits too long sees them all. One request's failure is its own: a batch that
 * fails is halved until the culprit stands alone, and a batch whose connection is lost is carried again, because every
 * routine may be repeated. Owned by the engine loop.
 */
public final class Batches<C, A> {
    private static final Logger log = LoggerFactory.getLogger(Batches.class);

    /** Fewer clients than this that may come back are not worth waiting for. */
    private static final int COMPANY_MIN = 8;

    /** So many are enough: more would be worked on while PostgreSQL has nothing to do. */
    private static final int COMPANY_MAX = 100;
    private static final long COMPANY_WAIT_NS = 1_000_000;

    /** What one call sends at the most, unless a single request is larger. */
    private static final long BATCH_BYTES_MAX = 8 << 20;

    /** How long what failed by no fault of its own waits before it goes again. */
    private static final long RETRY_FIRST_NS = 1_000_000;
    private static final long RETRY_MAX_NS = 500_000_000;

    /** A batch that lost its connection this often may be what breaks connections: it is halved, too. */
    private static final int LOSSES_MAX = 3;

    /** Who lost that many calls, and has waited long enough, is told so instead of being carried again. */
    private static final int LOSSES_TOLD = 2;
    private static final long WATCH_EVERY_NS = 100_000_000;

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
    private final ArrayDeque<Part<C>> apart = new ArrayDeque<>();
    private int inFlight;
    private int apartInFlight;
    private int expected;
    private int wanted;
    private Timers.Alarm linger;
    private boolean isWatching;
    private boolean isUnable;

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
        meters.gauge(operation, "in.flight", "Calls of PostgreSQL under way, by operation.",
                () -> inFlight + apartInFlight);
        meters.gauge(operation, "waiting", "Requests that wait for a call of PostgreSQL, by operation.",
                () -> waiting.size() + apart.stream().mapToInt(part -> part.requests.size()).sum());
    }

    /** Takes a command, or refuses it at once when too many are waiting already. */
    public void offer(C command) {
        offer(command, timers.nowNs());
    }

    /** @param sinceNs when the oldest request behind the command came, which decides how long it may still wait */
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
        sendApart();
        while (!waiting.isEmpty() && inFlight < inFlightMax && !isWorthWaiting()) {
            Connection connection = connections.tryTake();
            if (connection == null) {
                watch();
                return;
            }
            inFlight++;
            carry(connection, take(), false);
        }
    }

    /** What failed before goes before all others, one part at a time, so that it holds up nobody else. */
    private void sendApart() {
        while (apartInFlight == 0) {
            Part<C> due = firstDue();
            Connection connection = due == null ? null : connections.tryTake();
            if (connection == null) {
                return;
            }
            apart.remove(due);
            apartInFlight++;
            carry(connection, due.requests, true);
        }
    }

    private Part<C> firstDue() {
        for (Part<C> part : apart) {
            if (part.dueNs - timers.nowNs() <= 0 && (!part.isUnknown || connections.isSettled())) {
                return part;
            }
        }
        return null;
    }

    /** Whether more are expected to come in a moment, so that they can go together. */
    private boolean isWorthWaiting() {
        if (linger == null && waiting.size() < expected) {
            linger(COMPANY_WAIT_NS, expected);
        }
        expected = 0;
        if (linger != null && waiting.size() >= wanted) {
            linger.cancel();
            linger = null;
        }
        return linger != null;
    }

    private void linger(long forNs, int until) {
        wanted = until;
        linger = timers.after(forNs, () -> {
            linger = null;
            send();
        });
    }

    private List<Waiting<C>> take() {
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

    private void carry(Connection connection, List<Waiting<C>> batch, boolean isApart) {
        long startNs = timers.nowNs();
        call(connection, batch).onComplete(done -> {
            if (isApart) {
                apartInFlight--;
            } else {
                inFlight--;
            }
            meters.batch(operation, batch.size(), timers.nowNs() - startNs, done.failed());
            try {
                if (done.succeeded()) {
                    if (isUnable) {
                        isUnable = false;
                        connections.able();
                    }
                    settle(batch, done.result());
                } else {
                    onFailure(batch, done.cause());
                }
            } finally {
                connections.giveBack(connection);
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
        if (batch.size() >= COMPANY_MIN) {
            // Clients that were answered in one go mostly come back in one go, and one call for forty costs
            // PostgreSQL half of what two calls for twenty do: so the first of them wait a moment for the others.
            expected = Math.min((batch.size() + waiting.size()) * 3 / 4, Math.min(sizeMax, COMPANY_MAX));
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
                // The others have answers of their own, and this one took effect: it must not be carried again.
                log.error("the answer to a {} could not be used", operation, bug);
                refuse(command, new Failure.Unavailable("this server could not use the answer of PostgreSQL"));
            }
        }
        if (!busy.isEmpty()) {
            retryLater(busy, "what was asked for is locked by another transaction of the database", false);
        }
    }

    private void onFailure(List<Waiting<C>> batch, Throwable cause) {
        SqlFailure kind = SqlFailure.of(cause);
        log.debug("{} batch of {} failed: {} {}", operation, batch.size(), kind, cause.toString());
        switch (kind) {
            case LOST -> onLost(batch, cause);
            case UNABLE -> onUnable(batch, SqlFailure.messageOf(cause));
            case SCHEMA_MISSING -> onUnable(batch, connections.schemaMissing(SqlFailure.messageOf(cause)));
            case TRANSIENT -> retryTransient(batch, SqlFailure.messageOf(cause));
            // What means something special to an operation has become an answer before it comes here.
            case PARTITION_MOVED, LEASE_GONE, OUTDATED, FULL, BUSY, IMPOSSIBLE, FORBIDDEN, REFUSED ->
                refuseCulprit(batch, new Failure.Refused(SqlFailure.messageOf(cause)));
            case DEFECT -> {
                log.error("{} batch of {} failed by a defect", operation, batch.size(), cause);
                // PostgreSQL may have done what it was asked, and this server could not read the answer.
                refuseCulprit(batch, new Failure.Unavailable("this server failed: " + cause));
            }
        }
    }

    private void onUnable(List<Waiting<C>> batch, String reason) {
        isUnable = true;
        connections.unable(reason);
        // It takes a person to help, so there is no use in asking often.
        retryAfter(RETRY_MAX_NS, batch, reason, false);
    }

    /** Halves several requests. One that ran into the statement timeout alone is refused: the same call would time out again. */
    private void retryTransient(List<Waiting<C>> batch, String reason) {
        if (batch.size() == 1 && timers.nowNs() - batch.getFirst().sinceNs < unavailableAfterNs) {
            retryLater(batch, reason, false);
        } else {
            refuseCulprit(batch, new Failure.Unavailable(reason));
        }
    }

    /** Nobody is refused for what another one did: several are halved first. */
    private void refuseCulprit(List<Waiting<C>> batch, Failure failure) {
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
            // A call that goes silent takes seconds: one more is worth the wait, but not one after the other.
            (each.losses >= LOSSES_TOLD && isOverdue(each) ? overdue : again).add(each);
        }
        // A lost call may still be executed. Its requests are repeated when it cannot be any more.
        if (isSuspect && again.size() > 1) {
            retryInHalves(again, true);
        } else if (isSuspect && !again.isEmpty()) {
            retryLater(again, SqlFailure.messageOf(cause), true);
        } else if (!again.isEmpty()) {
            apart.addFirst(new Part<>(again, timers.nowNs(), true));
            watch();
        }
        overdue.forEach(each -> refuse(each.command, new Failure.Unavailable(reasonOf(each))));
    }

    private void retryInHalves(List<Waiting<C>> batch, boolean isUnknown) {
        int half = batch.size() / 2;
        apart.addFirst(new Part<>(new ArrayList<>(batch.subList(half, batch.size())), timers.nowNs(), isUnknown));
        apart.addFirst(new Part<>(new ArrayList<>(batch.subList(0, half)), timers.nowNs(), isUnknown));
        watch();
    }

    /** What failed by no fault of its own goes again after a while; it is told so when it has waited long enough. */
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
        apart.addLast(new Part<>(new ArrayList<>(batch), timers.nowNs() + delayNs, isUnknown));
        timers.after(delayNs, this::send);
        watch();
    }

    private void refuse(C command, Failure failure) {
        try {
            carrier.refuse(command, failure);
        } catch (RuntimeException bug) {
            log.error("a {} could not be refused", operation, bug);
        }
    }

    /** As long as somebody waits, those who have waited long enough are told so. */
    private void watch() {
        if (isWatching) {
            return;
        }
        isWatching = true;
        timers.after(Math.min(unavailableAfterNs, WATCH_EVERY_NS), () -> {
            isWatching = false;
            refuseOverdue();
            send();
            if (!waiting.isEmpty() || !apart.isEmpty()) {
                watch();
            }
        });
    }

    private void refuseOverdue() {
        List<Waiting<C>> overdue = new ArrayList<>(0);
        takeOverdue(waiting, overdue);
        apart.removeIf(part -> {
            takeOverdue(part.requests, overdue);
            return part.requests.isEmpty();
        });
        for (Waiting<C> each : overdue) {
            refuse(each.command, new Failure.Unavailable(reasonOf(each)));
        }
    }

    private void takeOverdue(Collection<Waiting<C>> from, List<Waiting<C>> overdue) {
        from.removeIf(each -> isOverdue(each) && overdue.add(each));
    }

    /**
     * While PostgreSQL is away or fails, nobody waits for long. While it only has much to do, people wait longer, but not
     * for ever.
     */
    private boolean isOverdue(Waiting<C> each) {
        boolean isAway = !connections.isConnected() || connections.isStalled();
        if (isAway && carrier.failsWhenUnreachable(each.command)) {
            return true;
        }
        long waitedNs = timers.nowNs() - each.sinceNs;
        boolean isInTrouble = each.failure != null || isAway;
        return waitedNs >= (isInTrouble ? unavailableAfterNs : unavailableAfterNs + connections.answerWithinNs());
    }

    private String reasonOf(Waiting<C> each) {
        if (connections.isStalled() || !connections.isConnected()) {
            return connections.complaint() != null ? connections.complaint() : "PostgreSQL cannot be reached";
        }
        return each.failure != null ? each.failure : "PostgreSQL has too much to do";
    }

    /**
     * Requests of a failed call. They are sent together and without others, not before their time.
     *
     * @param isUnknown whether the outcome of the call is unknown: then they are sent when it cannot be executed any more
     */
    private record Part<C>(List<Waiting<C>> requests, long dueNs, boolean isUnknown) {}
}
