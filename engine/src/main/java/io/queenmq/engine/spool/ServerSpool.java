package io.queenmq.engine.spool;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.command.RefusedFilter;
import io.queenmq.engine.command.RefusedMessage;
import io.queenmq.engine.push.Pushes;
import io.queenmq.engine.push.SpoolGateway;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.time.Timers;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The spool of a server. It may be switched off, or unusable because of its folder. Owned by the engine loop.
 */
public final class ServerSpool {
    private static final long OBSERVE_NS = 200_000_000;

    private final @Nullable Spool spool;
    private final SpoolStatus without;
    private final OutageLog outages = new OutageLog();
    private final Timers timers;
    private final ShardAvailability availability;

    private ServerSpool(@Nullable Spool spool, SpoolStatus without, Timers timers, ShardAvailability availability) {
        this.spool = spool;
        this.without = without;
        this.timers = timers;
        this.availability = availability;
    }

    /**
     * @param loop runs a task on the engine loop
     * @param availability the availability of the shards
     */
    public static ServerSpool open(SpoolResources resources, Catalog catalog, PayloadCipher cipher, Timers timers,
            Executor loop, ShardAvailability availability) {
        SpoolStore files = resources.files();
        if (files == null) {
            return new ServerSpool(null, SpoolStatus.OFF, timers, availability);
        }
        if (files.error() != null) {
            return new ServerSpool(null,
                    new SpoolStatus(SpoolStatus.State.BROKEN, files.error(), 0, 0, files.bytesMax(), 0, 0, 0, 0, 0),
                    timers, availability);
        }
        return new ServerSpool(new Spool(files, catalog, cipher, timers, resources.disk(), loop, availability),
                SpoolStatus.OFF, timers, availability);
    }

    public SpoolGateway gateway() {
        return spool == null ? SpoolGateway.NONE : spool;
    }

    /** Starts to store spooled messages through the module push, whenever PostgreSQL is available. */
    public void drainInto(Pushes pushes) {
        if (spool != null) {
            spool.drainInto(pushes);
        }
        timers.every(OBSERVE_NS, this::observeOutage);
    }

    private void observeOutage() {
        outages.observe(availability.isAnyConnected(), status(), spool == null ? 0 : spool.accepted(), timers.nowNs());
    }

    /** Returns the state of the spool. Safe from any thread. */
    public SpoolStatus status() {
        return spool == null ? without : spool.status();
    }

    public void listRefused(RefusedFilter filter, int max, Reply<List<RefusedMessage>> reply) {
        if (spool == null) {
            reply.succeed(List.of());
        } else {
            spool.refused().list(filter, max, reply);
        }
    }

    public void restoreRefused(RefusedFilter filter, Reply<Integer> reply) {
        if (spool == null) {
            reply.fail(unavailable());
        } else {
            spool.refused().restore(filter, reply);
        }
    }

    public void dropRefused(RefusedFilter filter, Reply<Integer> reply) {
        if (spool == null) {
            reply.fail(unavailable());
        } else {
            spool.refused().drop(filter, reply);
        }
    }

    private Failure unavailable() {
        return new Failure.Unavailable(Objects.requireNonNullElse(without.error(), "the spool is switched off"));
    }

    /** Registers the meters of the spool. Names with file.buffer are those of Queen 0.15. */
    public void register(MeterRegistry meters) {
        gauge(meters, "queen.file.buffer.pending", "Messages in the spool of this server.", () -> status().pending());
        gauge(meters, "queen.file.buffer.failed",
                "Messages of the spool that PostgreSQL refused, kept for an operator.", () -> status().refused());
        gauge(meters, "queen.file.buffer.db.healthy", "1 while PostgreSQL is available.",
                () -> availability.isAllConnected() ? 1 : 0);
        gauge(meters, "queen.spool.healthy", "1 while the spool accepts messages, or is switched off.",
                () -> status().isHealthy() ? 1 : 0);
        gauge(meters, "queen.spool.bytes", "Bytes of the spool on disk.", () -> status().bytes());
        gauge(meters, "queen.spool.bytes.max", "Maximum bytes of the spool on disk.", () -> status().bytesMax());
        gauge(meters, "queen.spool.damaged", "Damaged parts of the spool that were saved in files.",
                () -> status().damaged());
        gauge(meters, "queen.spool.oldest.seconds", "Age of the oldest message of the spool.", this::oldestSeconds);
        if (spool != null) {
            FunctionCounter.builder("queen.spool.accepted", spool, Spool::accepted)
                    .description("Messages that the spool accepted.").register(meters);
            FunctionCounter.builder("queen.spool.drained", spool, Spool::drained)
                    .description("Messages of the spool that were stored.").register(meters);
        }
    }

    /** Returns the age of the oldest message of the spool in seconds; 0 if it is empty. */
    public double oldestSeconds() {
        long oldestMicros = status().oldestMicros();
        return oldestMicros == 0 ? 0 : Math.max(0, timers.epochMicros() - oldestMicros) / 1e6;
    }

    private static void gauge(MeterRegistry meters, String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).register(meters);
    }
}
