package io.queenmq.server.auth;

import io.queenmq.engine.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads revoked tokens from the store every second, records rejected operator actions in it, and writes the rejection log,
 * on a thread of its own. While the store cannot be reached, the revocations loaded before stay in force.
 */
final class AuthUpdates implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(AuthUpdates.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration STOP_WITHIN = Duration.ofSeconds(5);
    private static final long UNKNOWN = -1;

    private final AuthStore store;
    private final Rejections rejections;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final CompletableFuture<Void> firstLoad = new CompletableFuture<>();
    private final Thread thread;
    private volatile @Nullable Revocations revocations;
    private volatile long revision;
    private volatile boolean isOutdated;
    private boolean isFailing;

    AuthUpdates(AuthStore store, Rejections rejections) {
        this.store = store;
        this.rejections = rejections;
        this.thread = Thread.ofVirtual().name("queen-auth").start(this::run);
    }

    /** Completes when the revocations were loaded once. */
    CompletableFuture<Void> firstLoad() {
        return firstLoad;
    }

    /** Returns null until they were loaded once. Safe from any thread. */
    @Nullable
    Revocations revocations() {
        return revocations;
    }

    /** Changes whenever the revocations have changed, and after that. Safe from any thread. */
    long revision() {
        return revision;
    }

    /** Loads everything again: the database has another history. Safe from any thread. */
    void renew() {
        isOutdated = true;
        store.renew();
    }

    private void run() {
        while (!isStopping()) {
            update();
            rejections.log().write(Clock.SYSTEM.nowNs());
            pause();
        }
    }

    /** Logs the first failure of an outage. Never throws, because that would end the updates. */
    private void update() {
        try {
            load();
            record();
            isFailing = false;
        } catch (Throwable e) {
            if (!isFailing && !isStopping()) {
                log.warn("revoked tokens cannot be loaded or rejected actions recorded, retrying every {} s: {}",
                        EVERY.toSeconds(), e.toString());
            }
            isFailing = true;
        }
    }

    private void load() throws Exception {
        Revocations known = isOutdated ? null : revocations;
        isOutdated = false;
        try {
            Revocations loaded = store.revocations(known == null ? UNKNOWN : known.version());
            if (loaded != null) {
                revocations = loaded;
                // Not before: a token verified with the earlier revocations must not be cached as of this revision.
                revision = revision + 1;
                firstLoad.complete(null);
            }
        } catch (Exception e) {
            isOutdated = known == null && revocations != null;
            throw e;
        }
    }

    private void record() throws Exception {
        List<RejectedAction> due = rejections.actions().due(Clock.SYSTEM.nowNs());
        if (!due.isEmpty()) {
            store.record(due);
            rejections.actions().recorded(due, Clock.SYSTEM.nowNs());
        }
    }

    private boolean isStopping() {
        return stopping.getCount() == 0;
    }

    private void pause() {
        try {
            stopping.await(EVERY.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        stopping.countDown();
        try {
            thread.join(STOP_WITHIN);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        store.close();
    }
}
