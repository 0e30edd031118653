package io.queenmq.engine.spool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** The disk of a simulated server, which outlives the server. */
public final class MemorySpool {
    private static final long BYTES_MAX = 1 << 20;

    private MemoryFolder waiting = new MemoryFolder();
    private MemoryFolder refused = new MemoryFolder();

    /** Opens the spool like a server that starts with this disk. */
    public SpoolResources open(Executor disk) {
        try {
            return new SpoolResources(SpoolStore.open(waiting, refused, BYTES_MAX, null), disk);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets the server crash before, during or after one of its next disk operations. */
    public void crashSoon(RandomGenerator random) {
        MemoryFolder.Fault[] crashes = {MemoryFolder.Fault.CRASH_BEFORE, MemoryFolder.Fault.CRASH_WITHIN,
            MemoryFolder.Fault.CRASH_AFTER};
        waiting.failAt(crashes[random.nextInt(crashes.length)], random.nextInt(6));
    }

    /** Makes all writes fail. */
    public void fail() {
        waiting.failAt(MemoryFolder.Fault.ERROR_WITHIN, 0, Integer.MAX_VALUE / 2);
    }

    /** Makes each write of more bytes fail, like a disk that is nearly full. */
    public void limit(int freeBytes) {
        waiting.limit(freeBytes);
    }

    public void heal() {
        waiting.heal();
    }

    /** Crashes the machine: bytes that were not flushed are lost in part. */
    public void crash(RandomGenerator random) {
        waiting = waiting.afterCrash(random);
        refused = refused.afterCrash(random);
    }

    /** Runs a task on the disk. Returns true if the server has not crashed. */
    public static boolean survives(Runnable work) {
        try {
            work.run();
            return true;
        } catch (MemoryFolder.Crash _) {
            return false;
        }
    }
}
