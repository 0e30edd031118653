package io.queenmq.engine.spool;

import io.queenmq.engine.config.SpoolConfig;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of one spool: pending entries and refused messages. Must be opened before the engine starts, because the
 * engine needs the pending entries before it accepts new messages. Then it is owned by the thread of the {@link
 * SpoolWriter}. A store that cannot be used has an error.
 */
public final class SpoolStore implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SpoolStore.class);
    private static final long FILE_BYTES_MIN = 64 << 10;
    private static final long FILE_BYTES_MAX = 4 << 20;

    private final @Nullable String error;
    private final long bytesMax;
    private final @Nullable FileChannel lock;
    private final PartitionCounts partitions = new PartitionCounts();
    private @Nullable SpoolLog waiting;
    private @Nullable SpoolLog refused;
    private long oldestMicros = Long.MAX_VALUE;

    private SpoolStore(@Nullable String error, long bytesMax, @Nullable FileChannel lock) {
        this.error = error;
        this.bytesMax = bytesMax;
        this.lock = lock;
    }

    /** Opens the folder and loads its pending entries. Blocks. Never fails; see {@link #error}. */
    public static SpoolStore open(SpoolConfig config) {
        Path path = config.folder().toAbsolutePath().normalize();
        FileChannel lock = null;
        try {
            PrivateFiles.createFolder(path);
            lock = PrivateFiles.open(path.resolve("lock"), Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE));
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
            return false; // by a server in this process
        }
    }

    private static SpoolStore unusable(String error, SpoolConfig config) {
        log.error("spool unusable, pushes are answered 503 while PostgreSQL is unavailable: {}", error);
        return new SpoolStore(error, config.bytesMax(), null);
    }

    /** @param lock closed with the store; null for none */
    static SpoolStore open(Folder waiting, Folder refused, long bytesMax, @Nullable FileChannel lock)
            throws IOException {
        SpoolStore store = new SpoolStore(null, bytesMax, lock);
        long fileBytes = Math.clamp(bytesMax / 16, FILE_BYTES_MIN, FILE_BYTES_MAX);
        SpoolLog opened = SpoolLog.open(waiting, fileBytes, entry -> {
            store.partitions.add(entry.queue(), entry.partition());
            store.oldestMicros = Math.min(store.oldestMicros, entry.acceptedAtMicros());
        });
        store.waiting = opened;
        store.refused = SpoolLog.open(refused, fileBytes, _ -> {});
        if (opened.openCount() > 0) {
            log.info("spool opened with {} pending messages", opened.openCount());
        }
        return store;
    }

    /** Returns the reason for which it cannot be used, or null if it can. */
    @Nullable
    String error() {
        return error;
    }

    long bytesMax() {
        return bytesMax;
    }

    /** Returns the pending entries by partition when it was opened. */
    PartitionCounts partitions() {
        return partitions;
    }

    long oldestMicros() {
        return oldestMicros;
    }

    SpoolLog waiting() {
        return Objects.requireNonNull(waiting);
    }

    SpoolLog refused() {
        return Objects.requireNonNull(refused);
    }

    /** Must be called after the last task of its thread. */
    @Override
    public void close() {
        if (waiting != null) {
            waiting.close();
        }
        if (refused != null) {
            refused.close();
        }
        close(lock);
    }

    private static void close(@Nullable FileChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            log.warn("closing the lock file of the spool failed: {}", e.getMessage());
        }
    }
}
