package io.queenmq.publication;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/** The repository that this build has written, in the layout of Maven. */
record Repository(Path path) {
    /** The directory of this repository's root POM. */
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    static Repository ofTheBuild() {
        return new Repository(ROOT.resolve("target/repository"));
    }

    /** Returns the published artifacts, sorted by name. */
    List<Published> artifacts() throws IOException {
        try (var files = Files.list(path.resolve("io/queenmq"))) {
            return files.filter(Files::isDirectory).sorted().map(Published::new).toList();
        }
    }

    /** One artifact. Its directory contains one version. */
    record Published(Path directory) {
        String name() {
            return directory.getFileName().toString();
        }

        List<Path> files() throws IOException {
            try (var files = Files.walk(directory)) {
                return files.filter(Files::isRegularFile)
                        .filter(Predicate.not(each -> each.getFileName().toString().startsWith("maven-metadata")))
                        .sorted().toList();
            }
        }

        /** Returns the last file with this ending: a build repeated without a clean adds snapshots. */
        Path file(String ending) throws IOException {
            return files().stream().filter(each -> each.getFileName().toString().endsWith(ending))
                    .reduce((_, last) -> last)
                    .orElseThrow(() -> new AssertionError(name() + " has no file *" + ending));
        }

        Path jar() throws IOException {
            return files().stream().filter(each -> each.getFileName().toString().matches(".*[0-9T]\\.jar"))
                    .reduce((_, last) -> last).orElseThrow(() -> new AssertionError(name() + " has no jar"));
        }
    }
}
