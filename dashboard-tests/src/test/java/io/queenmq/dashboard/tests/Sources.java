package io.queenmq.dashboard.tests;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The source files of the dashboard and of its tests. */
final class Sources {
    private static final Path ROOT = Path.of("../dashboard/src/main/resources/queen/dashboard");

    private Sources() {}

    static List<Path> paths(String ending) {
        try (Stream<Path> all = Files.walk(ROOT)) {
            return all.filter(Files::isRegularFile).filter(path -> path.toString().endsWith(ending)).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a file of the tests. */
    static String resource(String name) {
        try (InputStream in = Sources.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String all(String ending) {
        return paths(ending).stream().map(Sources::text).collect(Collectors.joining("\n"));
    }
}
