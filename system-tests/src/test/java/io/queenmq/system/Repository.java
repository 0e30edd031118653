package io.queenmq.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The files of this repository, without build output. */
final class Repository {
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Set<String> GENERATED = Set.of(".git", "target", "queen-data", "node_modules", ".idea",
            ".vscode");

    private Repository() {}

    /** Returns all files whose path ends with one of the given endings. */
    static List<Path> files(String... endings) throws IOException {
        try (Stream<Path> all = Files.walk(ROOT)) {
            return all.filter(Files::isRegularFile).filter(Repository::isSource)
                    .filter(file -> Stream.of(endings).anyMatch(file.toString()::endsWith)).sorted().toList();
        }
    }

    /** Returns the path of a file relative to the root, with slashes. */
    static String name(Path file) {
        return ROOT.relativize(file).toString().replace('\\', '/');
    }

    static List<String> lines(Path file) {
        return text(file).lines().toList();
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isSource(Path file) {
        for (Path part : ROOT.relativize(file)) {
            if (GENERATED.contains(part.toString())) {
                return false;
            }
        }
        return true;
    }
}
