package io.queenmq.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Locks a home directory against a second server. The operating system releases the lock when the process ends, so the file
 * may remain.
 */
final class HomeLock implements AutoCloseable {
    private final FileChannel channel;

    private HomeLock(FileChannel channel) {
        this.channel = channel;
    }

    static HomeLock acquire(Path home) {
        try {
            var channel = FileChannel.open(home.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!tryLock(channel)) {
                channel.close();
                throw new EmbeddedPostgresException(home + " is in use by another Queen server. Stop that one first, "
                        + "or give this one a directory of its own with QUEEN_DATA.");
            }
            return new HomeLock(channel);
        } catch (IOException e) {
            throw new EmbeddedPostgresException("cannot write to " + home + ": " + e.getMessage(), e);
        }
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException _) {
            return false; // locked by this process
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
