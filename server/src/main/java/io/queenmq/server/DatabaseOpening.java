package io.queenmq.server;

import io.queenmq.engine.time.Clock;
import io.queenmq.schema.Schema;
import io.queenmq.schema.SchemaException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the database of a server. If PostgreSQL is unavailable, the server starts with the expected shards, so that its spool accepts
 * pushes, and attempts to connect are repeated in the background.
 */
final class DatabaseOpening implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DatabaseOpening.class);
    private static final Duration PAUSE = Duration.ofMillis(500);
    /** Covers the start of a database that is started together with this server. */
    private static final Duration SLOW_WITHIN = Duration.ofSeconds(10);
    private static final Duration OWN_WITHIN = Duration.ofSeconds(60);

    private final DatabaseGate gate;
    private final ExpectedShards expected;
    private final CompletableFuture<String> storeLost;
    private final Promise<Void> available = Promise.promise();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Schema.Installed installed;

    /**
     * Attempts to connect: once, or for some seconds if PostgreSQL is slow or starting. Blocks.
     *
     * @param isOwn true if this server has started PostgreSQL itself, so that it is available
     * @param expected the shards of the last start
     * @param storeLost completes with the reason if the server must be restarted
     * @throws StartException if PostgreSQL rejects this server
     */
    DatabaseOpening(DatabaseGate gate, boolean isOwn, ExpectedShards expected, CompletableFuture<String> storeLost) {
        this.gate = gate;
        this.expected = expected;
        this.storeLost = storeLost;
        Schema.Installed found = firstAttempts(isOwn);
        if (found != null) {
            installed = found;
            expected.save(found);
            available.complete();
        } else {
            installed = expected.load();
            log.error("PostgreSQL at {} is unavailable, starting without it, retrying every {} ms: {}", gate.address(),
                    PAUSE.toMillis(), gate.reason());
            Thread.ofVirtual().name("queen-database").start(this::retry);
        }
    }

    /** Returns null if PostgreSQL is unavailable. */
    private Schema.@Nullable Installed firstAttempts(boolean isOwn) {
        long deadlineNs = Clock.SYSTEM.nowNs() + (isOwn ? OWN_WITHIN : SLOW_WITHIN).toNanos();
        Schema.Installed found = gate.tryOpen();
        while (found == null && (isOwn || gate.isSlow()) && Clock.SYSTEM.nowNs() - deadlineNs < 0) {
            try {
                Thread.sleep(PAUSE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StartException("interrupted while waiting for PostgreSQL", e);
            }
            found = gate.tryOpen();
        }
        return found;
    }

    /** Returns the installation in the database, or the expected one until {@link #available} completes. */
    Schema.Installed installed() {
        return installed;
    }

    /** Returns a future that completes when the schema is installed. */
    Future<Void> available() {
        return available.future();
    }

    private void retry() {
        try {
            while (!closing.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                Schema.Installed found = gate.tryOpen();
                if (found != null) {
                    opened(found);
                    return;
                }
            }
        } catch (StartException | SchemaException e) {
            storeLost.complete(String.valueOf(e.getMessage()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void opened(Schema.Installed found) {
        expected.save(found);
        if (found.equals(installed)) {
            available.complete();
        } else {
            storeLost.complete("the database has " + found.shards().count()
                    + " shards, but this server was started without " + "PostgreSQL and expected "
                    + installed.shards().count() + "; start it again. Spooled messages are kept.");
        }
    }

    @Override
    public void close() {
        closing.countDown();
    }
}
