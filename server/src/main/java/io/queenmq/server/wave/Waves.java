package io.queenmq.server.wave;

import io.queenmq.server.config.EngineConfig;
import io.queenmq.server.postgres.Link;
import io.queenmq.server.postgres.Links;
import io.queenmq.server.postgres.SqlFailure;
import io.queenmq.server.reply.Failure;
import io.queenmq.server.time.Timers;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests of one operation on their way to PostgreSQL. While a connection is free, what waits goes at once; while
 * all are busy, requests gather, and the next call takes them together: batches grow with the load and no request waits
 * for company. One request's failure is its own: a wave that is refused is halved until the culprit stands alone, and a
 * wave whose connection is lost is carried again, because every routine may be repeated.
 * Owned by the engine loop.
 */
public final class Waves<C> {
    private static final Logger log = LoggerFactory.getLogger(Waves.class);
    private static final int TRANSIENT_RETRIES = 5;

    /** Fewer clients than this that may come back are not worth waiting for. */
    private static final int COMPANY_MIN = 8;

    /** So many are enough: more would be worked on while PostgreSQL has nothing to do. */
    private static final int COMPANY_MAX = 100;
    private static final long COMPANY_WAIT_NS = 1_000_000;

    private final Operation operation;
    private final Links links;
    private final Timers timers;
    private final Carrier<C> carrier;
    private final WaveMeters meters;
    private final int sizeMax;
    private final int inFlightMax;
    private final int waitingMax;
    private final long lingerNs;
    private final long unavailableAfterNs;
    private final ArrayDeque<Waiting<C>> waiting = new ArrayDeque<>();
    private int inFlight;
    private int expected;
    private int wanted;
    private Timers.Alarm linger;
    private boolean isWatching;

    public Waves(Operation operation, Links links, Timers timers, EngineConfig config, WaveMeters meters,
            Carrier<C> carrier) {
        this.operation = operation;
        this.links = links;
        this.timers = timers;
        this.carrier = carrier;
        this.meters = meters;
        this.sizeMax = Math.min(config.requestsPerWaveMax(), operation.requestsMax());
        this.inFlightMax = config.callsInFlightMax();
        this.waitingMax = config.requestsWaitingMax();
        this.lingerNs = operation.isMerged() ? config.microBatchWait().toNanos() : 0;
        this.unavailableAfterNs = config.unavailableAfter().toNanos();
        links.addUser(this::send);
        meters.gauge(operation, "in.flight", () -> inFlight);
        meters.gauge(operation, "waiting", waiting::size);
    }

    /** Takes a command, or refuses it at once when too many are waiting already. */
    public void offer(C command) {
        assert timers.isOnLoop();
        if (waiting.size() >= waitingMax) {
            carrier.refuse(command, new Failure.Overloaded("too many requests are waiting for PostgreSQL"));
            return;
        }
        waiting.add(new Waiting<>(command, timers.nowNs()));
        if (lingerNs > 0 && linger == null) {
            linger(lingerNs, sizeMax);
        }
        send();
    }

    private void send() {
        while (!waiting.isEmpty() && inFlight < inFlightMax && !isWorthWaiting()) {
            Link link = links.tryTake();
            if (link == null) {
                watch();
                return;
            }
            carry(link, take(), 0);
        }
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
        List<Waiting<C>> wave = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            wave.add(waiting.poll());
        }
        return wave;
    }

    private void carry(Link link, List<Waiting<C>> wave, int attempt) {
        inFlight++;
        long startNs = timers.nowNs();
        carrierCall(link, wave).onComplete(done -> {
            inFlight--;
            meters.wave(operation, wave.size(), timers.nowNs() - startNs, done.failed());
            if (done.failed()) {
                onFailure(link, wave, attempt, done.cause());
            } else if (wave.size() >= COMPANY_MIN) {
                // Clients that were answered in one go mostly come back in one go, and one call for forty costs
                // PostgreSQL half of what two calls for twenty do: so the first of them wait a moment for the others.
                expected = Math.min((wave.size() + waiting.size()) * 3 / 4, Math.min(sizeMax, COMPANY_MAX));
            }
            links.giveBack(link);
            send();
        });
    }

    private Future<Void> carrierCall(Link link, List<Waiting<C>> wave) {
        List<C> commands = new ArrayList<>(wave.size());
        for (Waiting<C> each : wave) {
            commands.add(each.command);
        }
        try {
            return carrier.carry(link, commands);
        } catch (RuntimeException bug) {
            return Future.failedFuture(bug);
        }
    }

    private void onFailure(Link link, List<Waiting<C>> wave, int attempt, Throwable cause) {
        SqlFailure kind = SqlFailure.of(cause);
        log.debug("{} wave of {} failed: {} {}", operation, wave.size(), kind, cause.toString());
        if (cause instanceof RuntimeException && !(cause instanceof io.vertx.core.VertxException)) {
            log.error("{} wave of {} failed by a defect", operation, wave.size(), cause);
            kind = SqlFailure.REFUSED;
        }
        switch (kind) {
            case LOST -> putBack(wave);
            case TRANSIENT -> {
                if (attempt < TRANSIENT_RETRIES) {
                    retryApart(List.of(wave), attempt + 1);
                } else {
                    refuse(wave, new Failure.Unavailable(SqlFailure.messageOf(cause)));
                }
            }
            case LANE_MOVED, LEASE_GONE, OUTDATED, IMPOSSIBLE, REFUSED -> {
                if (wave.size() > 1) {
                    int half = wave.size() / 2;
                    retryApart(List.of(wave.subList(0, half), wave.subList(half, wave.size())), 0);
                } else {
                    refuse(wave, new Failure.Refused(SqlFailure.messageOf(cause)));
                }
            }
        }
    }

    /** Carries each part by itself, before anything that waits, as connections come free. */
    private void retryApart(List<List<Waiting<C>>> parts, int attempt) {
        for (List<Waiting<C>> part : parts) {
            Link link = links.tryTake();
            if (link == null) {
                timers.after(1_000_000, () -> retryApart(List.of(part), attempt));
            } else {
                carry(link, part, attempt);
            }
        }
    }

    private void putBack(List<Waiting<C>> wave) {
        for (int i = wave.size() - 1; i >= 0; i--) {
            waiting.addFirst(wave.get(i));
        }
        watch();
    }

    private void refuse(List<Waiting<C>> wave, Failure failure) {
        for (Waiting<C> each : wave) {
            carrier.refuse(each.command, failure);
        }
    }

    /**
     * As long as somebody waits: while PostgreSQL is away, those who have waited long enough are told so. Also while it
     * is there, because the connections are lost one after the other, and nobody says which was the last.
     */
    private void watch() {
        if (isWatching) {
            return;
        }
        isWatching = true;
        timers.after(Math.min(unavailableAfterNs, 100_000_000), () -> {
            isWatching = false;
            if (!links.isConnected()) {
                refuseOverdue();
            }
            if (!waiting.isEmpty()) {
                watch();
            }
        });
    }

    private void refuseOverdue() {
        long now = timers.nowNs();
        while (!waiting.isEmpty() && now - waiting.peek().sinceNs >= unavailableAfterNs) {
            carrier.refuse(waiting.poll().command, new Failure.Unavailable("PostgreSQL cannot be reached"));
        }
    }

    private record Waiting<C>(C command, long sinceNs) {}
}
