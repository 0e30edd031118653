package io.queenmq.system;

import static io.queenmq.system.Repository.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The archive of a release runs without an installed Java. */
@EnabledOnOs(OS.LINUX)
class ReleaseArchiveTest {
    private static final Path TARGET = ROOT.resolve("cli/target");
    private static final Pattern READY = Pattern.compile("Queen is ready on ([^,]+),");

    @TempDir
    private Path folder;

    /** One test, because building the archive takes most of the time. */
    @Test
    void theArchiveAndThePackageAreCompleteAndRunInAnEmptyRoot() throws Exception {
        List<Path> built = run(ROOT,
                Map.of("JAVA_HOME", System.getProperty("java.home"), "PATH", System.getenv("PATH")),
                ROOT.resolve("build/release.sh").toString(), "1.2.3-SNAPSHOT", TARGET.toString()).lines()
                .filter(line -> line.startsWith("/")).map(Path::of).toList();
        try {
            Path archive = built.getLast();
            assertThat(archive.getFileName().toString())
                    .matches("queen-1\\.2\\.3-SNAPSHOT-linux-(x64|arm64)\\.tar\\.gz");
            run(folder, Map.of("PATH", System.getenv("PATH")), "tar", "-xzf", archive.toString());
            Path home = folder.resolve(archive.getFileName().toString().replace(".tar.gz", ""));
            assertComplete(home);
            if (built.size() > 1) {
                assertPackage(built.getFirst());
            }
            assertRunsInAnEmptyRoot(EmptyRoot.with(Files.createDirectory(folder.resolve("root")), home));
        } finally {
            for (Path each : built) {
                Files.deleteIfExists(each);
            }
        }
    }

    private static void assertComplete(Path home) {
        assertThat(List.of("LICENSE", "README.md", "lib/queen.jar", "lib/lib", "lib/queen.aot", "systemd/queen.service",
                "systemd/queen.properties", "licenses/THIRD-PARTY-NOTICES.txt", "licenses/java/java.base/LICENSE"))
                .allSatisfy(file -> assertThat(home.resolve(file)).exists());
    }

    private static void assertPackage(Path deb) throws Exception {
        Map<String, String> environment = Map.of("PATH", System.getenv("PATH"));
        assertThat(deb.getFileName().toString()).matches("queen_1\\.2\\.3-SNAPSHOT_(amd64|arm64)\\.deb");
        assertThat(run(ROOT, environment, "dpkg-deb", "--info", deb.toString()))
                .contains("Version: 1.2.3~SNAPSHOT", "conffiles", "postinst", "Depends: adduser")
                .doesNotContain("@VERSION@", "@ARCH@", "@SIZE@");
        assertThat(run(ROOT, environment, "dpkg-deb", "--contents", deb.toString())).contains(
                "./etc/queen/queen.properties", "./lib/systemd/system/queen.service", "./opt/queen/bin/queen",
                "./usr/bin/queen -> /opt/queen/bin/queen");
    }

    /** The server has no Java, no other programs, and a database on this machine. */
    private static void assertRunsInAnEmptyRoot(EmptyRoot root) throws Exception {
        assertThat(output(root.start(Map.of(), "/opt/queen/bin/queen", "version"))).startsWith("queen ");
        assertThat(output(root.start(Map.of(), "/opt/queen/bin/queen", "licenses"))).contains("Apache-2.0");
        try (TestDatabase database = TestPostgres.shared().createDatabase()) {
            Process server = root.start(Map.of("PORT", "0", "HOST", "127.0.0.1", "QUEEN_DATA", "/data", "PG_HOST",
                    database.host(), "PG_PORT", Integer.toString(database.port()), "PG_DB", database.name(), "PG_USER",
                    database.user(), "PG_PASSWORD", database.password()), "/opt/queen/bin/queen", "serve");
            try {
                String url = url(server);
                assertThat(output(
                        root.start(Map.of(), "/opt/queen/bin/queen", "push", "orders", "{\"a\":1}", "--url", url)))
                        .startsWith("pushed ");
                assertThat(output(root.start(Map.of(), "/opt/queen/bin/queen", "pop", "orders", "-g", "g", "--ack",
                        "--url", url))).contains("{\"a\":1}");
                server.toHandle().destroy();
                assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(server.exitValue()).isZero();
            } finally {
                server.destroyForcibly();
            }
        }
    }

    private static String url(Process server) throws IOException {
        StringBuilder output = new StringBuilder();
        var lines = server.inputReader();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            output.append(line).append('\n');
            Matcher ready = READY.matcher(line);
            if (ready.find()) {
                return ready.group(1);
            }
        }
        throw new AssertionError("the server did not start:\n" + output);
    }

    private static String output(Process process) throws Exception {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
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
