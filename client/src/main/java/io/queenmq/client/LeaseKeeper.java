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
 * Renews the lease of a batch as long as somebody holds on to it. How long the first lease is only the server knows, so it
 * is renewed early once; from then on its end is known. Safe from any thread.
 */
final class LeaseKeeper {
    private static final Logger log = LoggerFactory.getLogger(LeaseKeeper.class);
    private static final Duration FIRST_RENEWAL = Duration.ofSeconds(1);

    private final Context context;
    private final Lease lease;
    private final Duration length;
    private final Runnable onLost;
    private final AtomicInteger holders = new AtomicInteger(1);
    private volatile @Nullable Future<?> next;
    private volatile boolean isStopped;
    private volatile boolean isEndKnown;
    private volatile long endNs;

    /** @param onLost called once, from a thread that may block */
    LeaseKeeper(Context context, Lease lease, Duration length, Runnable onLost) {
        this.context = context;
        this.lease = lease;
        this.length = length;
        this.onLost = onLost;
        Duration third = length.dividedBy(3);
        schedule(third.compareTo(FIRST_RENEWAL) < 0 ? third : FIRST_RENEWAL);
    }

    /** One more who needs the lease. */
    void hold() {
        holders.incrementAndGet();
    }

    /** One less; the last one ends the renewing. */
    void letGo() {
        if (holders.decrementAndGet() == 0) {
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
            log.debug("the client was closed while a lease was held");
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
            log.debug("cannot renew a lease: {}", e.getMessage());
        }
        if (isRenewed) {
            // Counted from before the request, so that it ends here no later than there.
            endNs = sentNs + length.toNanos();
            isEndKnown = true;
        } else if (isEndKnown && System.nanoTime() - endNs >= 0) {
            lease.lose();
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
