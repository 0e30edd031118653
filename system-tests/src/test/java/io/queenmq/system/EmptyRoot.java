package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A directory that is the root of processes: it contains a shell, three small programs, the libraries that these and an installation
 * need, and the installation. Without the user root, a user namespace is used.
 */
final class EmptyRoot {
    private static final Pattern LIBRARY = Pattern.compile("(?:=> )?(/\\S+) \\(0x");
    private final Path root;

    private EmptyRoot(Path root) {
        this.root = root;
    }

    /** @param installation the unpacked archive, which is moved to /opt/queen */
    static EmptyRoot with(Path root, Path installation) throws Exception {
        EmptyRoot empty = new EmptyRoot(root);
        for (String directory : List.of("bin", "dev", "etc", "opt", "proc", "tmp", "data")) {
            Files.createDirectories(root.resolve(directory));
        }
        Files.writeString(root.resolve("etc/hosts"), "127.0.0.1 localhost\n");
        for (String program : List.of("sh", "dirname", "readlink", "env")) {
            Path found = Stream.of("/bin", "/usr/bin").map(parent -> Path.of(parent, program)).filter(Files::exists)
                    .findFirst().orElseThrow().toRealPath();
            Files.copy(found, root.resolve("bin").resolve(program));
            empty.copyLibrariesOf(found);
        }
        Files.move(installation, root.resolve("opt/queen"));
        try (Stream<Path> files = Files.walk(root.resolve("opt/queen/runtime"))) {
            for (Path each : files.filter(file -> file.endsWith("bin/java") || file.toString().endsWith(".so"))
                    .toList()) {
                empty.copyLibrariesOf(each);
            }
        }
        empty.createRandomDevice();
        return empty;
    }

    /** Starts a program of the installation in this root. */
    Process start(Map<String, String> environment, String... command) throws IOException {
        List<String> words = new ArrayList<>(List.of("unshare", "--mount"));
        if (!System.getProperty("user.name").equals("root")) {
            words.addAll(List.of("--map-root-user", "--pid", "--fork"));
        }
        // The loader finds the libraries of Java through /proc/self/exe.
        words.addAll(List.of("sh", "-c", "mount -t proc proc \"$0/proc\" && exec chroot \"$0\" \"$@\"", root.toString(),
                "/bin/env", "-i", "PATH=/bin"));
        environment.forEach((name, value) -> words.add(name + "=" + value));
        words.addAll(List.of(command));
        return new ProcessBuilder(words).redirectErrorStream(true).start();
    }

    private void copyLibrariesOf(Path program) throws Exception {
        Process process = new ProcessBuilder("ldd", program.toString()).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        for (String library : LIBRARY.matcher(output).results().map((MatchResult match) -> match.group(1)).toList()) {
            Path target = root.resolve(library.substring(1));
            if (!library.startsWith(root.toString()) && !Files.exists(target)) {
                Files.createDirectories(target.getParent());
                Files.copy(Path.of(library), target, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /** The JVM reads random numbers from /dev/urandom. If no device can be created, the JVM uses a generator of its own. */
    private void createRandomDevice() throws Exception {
        for (String device : List.of("random", "urandom")) {
            new ProcessBuilder("mknod", "-m", "666", root.resolve("dev").resolve(device).toString(), "c", "1",
                    device.equals("random") ? "8" : "9").start().waitFor();
        }
        new ProcessBuilder("mknod", "-m", "666", root.resolve("dev/null").toString(), "c", "1", "3").start().waitFor();
        assertThat(root.resolve("bin/sh")).exists();
    }
}
