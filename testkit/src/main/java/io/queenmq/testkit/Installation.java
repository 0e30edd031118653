package io.queenmq.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Installs a missing program, at most once for all test JVMs of a build. If the installation fails, a file with the
 * name of the package is created in the folder. The build deletes these files at its start and lists them at its end.
 */
record Installation(Path folder, Packages packages) {
    /** The package manager of the system. */
    interface Packages {
        boolean has(Program program);

        /** Tries to install the program and appends the output to the log. */
        void install(Program program, Path log) throws IOException, InterruptedException;
    }

    /** Returns true if the program is installed, after an attempt to install it. */
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
