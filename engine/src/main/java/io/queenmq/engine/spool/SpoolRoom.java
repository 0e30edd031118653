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
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * The spool of a server, also of one that has none because it is switched off or its folder cannot be used. Owned by the
 * engine loop.
 */
public final class SpoolRoom {
    private final Spool spool;
    private final SpoolStatus without;
    private final Timers timers;
    private final Reach reach;

    private SpoolRoom(Spool spool, SpoolStatus without, Timers timers, Reach reach) {
        this.spool = spool;
        this.without = without;
        this.timers = timers;
        this.reach = reach;
    }

    /**
     * @param loop brings a task to the engine loop
     * @param reach which partitions can be stored to
     */
    public static SpoolRoom open(SpoolPlace place, Catalog catalog, PayloadCipher cipher, Timers timers, Executor loop,
            Reach reach) {
        if (place.files() == null) {
            return new SpoolRoom(null, SpoolStatus.OFF, timers, reach);
        }
        if (place.files().error() != null) {
            return new SpoolRoom(null, new SpoolStatus(SpoolStatus.State.BROKEN, place.files().error(), 0, 0,
                    place.files().bytesMax(), 0, 0, 0, 0, 0), timers, reach);
        }
        return new SpoolRoom(new Spool(place.files(), catalog, cipher, timers, place.disk(), loop, reach),
                null, timers, reach);
    }

    public SpoolGateway gateway() {
        return spool == null ? SpoolGateway.NONE : spool;
    }

    /** From now on what waits is stored through the push room, whenever PostgreSQL can be reached. */
    public void drainInto(Pushes pushes) {
        if (spool != null) {
            spool.drainInto(pushes);
        }
    }

    /** Safe from any thread. */
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

    public void putBackRefused(RefusedFilter filter, Reply<Integer> reply) {
        if (isThere(reply)) {
            spool.refused().putBack(filter, reply);
        }
    }

    public void dropRefused(RefusedFilter filter, Reply<Integer> reply) {
        if (isThere(reply)) {
            spool.refused().drop(filter, reply);
        }
    }

    private boolean isThere(Reply<?> reply) {
        if (spool == null) {
            reply.fail(
                    new Failure.Unavailable(without.error() == null ? "the spool is switched off" : without.error()));
        }
        return spool != null;
    }

    /** Shows it to Prometheus, under the names of Queen 0.15 and some of its own. */
    public void register(MeterRegistry meters) {
        gauge(meters, "queen.file.buffer.pending", "Messages in the spool of this server.", () -> status().pending());
        gauge(meters, "queen.file.buffer.failed",
                "Messages of the spool that PostgreSQL refused and that wait for an operator.",
                () -> status().refused());
        gauge(meters, "queen.file.buffer.db.healthy", "1 while PostgreSQL can be reached.",
                () -> reach.isAllConnected() ? 1 : 0);
        gauge(meters, "queen.spool.healthy", "1 while the spool can take messages, or need not.",
                () -> status().isHealthy() ? 1 : 0);
        gauge(meters, "queen.spool.bytes", "Bytes of the spool on disk.", () -> status().bytes());
        gauge(meters, "queen.spool.bytes.max", "Bytes that the spool may have on disk.", () -> status().bytesMax());
        gauge(meters, "queen.spool.damaged", "Damaged pieces of the spool that were kept aside.",
                () -> status().damaged());
        gauge(meters, "queen.spool.oldest.seconds", "How long the oldest message of the spool has waited.",
                this::oldestSeconds);
        if (spool != null) {
            FunctionCounter.builder("queen.spool.accepted", spool, Spool::accepted)
                    .description("Messages that the spool took.").register(meters);
            FunctionCounter.builder("queen.spool.drained", spool, Spool::drained)
                    .description("Messages of the spool that were stored.").register(meters);
        }
    }

    private double oldestSeconds() {
        long oldestMicros = status().oldestMicros();
        return oldestMicros == 0 ? 0 : Math.max(0, timers.epochMicros() - oldestMicros) / 1e6;
    }

    private static void gauge(MeterRegistry meters, String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).register(meters);
    }
}
