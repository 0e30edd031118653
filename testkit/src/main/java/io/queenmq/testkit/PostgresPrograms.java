package io.queenmq.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Shares the unpacked programs of PostgreSQL between the homes of test servers, because unpacking takes seconds of CPU
 * time.
 */
public final class PostgresPrograms {
    private PostgresPrograms() {}

    /**
     * Links the programs that another home of this build has unpacked into {@code home}, and returns {@code home}. If
     * there is no such home, the first start of PostgreSQL unpacks the programs.
     */
    public static Path linkInto(Path home) {
        try {
            Files.createDirectories(home);
            Optional<Path> programs = unpacked();
            if (programs.isPresent()) {
                link(home.resolve(programs.get().getFileName()), programs.get());
            }
            return home;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Removes the link that {@link #linkInto} created. Required for homes in a temporary directory: JUnit warns about
     * links to other directories.
     */
    public static void unlinkFrom(Path home) {
        try {
            for (Path programs : list(home, "postgresql-")) {
                if (Files.isSymbolicLink(programs)) {
                    Files.delete(programs);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void link(Path link, Path programs) throws IOException {
        if (Files.isSymbolicLink(link) && !Files.exists(link)) {
            Files.delete(link);
        }
        if (!Files.exists(link)) {
            try {
                Files.createSymbolicLink(link, programs);
            } catch (FileAlreadyExistsException _) {
                // Another JVM prepares the same home.
            }
        }
    }

    /**
     * Returns unpacked programs. A directory with a final name is complete: programs are unpacked under another name
     * and then renamed.
     */
    private static Optional<Path> unpacked() throws IOException {
        for (Path home : list(BuildFolder.path(), "postgres-")) {
            for (Path programs : list(home, "postgresql-")) {
                if (Files.isDirectory(programs.resolve("bin")) && Files.isDirectory(programs, LinkOption.NOFOLLOW_LINKS)
                        && !programs.getFileName().toString().endsWith(".partial")) {
                    return Optional.of(programs.toAbsolutePath());
                }
            }
        }
        return Optional.empty();
    }

    private static List<Path> list(Path folder, String prefix) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix)).toList();
        }
    }
}
