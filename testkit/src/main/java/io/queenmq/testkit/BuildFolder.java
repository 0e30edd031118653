package io.queenmq.testkit;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The folder {@code target} of the whole project. The test JVMs of all modules share files in it that are slow to
 * create.
 */
final class BuildFolder {
    private BuildFolder() {}

    /**
     * Returns the folder. Tests run in the folder of their Maven module; the folder of the project contains {@code
     * .mvn}.
     */
    static Path path() {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.isDirectory(folder.resolve(".mvn"))) {
                return folder.resolve("target");
            }
        }
        return Path.of("target");
    }
}
