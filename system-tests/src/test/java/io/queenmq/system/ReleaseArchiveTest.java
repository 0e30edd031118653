package io.queenmq.system;

import static io.queenmq.system.Repository.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The archive of a release runs without an installed Java. */
@EnabledOnOs(OS.LINUX)
class ReleaseArchiveTest {
    private static final Path TARGET = ROOT.resolve("cli/target");

    @TempDir
    private Path folder;

    @Test
    void theArchiveRunsWithoutJava() throws Exception {
        String path = run(ROOT, Map.of("JAVA_HOME", System.getProperty("java.home"), "PATH", System.getenv("PATH")),
                ROOT.resolve("build/release.sh").toString(), "1.2.3", TARGET.toString()).strip();
        Path archive = Path.of(path.substring(path.lastIndexOf('\n') + 1));
        try {
            assertThat(archive.getFileName().toString()).matches("queen-1\\.2\\.3-linux-(x64|arm64)\\.tar\\.gz");
            run(folder, Map.of("PATH", System.getenv("PATH")), "tar", "-xzf", archive.toString());
        } finally {
            Files.deleteIfExists(archive);
        }
        Path home = folder.resolve(archive.getFileName().toString().replace(".tar.gz", ""));
        assertThat(List.of("LICENSE", "README.md", "lib/queen.jar", "lib/lib", "systemd/queen.service",
                "licenses/THIRD-PARTY-NOTICES.txt", "licenses/java/java.base/LICENSE"))
                .allSatisfy(file -> assertThat(home.resolve(file)).exists());

        Map<String, String> withoutJava = Map.of("PATH", programsWithoutJava().toString());
        assertThat(run(home, withoutJava, home.resolve("bin/queen").toString(), "version")).startsWith("queen ");
        assertThat(run(home, withoutJava, home.resolve("bin/queen").toString(), "licenses")).contains("Apache-2.0");
    }

    /** Returns a directory with the programs that the launcher needs. */
    private Path programsWithoutJava() throws IOException {
        Path programs = Files.createDirectories(folder.resolve("programs"));
        for (String name : List.of("sh", "dirname", "readlink")) {
            for (String parent : List.of("/bin", "/usr/bin")) {
                Path program = Path.of(parent, name);
                if (Files.exists(program) && !Files.exists(programs.resolve(name))) {
                    Files.createSymbolicLink(programs.resolve(name), program);
                }
            }
        }
        return programs;
    }

    /** Returns the output of a program, which must succeed. */
    private static String run(Path directory, Map<String, String> environment, String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
