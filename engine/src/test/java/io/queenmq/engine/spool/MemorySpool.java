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

    /** What a server finds that starts on this disk. */
    public SpoolPlace open(Executor disk) {
        try {
            return new SpoolPlace(SpoolStore.open(waiting, refused, BYTES_MAX, null), disk);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The server crashes before, within or after one of the next steps it does on its disk. */
    public void crashSoon(RandomGenerator random) {
        MemoryFolder.Trouble[] crashes = {MemoryFolder.Trouble.CRASH_BEFORE, MemoryFolder.Trouble.CRASH_WITHIN,
            MemoryFolder.Trouble.CRASH_AFTER};
        waiting.trouble(crashes[random.nextInt(crashes.length)], random.nextInt(6));
    }

    /** Nothing can be written to it any more. */
    public void fail() {
        waiting.trouble(MemoryFolder.Trouble.ERROR_WITHIN, 0, Integer.MAX_VALUE / 2);
    }

    public void heal() {
        waiting.heal();
    }

    /** The machine crashes: what was not flushed is lost in part. */
    public void crash(RandomGenerator random) {
        waiting = waiting.afterCrash(random);
        refused = refused.afterCrash(random);
    }

    /** Runs work on the disk; answers whether the server is still there afterwards. */
    public static boolean survives(Runnable work) {
        try {
            work.run();
            return true;
        } catch (MemoryFolder.Crash _) {
            return false;
        }
    }
}
