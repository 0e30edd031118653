package io.queenmq.schema;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The texts of files of the whole project, for tests that compare them with the SQL files. */
final class Sources {
    private static final Path PROJECT = Path.of("..");

    private Sources() {}

    /** @param foldersAndEndings pairs: a folder of the project, and the ending of the names of files below it */
    static Stream<String> of(String... foldersAndEndings) {
        var texts = new ArrayList<String>();
        for (int i = 0; i < foldersAndEndings.length; i += 2) {
            texts.addAll(read(PROJECT.resolve(foldersAndEndings[i]), foldersAndEndings[i + 1]));
        }
        return texts.stream();
    }

    private static List<String> read(Path folder, String ending) {
        try (var files = Files.walk(folder)) {
            var texts = new ArrayList<String>();
            for (var file : files.filter(each -> each.toString().endsWith(ending)).toList()) {
                texts.add(Files.readString(file));
            }
            return texts;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
