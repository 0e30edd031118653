package io.queenmq.server.auth;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.queenmq.engine.time.Clock;
import io.queenmq.server.config.AuthConfig.FailureLimits;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Counts, logs, limits and records rejected requests. Safe from any thread. */
public final class Rejections {
    private final FailureLimit limit;
    private final RejectionLog log = new RejectionLog();
    private final RejectedActions actions = new RejectedActions();
    private final Map<Rejection, Counter> counters;

    Rejections(FailureLimits limits, MeterRegistry registry) {
        this.limit = new FailureLimit(limits, Clock.SYSTEM::nowNs);
        this.counters = register(registry);
    }

    /** Registers a counter for each reason. A server without tokens does that, too, so that rules find the series. */
    public static Map<Rejection, Counter> register(MeterRegistry registry) {
        Map<Rejection, Counter> counters = new EnumMap<>(Rejection.class);
        for (Rejection reason : Rejection.values()) {
            counters.put(reason,
                    Counter.builder("queen.auth.rejected")
                            .description("Requests rejected by authentication or for missing rights, by reason.")
                            .tag("reason", reason.label()).register(registry));
        }
        return counters;
    }

    /** Returns the seconds for which tokens of the address are rejected unverified; 0 if this token is to be verified. */
    public long blockedSeconds(String address, String token) {
        return Math.ceilDiv(limit.blockedNs(address, token), TimeUnit.SECONDS.toNanos(1));
    }

    /** Called with each token that was verified and accepted. */
    public void accepted(String token) {
        limit.accepted(token);
    }

    /**
     * Counts and logs a rejected request.
     *
     * @param token null if the request has none, or a genuine one
     */
    public void rejected(Rejection reason, String address, @Nullable String token) {
        Objects.requireNonNull(counters.get(reason)).increment();
        log.add(reason, address);
        if (reason.isFailure() && token != null) {
            limit.failed(address, token);
        }
    }

    /**
     * Records a rejected request for an operator action in the audit log, within a bound.
     *
     * @param actor the subject of a genuine token; null if there is none
     * @param action the method and the path of the route
     */
    public void rejectedAction(Rejection reason, String address, @Nullable String actor, String action, String path) {
        actions.add(actor, address, action, reason, path);
    }

    RejectionLog log() {
        return log;
    }

    RejectedActions actions() {
        return actions;
    }
}
