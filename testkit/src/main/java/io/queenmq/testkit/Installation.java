package io.queenmq.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Gets a missing program, once for all test JVMs of a build. A program that could not be had leaves a file of its name in
 * the folder; the build removes these files when it begins, and tells of them when it ends.
 */
record Installation(Path folder, Packages packages) {
    /** Where programs come from. */
    interface Packages {
        boolean has(Program program);

        /** Tries to install it, and writes what happens to the log. */
        void install(Program program, Path log) throws IOException, InterruptedException;
    }

    /** @return whether the program is there now */
    boolean ensure(Program program) {
        if (packages.has(program)) {
            return true;
        }
        try {
            Files.createDirectories(folder);
            Path lock = folder.resolveSibling("installation.lock");
            // The second thread waits and finds the result of the first one. A file lock does not exclude threads of one process.
            synchronized (Installation.class) {
                try (var channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                        var _ = channel.lock()) {
                    return packages.has(program) || install(program);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private boolean install(Program program) throws IOException, InterruptedException {
        Path missing = folder.resolve(program.debianPackage());
        if (Files.exists(missing)) {
            return false;
        }
        packages.install(program, folder.resolveSibling("installation.log"));
        if (packages.has(program)) {
            return true;
        }
        Files.createFile(missing);
        return false;
    }
}
