package io.queenmq.server.upkeep;

import io.micrometer.core.instrument.MeterRegistry;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.connection.SqlFailure;
import io.queenmq.engine.time.Clock;
import io.queenmq.schema.Schema;
import io.queenmq.server.config.DatabaseConfig;
import io.queenmq.server.config.UpkeepConfig;
import io.vertx.core.Vertx;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The upkeep room: does each job again and again, as long as this server is the one that may. The others wait for the
 * lock it holds, which ends with its session. A job is done shard by shard, on that one session: where shards are on several
 * nodes, PostgreSQL leads to them. Opened and closed by the server.
 */
public final class Upkeep implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Upkeep.class);

    /** How long the upkeep of all servers rests at most, when the one that did it is gone. */
    private static final Duration LOCK_RETRY = Duration.ofSeconds(2);
    private static final Duration RECONNECT_AFTER = Duration.ofSeconds(1);
    private static final Duration STOP_WITHIN = Duration.ofSeconds(30);

    private final Vertx vertx;
    private final DatabaseConfig database;
    private final Schema.Installed installed;
    private final UpkeepMeters meters;
    private final List<UpkeepJob> jobs;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean isLeader;
    private volatile UpkeepSession current;

    private Upkeep(Vertx vertx, DatabaseConfig database, Schema.Installed installed, UpkeepConfig config,
            PayloadCipher cipher, MeterRegistry registry) {
        this.vertx = vertx;
        this.database = database;
        this.installed = installed;
        this.meters = new UpkeepMeters(registry, () -> isLeader);
        this.jobs = new UpkeepJobs(installed.api(), config, cipher, meters, this::isStopping).all();
        this.thread = Thread.ofVirtual().name("queen-upkeep").unstarted(this::run);
    }

    /** Returns at once; the first passes begin as soon as no other server does upkeep. */
    public static Upkeep start(Vertx vertx, DatabaseConfig database, Schema.Installed installed, UpkeepConfig config,
            PayloadCipher cipher, MeterRegistry registry) {
        Upkeep upkeep = new Upkeep(vertx, database, installed, config, cipher, registry);
        upkeep.thread.start();
        return upkeep;
    }

    /** Replaces the connection: it may lead to a server that has been replaced. Safe from any thread. */
    public void renew() {
        UpkeepSession now = current;
        if (now != null) {
            now.end();
        }
    }

    /** Waits until the transaction under way is over. */
    @Override
    public void close() {
        stopping.countDown();
        try {
            if (!thread.join(STOP_WITHIN)) {
                log.warn("upkeep is still under way after {} s and is cut off", STOP_WITHIN.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        boolean wasConnected = true;
        while (!isStopping()) {
            boolean isConnected = false;
            try (UpkeepSession session = UpkeepSession.open(vertx, database, installed)) {
                current = session;
                isConnected = true;
                serve(session);
            } catch (Throwable e) {
                // Said once, however long PostgreSQL is away.
                log.atLevel(isConnected || wasConnected ? Level.WARN : Level.DEBUG)
                        .log("upkeep has lost PostgreSQL and tries again: {}", SqlFailure.messageOf(e));
            } finally {
                isLeader = false;
            }
            wasConnected = isConnected;
            pause(RECONNECT_AFTER.toNanos());
        }
    }

    private void serve(UpkeepSession session) throws TimeoutException {
        while (!isStopping() && !session.tryLock()) {
            pause(LOCK_RETRY.toNanos());
        }
        isLeader = !isStopping();
        Map<UpkeepJob, Long> dueNs = new HashMap<>();
        while (!isStopping() && !session.isLost()) {
            long nextNs = Long.MAX_VALUE;
            for (UpkeepJob job : jobs) {
                long nowNs = Clock.SYSTEM.nowNs();
                if (nowNs - dueNs.getOrDefault(job, nowNs) >= 0) {
                    runOnce(job, session);
                    dueNs.put(job, Clock.SYSTEM.nowNs() + job.interval().toNanos());
                }
                nextNs = Math.min(nextNs, dueNs.get(job) - Clock.SYSTEM.nowNs());
            }
            // No longer than that, so that a lost session is noticed while there is nothing to do.
            pause(Math.min(nextNs, LOCK_RETRY.toNanos()));
        }
        if (!isStopping()) {
            throw new TimeoutException("the session has ended");
        }
    }

    /** One pass through all shards. One that fails is not repeated before the next one is due, and holds up no other job. */
    private void runOnce(UpkeepJob job, UpkeepSession session) throws TimeoutException {
        long startNs = Clock.SYSTEM.nowNs();
        boolean isWell = true;
        List<String> shards = installed.shards().names();
        for (String shard : job.isPerShard() ? shards : shards.subList(0, 1)) {
            isWell &= isStopping() || isDone(job, shard, session);
        }
        if (isWell) {
            meters.ran(job, Clock.SYSTEM.nowNs() - startNs);
        } else {
            meters.failed(job);
        }
    }

    /** A shard in which it fails keeps no other from its turn, unless the session itself is gone. */
    private boolean isDone(UpkeepJob job, String shard, UpkeepSession session) throws TimeoutException {
        try {
            session.turnTo(shard);
            job.work().run(session);
            return true;
        } catch (PgException e) {
            // A node that is away is told like a connection that is lost; the session goes on, or the next call finds that it is over.
            log.warn("upkeep could not finish {} in {}: {}", job.name(), shard, SqlFailure.messageOf(e));
        } catch (TimeoutException | VertxException e) {
            meters.failed(job);
            throw e;
        } catch (Throwable defect) {
            log.error("upkeep could not finish {} in {}", job.name(), shard, defect);
        }
        return false;
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
