package io.queenmq.system;

import static io.queenmq.system.Repository.ROOT;
import static io.queenmq.system.Repository.files;
import static io.queenmq.system.Repository.lines;
import static io.queenmq.system.Repository.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks the layout of the repository: lengths, imports, white space and nullness declarations. */
class TidyTest {
    /** Modules that are not libraries for applications. */
    private static final Set<String> INTERNAL_MODULES = Set.of("verify", "bench", "cli", "dashboard", "embedded",
            "engine", "schema", "server", "testkit");
    private static final int JAVA_LINES_MAX = 400;
    private static final int FILE_BYTES_MAX = 100_000;
    private static final Pattern IMPORT = Pattern.compile("^import (?:static )?[\\w.]+\\.(\\w+);$", Pattern.MULTILINE);

    @Test
    void javaFilesHaveAtMost400Lines() throws IOException {
        assertThat(files(".java").stream().filter(file -> lines(file).size() > JAVA_LINES_MAX)).isEmpty();
    }

    @Test
    void everyImportIsUsed() throws IOException {
        List<String> unused = new ArrayList<>();
        for (Path file : files(".java")) {
            String text = text(file);
            Matcher imports = IMPORT.matcher(text);
            while (imports.find()) {
                String name = imports.group(1);
                if (Pattern.compile("\\b" + name + "\\b").matcher(text).results().count() < 2) {
                    unused.add(ROOT.relativize(file) + " imports " + name);
                }
            }
        }
        assertThat(unused).isEmpty();
    }

    @Test
    void linesHaveNoTabsOrTrailingSpaces() throws IOException {
        List<String> untidy = new ArrayList<>();
        for (Path file : files(".java", ".sql", ".md", ".xml", ".properties")) {
            List<String> lines = lines(file);
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i);
                if (line.contains("\t") || line.endsWith(" ") || line.endsWith("\r")) {
                    untidy.add(ROOT.relativize(file) + ":" + (i + 1));
                }
            }
            if (!text(file).endsWith("\n")) {
                untidy.add(ROOT.relativize(file) + ": no line break at the end");
            }
        }
        assertThat(untidy).isEmpty();
    }

    @Test
    void everyDocumentHasOneTitle() throws IOException {
        assertThat(files(".md").stream()
                .filter(file -> lines(file).stream().filter(line -> line.startsWith("# ")).count() != 1)).isEmpty();
    }

    @Test
    void everyPackageHasADescription() throws IOException {
        List<Path> silent = files(".java").stream().filter(file -> file.toString().contains("src/main/java"))
                .filter(file -> !file.endsWith("module-info.java")).map(Path::getParent).distinct()
                .filter(folder -> !Files.exists(folder.resolve("package-info.java"))).map(ROOT::relativize).toList();
        assertThat(silent).isEmpty();
    }

    @Test
    void everyLibraryIsPublished() throws IOException {
        List<Path> libraries = modulesWithMainCode().stream()
                .filter(module -> !INTERNAL_MODULES.contains(module.getFileName().toString())).toList();

        assertThat(libraries).hasSizeGreaterThan(5).allSatisfy(module -> assertThat(text(module.resolve("pom.xml")))
                .contains("<maven.deploy.skip>false</maven.deploy.skip>"));
    }

    /** NullAway checks only packages that are marked, so every package of main code must be. */
    @Test
    void everyModuleIsCheckedByNullAway() throws IOException {
        for (Path module : modulesWithMainCode()) {
            assertThat(text(module.resolve("pom.xml"))).as(module.toString()).contains("<id>null-checked-compile</id>");
            assertThat(files("package-info.java").stream().filter(file -> file.startsWith(module.resolve("src/main"))))
                    .isNotEmpty().allSatisfy(file -> assertThat(text(file)).contains("@NullMarked"));
        }
    }

    private static List<Path> modulesWithMainCode() throws IOException {
        return files("pom.xml").stream().map(Path::getParent).filter(module -> !module.equals(ROOT))
                .filter(module -> Files.isDirectory(module.resolve("src/main/java")))
                .filter(module -> !module.endsWith("examples")).toList();
    }

    @Test
    void onlyProgramsConfigureLogging() throws IOException {
        assertThat(files("logback.xml", "log4j2.xml", "logging.properties", "simplelogger.properties"))
                .allSatisfy(file -> assertThat(file).startsWithRaw(ROOT.resolve("cli")));
    }

    @Test
    void filesOutsideTheDocumentsAreSmall() throws IOException {
        assertThat(files("").stream().filter(file -> size(file) > FILE_BYTES_MAX)
                .filter(file -> !file.startsWith(ROOT.resolve("docs")))).isEmpty();
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
