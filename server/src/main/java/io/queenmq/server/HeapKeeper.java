package io.queenmq.server;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import javax.management.NotificationEmitter;

/**
 * Keeps a server's heap near what is alive in it. The serial collector rather takes more memory than it collects its old
 * generation, until all that {@code -Xmx} allows is taken, and that is meant for bodies of 64 MiB. Installed by
 * {@link Main}, once.
 */
final class HeapKeeper {
    /** Large enough that collections stay rare at 200,000 messages a second, small enough for a server of 350 MB. */
    private static final long GARBAGE_MAX_BYTES = 48L * 1024 * 1024;

    private final MemoryPoolMXBean old;

    private HeapKeeper(MemoryPoolMXBean old) {
        this.old = old;
    }

    /** Other collectors have ways of their own and are left alone. */
    static void install() {
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getType() == MemoryType.HEAP && pool.getName().equals("Tenured Gen")) {
                HeapKeeper keeper = new HeapKeeper(pool);
                ((NotificationEmitter) ManagementFactory.getMemoryMXBean())
                        .addNotificationListener((_, _) -> keeper.collect(), null, null);
                keeper.watch();
            }
        }
    }

    private void collect() {
        System.gc();
        watch();
    }

    private void watch() {
        long allowed = old.getCollectionUsage().getUsed() + GARBAGE_MAX_BYTES;
        // Where there is no room for that much garbage, the collector will come by itself.
        old.setUsageThreshold(Math.min(allowed, old.getUsage().getMax()));
    }
}
