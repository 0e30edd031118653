package io.queenmq.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Where the PostgreSQL of this JVM lives: kept between runs, because making one takes seconds, and not shared with
 * another JVM that runs at the same time. Whoever has it keeps this object, for an open file that nobody refers to is
 * closed, and its lock is gone.
 */
record Home(Path path, FileChannel lock) {
    private static final int HOMES_MAX = 32;

    static Home acquire() {
        Path parent = parent();
        try {
            Files.createDirectories(parent);
            for (int n = 1; n <= HOMES_MAX; n++) {
                FileChannel lock = FileChannel.open(parent.resolve("postgres-" + n + ".lock"),
                        StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                if (lock.tryLock() != null) {
                    return new Home(parent.resolve("postgres-" + n), lock);
                }
                lock.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot use " + parent + "; set the system property "
                    + TestQueen.HOME_PROPERTY + " to a directory that can be written", e);
        }
        throw new IllegalStateException(HOMES_MAX + " test runs use " + parent.toAbsolutePath() + " already");
    }

    /** The folder that the build tool throws away, if it is to be seen. */
    private static Path parent() {
        String chosen = System.getProperty(TestQueen.HOME_PROPERTY);
        if (chosen != null) {
            return Path.of(chosen);
        }
        return List.of("target", "build").stream().map(Path::of).filter(Files::isDirectory).findFirst()
                .orElse(Path.of(System.getProperty("java.io.tmpdir"))).resolve("queen-test");
    }
}
