package io.queenmq.verify.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Programs of the system that faults need. */
public final class Programs {
    private static final List<String> FOLDERS = List.of("/usr/sbin", "/sbin", "/usr/bin", "/bin");

    private Programs() {}

    /** Returns the path of a program, or empty if it is not installed. */
    public static Optional<Path> find(String name) {
        List<String> folders = new ArrayList<>(List.of(System.getenv().getOrDefault("PATH", "").split(":")));
        folders.addAll(FOLDERS);
        return folders.stream().map(folder -> Path.of(folder, name)).filter(Files::isExecutable).findFirst();
    }

    /** Returns the reason why a program cannot be used; empty if it is installed. */
    public static Optional<String> missing(String name, String debianPackage) {
        return find(name).isPresent()
                ? Optional.empty()
                : Optional.of("the program " + name + " is missing (apt-get install " + debianPackage + ")");
    }

    /** Returns the first file whose path matches a glob below a folder, such as a library; empty if there is none. */
    static Optional<Path> findFile(Path folder, int depth, String name) {
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.find(folder, depth, (path, _) -> path.endsWith(name))) {
            return files.findFirst();
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /** Runs a program, and returns true if it succeeds. */
    public static boolean run(String name, String... arguments) {
        Optional<Path> program = find(name);
        if (program.isEmpty()) {
            return false;
        }
        List<String> command = new ArrayList<>();
        command.add(program.get().toString());
        command.addAll(List.of(arguments));
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start().waitFor() == 0;
        } catch (IOException _) {
            return false;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
