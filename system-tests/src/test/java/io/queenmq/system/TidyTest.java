package io.queenmq.system;

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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The repository checks itself: what a reviewer should not have to look for. */
class TidyTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Set<String> NOT_OURS = Set.of(".git", "target", "queen-data", "node_modules", ".idea",
            ".vscode");
    /** Modules with nullness annotations that are not libraries for applications. */
    private static final Set<String> INTERNAL_MODULES = Set.of("bench", "dashboard", "embedded", "testkit");
    private static final int JAVA_LINES_MAX = 400;
    private static final int FILE_BYTES_MAX = 100_000;
    private static final Pattern IMPORT = Pattern.compile("^import (?:static )?[\\w.]+\\.(\\w+);$", Pattern.MULTILINE);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:\\s]+)(#[^)]*)?\\)");

    @Test
    void aJavaFileIsNoLongerThanItCanBeRead() throws IOException {
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
    void linesHaveNoTabsAndEndCleanly() throws IOException {
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
    void everyLinkInTheDocumentsLeadsSomewhere() throws IOException {
        List<String> dead = new ArrayList<>();
        for (Path file : files(".md")) {
            Matcher links = LINK.matcher(text(file));
            while (links.find()) {
                if (!Files.exists(file.getParent().resolve(links.group(1)))) {
                    dead.add(ROOT.relativize(file) + " -> " + links.group(1));
                }
            }
        }
        assertThat(dead).isEmpty();
    }

    @Test
    void everyDocumentHasOneTitle() throws IOException {
        assertThat(files(".md").stream()
                .filter(file -> lines(file).stream().filter(line -> line.startsWith("# ")).count() != 1)).isEmpty();
    }

    @Test
    void everyPackageSaysWhatItIsFor() throws IOException {
        List<Path> silent = files(".java").stream().filter(file -> file.toString().contains("src/main/java"))
                .filter(file -> !file.endsWith("module-info.java")).map(Path::getParent).distinct()
                .filter(folder -> !Files.exists(folder.resolve("package-info.java")))
                .map(ROOT::relativize).toList();
        assertThat(silent).isEmpty();
    }

    @Test
    void everyLibraryBringsItsSourcesAndItsDocuments() throws IOException {
        List<Path> libraries = nullCheckedModules().stream()
                .filter(module -> !INTERNAL_MODULES.contains(module.getFileName().toString())).toList();

        assertThat(libraries).hasSizeGreaterThan(5).allSatisfy(module -> assertThat(text(module.resolve("pom.xml")))
                .contains("<artifactId>maven-source-plugin</artifactId>",
                        "<artifactId>maven-javadoc-plugin</artifactId>"));
    }

    /** NullAway checks only the packages that are marked. */
    @Test
    void everyModuleWithNullnessAnnotationsIsCheckedForNullsAsAWhole() throws IOException {
        for (Path module : nullCheckedModules()) {
            assertThat(text(module.resolve("pom.xml"))).as(module.toString()).contains("<id>null-checked-compile</id>");
            assertThat(files("package-info.java").stream().filter(file -> file.startsWith(module.resolve("src/main"))))
                    .isNotEmpty().allSatisfy(file -> assertThat(text(file)).contains("@NullMarked"));
        }
    }

    private static List<Path> nullCheckedModules() throws IOException {
        return files("pom.xml").stream().filter(pom -> !pom.getParent().equals(ROOT))
                .filter(pom -> text(pom).contains("<artifactId>jspecify</artifactId>")).map(Path::getParent).toList();
    }

    @Test
    void howToLogIsSaidByProgramsOnly() throws IOException {
        assertThat(files("logback.xml", "log4j2.xml", "logging.properties", "simplelogger.properties"))
                .allSatisfy(file -> assertThat(file).startsWithRaw(ROOT.resolve("cli")));
    }

    @Test
    void noLargeFileSlipsIn() throws IOException {
        assertThat(files("").stream().filter(file -> size(file) > FILE_BYTES_MAX)
                .filter(file -> !file.startsWith(ROOT.resolve("docs")))).isEmpty();
    }

    private static List<Path> files(String... endings) throws IOException {
        try (Stream<Path> all = Files.walk(ROOT)) {
            return all.filter(Files::isRegularFile).filter(TidyTest::isOurs)
                    .filter(file -> Stream.of(endings).anyMatch(file.toString()::endsWith)).toList();
        }
    }

    private static boolean isOurs(Path file) {
        for (Path part : ROOT.relativize(file)) {
            if (NOT_OURS.contains(part.toString())) {
                return false;
            }
        }
        return true;
    }

    private static List<String> lines(Path file) {
        return text(file).lines().toList();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
