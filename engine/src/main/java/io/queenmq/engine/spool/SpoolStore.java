package io.queenmq.engine.spool;

import io.queenmq.engine.config.SpoolConfig;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of one spool: what waits, and what was refused. Opened before the engine starts, which has to know what waits
 * before it takes anything new; then owned by the thread that works for the {@link SpoolWriter}. A store that cannot be used says why.
 */
public final class SpoolStore implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SpoolStore.class);
    private static final long FILE_BYTES_MIN = 64 << 10;
    private static final long FILE_BYTES_MAX = 4 << 20;

    private final String error;
    private final long bytesMax;
    private final FileChannel lock;
    private final PartitionCounts partitions = new PartitionCounts();
    private SpoolLog waiting;
    private SpoolLog refused;
    private long oldestMicros = Long.MAX_VALUE;

    private SpoolStore(String error, long bytesMax, FileChannel lock) {
        this.error = error;
        this.bytesMax = bytesMax;
        this.lock = lock;
    }

    /** Opens the folder and finds out what waits in it. Blocks; never fails. */
    public static SpoolStore open(SpoolConfig config) {
        Path path = config.folder().toAbsolutePath().normalize();
        FileChannel lock = null;
        try {
            PrivateFiles.createFolder(path);
            lock = PrivateFiles.open(path.resolve("lock"),
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE));
            if (!isLocked(lock)) {
                lock.close();
                return unusable(
                        path + " is in use by another Queen server; give this one a folder of its own with SPOOL_DIR",
                        config);
            }
            return open(new DiskFolder(path.resolve("waiting")), new DiskFolder(path.resolve("refused")),
                    config.bytesMax(), lock);
        } catch (IOException e) {
            close(lock);
            return unusable(path + " cannot be used: " + e, config);
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException _) {
            return false; // by a server in this very process
        }
    }

    private static SpoolStore unusable(String error, SpoolConfig config) {
        log.error("the spool cannot be used, pushes are answered 503 while PostgreSQL is away: {}", error);
        return new SpoolStore(error, config.bytesMax(), null);
    }

    /** @param lock what is closed with the store; null for nothing */
    static SpoolStore open(Folder waiting, Folder refused, long bytesMax, FileChannel lock) throws IOException {
        SpoolStore store = new SpoolStore(null, bytesMax, lock);
        long fileBytes = Math.clamp(bytesMax / 16, FILE_BYTES_MIN, FILE_BYTES_MAX);
        store.waiting = SpoolLog.open(waiting, fileBytes, entry -> {
            store.partitions.add(entry.queue(), entry.partition());
            store.oldestMicros = Math.min(store.oldestMicros, entry.acceptedAtMicros());
        });
        store.refused = SpoolLog.open(refused, fileBytes, _ -> {});
        if (store.waiting.openCount() > 0) {
            log.info("{} messages wait in the spool to be stored", store.waiting.openCount());
        }
        return store;
    }

    /** Why it cannot be used; null when it can. */
    String error() {
        return error;
    }

    long bytesMax() {
        return bytesMax;
    }

    /** How much of each partition waited when it was opened. */
    PartitionCounts partitions() {
        return partitions;
    }

    long oldestMicros() {
        return oldestMicros;
    }

    SpoolLog waiting() {
        return waiting;
    }

    SpoolLog refused() {
        return refused;
    }

    /** Nobody works on it any more. */
    @Override
    public void close() {
        if (waiting != null) {
            waiting.close();
            refused.close();
        }
        close(lock);
    }

    private static void close(FileChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            log.warn("the lock of the spool did not close cleanly: {}", e.getMessage());
        }
    }
}
