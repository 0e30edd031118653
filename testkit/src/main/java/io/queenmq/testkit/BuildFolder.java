package io.queenmq.testkit;

import java.nio.file.Files;
import java.nio.file.Path;

/** The folder {@code target} of the whole project, in which the test JVMs of all modules share what is slow to make. */
final class BuildFolder {
    private BuildFolder() {}

    /** Tests run in the folder of their module; the project begins where its Maven settings are. */
    static Path path() {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.isDirectory(folder.resolve(".mvn"))) {
                return folder.resolve("target");
            }
        }
        return Path.of("target");
    }
}
