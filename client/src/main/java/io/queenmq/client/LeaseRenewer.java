package io.queenmq.client;

import io.queenmq.client.error.QueenException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the lease of a batch while it is in use. The duration of the first lease is known only to the server, so the
 * first renewal is early; after that the end is known. Thread-safe.
 */
final class LeaseRenewer {
    private static final Logger log = LoggerFactory.getLogger(LeaseRenewer.class);
    private static final Duration FIRST_RENEWAL = Duration.ofSeconds(1);

    private final Context context;
    private final Lease lease;
    private final Duration length;
    private final Runnable onLost;
    private final AtomicInteger users = new AtomicInteger(1);
    private volatile @Nullable Future<?> next;
    private volatile boolean isStopped;
    private volatile boolean isEndKnown;
    private volatile long endNs;

    /** @param onLost called once, on a thread that may block */
    LeaseRenewer(Context context, Lease lease, Duration length, Runnable onLost) {
        this.context = context;
        this.lease = lease;
        this.length = length;
        this.onLost = onLost;
        Duration third = length.dividedBy(3);
        schedule(third.compareTo(FIRST_RENEWAL) < 0 ? third : FIRST_RENEWAL);
    }

    /** Adds a user of the lease. */
    void retain() {
        users.incrementAndGet();
    }

    /** Removes a user of the lease. The renewals stop with the last one. */
    void release() {
        if (users.decrementAndGet() == 0) {
            isStopped = true;
            Future<?> pending = next;
            if (pending != null) {
                pending.cancel(false);
            }
        }
    }

    private void schedule(Duration delay) {
        try {
            next = context.timer().schedule(() -> context.threads().execute(this::renew), delay.toNanos(),
                    TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            log.debug("client closed while a lease was active");
        }
    }

    private void renew() {
        if (isStopped) {
            return;
        }
        long sentNs = System.nanoTime();
        boolean isRenewed = false;
        try {
            isRenewed = lease.renew(context.wire(), length, length.dividedBy(3));
        } catch (QueenException | IllegalStateException e) {
            log.debug("lease renewal failed: {}", e.getMessage());
        }
        if (isRenewed) {
            // Counted from before the request, so that the lease ends here no later than at the server.
            endNs = sentNs + length.toNanos();
            isEndKnown = true;
        } else if (isEndKnown && System.nanoTime() - endNs >= 0) {
            lease.markLost();
        }
        if (isStopped) {
            return;
        }
        if (lease.isLost()) {
            onLost.run();
        } else {
            schedule(isRenewed ? length.dividedBy(3) : FIRST_RENEWAL);
        }
    }
}
