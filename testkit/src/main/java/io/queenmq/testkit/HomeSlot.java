package io.queenmq.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The first home directory that no other test JVM uses, so that concurrent runs of one module do not collide. */
record HomeSlot(Path home, FileChannel lock) implements AutoCloseable {
    private static final int SLOTS_MAX = 16;

    static HomeSlot acquire(Path parent) {
        try {
            Files.createDirectories(parent);
            for (int n = 1; n <= SLOTS_MAX; n++) {
                var file = parent.resolve("postgres-" + n + ".lock");
                var lock = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                if (lock.tryLock() != null) {
                    return new HomeSlot(parent.resolve("postgres-" + n), lock);
                }
                lock.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException(SLOTS_MAX + " test runs already use " + parent.toAbsolutePath());
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
