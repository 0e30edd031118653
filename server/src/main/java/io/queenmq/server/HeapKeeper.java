package io.queenmq.server;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.time.Duration;
import javax.management.NotificationEmitter;

/**
 * Keeps a server's heap near what is alive in it. The serial collector rather takes more memory than it collects its old
 * generation, until all that {@code -Xmx} allows is taken, and that is meant for bodies of 64 MiB. Such a collection stops
 * the server for some 50 ms, so it waits for a moment in which nobody notices, as long as there is room. Installed by
 * {@link Main}, once.
 */
final class HeapKeeper {
    private static final long MIB = 1024 * 1024;

    /** Garbage that is worth a collection when there is nothing else to do. */
    private static final long GARBAGE_BYTES = 48 * MIB;

    /** Large enough that collections stay rare at 200,000 messages a second, small enough for a server of 350 MB. */
    private static final long GARBAGE_MAX_BYTES = 80 * MIB;

    /** A tenth of a core at most in this time is quiet. */
    private static final Duration MOMENT = Duration.ofMillis(100);
    private static final long QUIET_CPU_NS = MOMENT.toNanos() / 10;

    private final MemoryPoolMXBean old;
    private final OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private HeapKeeper(MemoryPoolMXBean old) {
        this.old = old;
    }

    /** Other collectors have ways of their own and are left alone. */
    static void install() {
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getType() == MemoryType.HEAP && pool.getName().equals("Tenured Gen")) {
                HeapKeeper keeper = new HeapKeeper(pool);
                ((NotificationEmitter) ManagementFactory.getMemoryMXBean()).addNotificationListener(
                        (_, _) -> Thread.ofPlatform().daemon().name("queen-heap").start(keeper::collect), null, null);
                keeper.watch();
            }
        }
    }

    private void collect() {
        try {
            while (old.getUsage().getUsed() < withGarbage(GARBAGE_MAX_BYTES) && !isQuiet()) {
                continue;
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        System.gc();
        watch();
    }

    private boolean isQuiet() throws InterruptedException {
        long before = process.getProcessCpuTime();
        Thread.sleep(MOMENT);
        return process.getProcessCpuTime() - before <= QUIET_CPU_NS;
    }

    private void watch() {
        old.setUsageThreshold(withGarbage(GARBAGE_BYTES));
    }

    /** Where there is no room for that much garbage, the collector will come by itself. */
    private long withGarbage(long bytes) {
        return Math.min(old.getCollectionUsage().getUsed() + bytes, old.getUsage().getMax());
    }
}
