package io.queenmq.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The directory of this JVM's PostgreSQL. It is kept between runs, because its creation takes seconds, and must not be
 * shared with a concurrent JVM. The owner must keep this object: an unreferenced open file is closed, and its lock
 * released.
 */
record TestDirectory(Path path, FileChannel lock) {
    private static final int HOMES_MAX = 32;

    static TestDirectory acquire() {
        Path parent = parent();
        try {
            Files.createDirectories(parent);
            for (int n = 1; n <= HOMES_MAX; n++) {
                FileChannel lock = FileChannel.open(parent.resolve("postgres-" + n + ".lock"),
                        StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                if (lock.tryLock() != null) {
                    return new TestDirectory(parent.resolve("postgres-" + n), lock);
                }
                lock.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot use " + parent + "; set the system property "
                    + TestQueen.HOME_PROPERTY + " to a directory that can be written", e);
        }
        throw new IllegalStateException(HOMES_MAX + " test runs already use " + parent.toAbsolutePath());
    }

    /** Returns the directory that the build tool deletes, if there is one. */
    private static Path parent() {
        String chosen = System.getProperty(TestQueen.HOME_PROPERTY);
        if (chosen != null) {
            return Path.of(chosen);
        }
        return List.of("target", "build").stream().map(Path::of).filter(Files::isDirectory).findFirst()
                .orElse(Path.of(System.getProperty("java.io.tmpdir"))).resolve("queen-test");
    }
}
