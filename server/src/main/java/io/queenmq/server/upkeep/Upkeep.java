package io.queenmq.server.upkeep;

import io.micrometer.core.instrument.MeterRegistry;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.connection.SqlFailure;
import io.queenmq.engine.time.Clock;
import io.queenmq.schema.Schema;
import io.queenmq.server.config.DatabaseConfig;
import io.queenmq.server.config.UpkeepConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the periodic jobs of upkeep while this server holds the lock of upkeep. The other servers wait for the lock, which ends
 * with its session. A pass of a job runs shard by shard on that one session; PostgreSQL forwards the calls to shards on other
 * nodes. Opened and closed by the server.
 */
public final class Upkeep implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Upkeep.class);

    /** The longest time without upkeep after the server that ran it has stopped. */
    private static final Duration LOCK_RETRY = Duration.ofSeconds(2);
    private static final Duration RECONNECT_AFTER = Duration.ofSeconds(1);
    /**
     * The delay of the first passes after a lost connection. Upkeep charges an attempt for an expired lease, so servers that were
     * disconnected, too, must first release the leases whose messages they could not deliver.
     */
    private static final Duration RELEASES_WITHIN = Duration.ofSeconds(5);
    private static final Duration STOP_WITHIN = Duration.ofSeconds(30);

    private final Vertx vertx;
    private final DatabaseConfig database;
    private final Schema.Installed installed;
    private final UpkeepMeters meters;
    private final List<UpkeepJob> jobs;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean isLeader;
    private volatile @Nullable UpkeepSession current;

    private Upkeep(Vertx vertx, DatabaseConfig database, Schema.Installed installed, UpkeepConfig config,
            PayloadCipher cipher, MeterRegistry registry) {
        this.vertx = vertx;
        this.database = database;
        this.installed = installed;
        this.meters = new UpkeepMeters(registry, () -> isLeader);
        this.jobs = new UpkeepJobs(installed.api(), config, cipher, meters, this::isStopping).all();
        this.thread = Thread.ofVirtual().name("queen-upkeep").unstarted(this::run);
    }

    /**
     * Returns at once; the first passes begin as soon as no other server runs upkeep.
     *
     * @param available completes when the schema is installed; upkeep opens no connection before that
     */
    public static Upkeep start(Vertx vertx, DatabaseConfig database, Schema.Installed installed, UpkeepConfig config,
            PayloadCipher cipher, MeterRegistry registry, Future<Void> available) {
        Upkeep upkeep = new Upkeep(vertx, database, installed, config, cipher, registry);
        available.onSuccess(_ -> upkeep.begin());
        return upkeep;
    }

    private synchronized void begin() {
        if (!isStopping()) {
            thread.start();
        }
    }

    /** Returns false if the thread never ran, and never will. */
    private synchronized boolean stop() {
        stopping.countDown();
        return thread.getState() != Thread.State.NEW;
    }

    /** Replaces the connection, because PostgreSQL may have moved to another host. Safe from any thread. */
    public void renew() {
        UpkeepSession now = current;
        if (now != null) {
            now.end();
        }
    }

    /** Waits until the transaction under way is over. */
    @Override
    public void close() {
        if (!stop()) {
            return;
        }
        try {
            if (!thread.join(STOP_WITHIN)) {
                log.warn("upkeep did not stop within {} s, closing its connection", STOP_WITHIN.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        boolean wasConnected = true;
        boolean hasLostConnection = false;
        while (!isStopping()) {
            boolean isConnected = false;
            try (UpkeepSession session = UpkeepSession.open(vertx, database, installed)) {
                current = session;
                isConnected = true;
                serve(session, hasLostConnection ? RELEASES_WITHIN : Duration.ZERO);
            } catch (Throwable e) {
                log.atLevel(UpkeepFailure.logLevel(isConnected, wasConnected))
                        .log("connection of upkeep lost, reconnecting: {}", SqlFailure.messageOf(e));
            } finally {
                isLeader = false;
            }
            wasConnected = isConnected;
            hasLostConnection = true;
            pause(RECONNECT_AFTER.toNanos());
        }
    }

    private void serve(UpkeepSession session, Duration delay) throws TimeoutException {
        while (!isStopping() && !session.tryLock()) {
            pause(LOCK_RETRY.toNanos());
        }
        isLeader = !isStopping();
        UpkeepSchedule schedule = new UpkeepSchedule(jobs, LOCK_RETRY, Clock.SYSTEM.nowNs() + delay.toNanos());
        while (!isStopping() && !session.isLost()) {
            for (UpkeepJob job : jobs) {
                if (schedule.isDue(job, Clock.SYSTEM.nowNs())) {
                    runOnce(job, session);
                    schedule.ended(job, Clock.SYSTEM.nowNs());
                }
            }
            pause(schedule.pauseNs(Clock.SYSTEM.nowNs()));
        }
        if (!isStopping()) {
            throw new TimeoutException("the session has ended");
        }
    }

    /**
     * Runs one pass through all shards. A pass that fails is not repeated before the next one is due, and delays no other
     * job.
     */
    private void runOnce(UpkeepJob job, UpkeepSession session) throws TimeoutException {
        long startNs = Clock.SYSTEM.nowNs();
        boolean isWell = true;
        for (String shard : job.shardsOf(installed.shards().names())) {
            isWell &= isStopping() || isDone(job, shard, session);
        }
        if (isWell) {
            meters.ran(job, Clock.SYSTEM.nowNs() - startNs);
        } else {
            meters.failed(job);
        }
    }

    /** Runs the job in one shard. A failure there does not prevent the run in the other shards, unless the session has ended. */
    private boolean isDone(UpkeepJob job, String shard, UpkeepSession session) throws TimeoutException {
        try {
            session.selectShard(shard);
            job.work().run(session);
            return true;
        } catch (Throwable e) {
            switch (UpkeepFailure.of(e)) {
                case SHARD -> log.warn("upkeep job {} failed in {}: {}", job.name(), shard, SqlFailure.messageOf(e));
                case DEFECT -> log.error("upkeep job {} failed in {}", job.name(), shard, e);
                case SESSION -> {
                    meters.failed(job);
                    throw e;
                }
            }
            return false;
        }
    }

    private boolean isStopping() {
        return stopping.getCount() == 0;
    }

    private void pause(long ns) {
        try {
            stopping.await(Math.max(0, ns), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
