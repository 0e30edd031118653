package io.queenmq.publication;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.publication.Repository.Published;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * The rules of Maven Central (https://central.sonatype.org/publish/requirements) for everything that a release publishes.
 * SignatureTest tests the signatures, which a normal build does not write.
 */
class CentralRulesTest {
    /** The time in project.build.outputTimestamp. */
    private static final LocalDateTime BUILD_TIME = LocalDateTime.of(2025, 1, 1, 0, 0);
    private static final Map<String, String> DIGESTS = Map.of(".md5", "MD5", ".sha1", "SHA-1");

    static List<Published> artifacts() throws IOException {
        return Repository.ofTheBuild().artifacts();
    }

    static List<Published> libraries() throws IOException {
        return artifacts().stream().filter(each -> !each.name().equals("queen-bom")).toList();
    }

    @Test
    void theBomListsAllPublishedLibraries() throws Exception {
        Element bom = pom(new Published(Repository.ofTheBuild().path().resolve("io/queenmq/queen-bom")));
        Element managed = child(child(bom, "dependencyManagement"), "dependencies");
        assertThat(children(managed).stream().map(each -> text(each, "artifactId")))
                .containsExactlyInAnyOrderElementsOf(libraries().stream().map(Published::name).toList())
                .contains("queen-client", "queen-spring-boot-starter", "queen-test");
        assertThat(children(managed)).allSatisfy(each -> {
            assertThat(text(each, "groupId")).isEqualTo("io.queenmq");
            assertThat(text(each, "version")).isIn("${project.version}", text(bom, "version"));
        });
    }

    @ParameterizedTest
    @MethodSource("artifacts")
    void thePomHasWhatCentralRequires(Published artifact) throws Exception {
        Element pom = pom(artifact);
        for (String each : List.of("groupId", "artifactId", "version", "name", "description", "url")) {
            assertThat(text(pom, each)).as(each).isNotBlank();
        }
        Element license = child(child(pom, "licenses"), "license");
        assertThat(text(license, "name")).isEqualTo("Apache-2.0");
        assertThat(text(license, "url")).startsWith("https://");
        Element developer = child(child(pom, "developers"), "developer");
        assertThat(text(developer, "name")).isNotBlank();
        assertThat(text(developer, "organizationUrl")).startsWith("https://");
        for (String each : List.of("connection", "developerConnection", "url")) {
            // Without a path in the project, which Maven appends for a module by default.
            assertThat(text(child(pom, "scm"), each)).as(each).matches("(scm:git:)?(https|ssh)://.*/queen(\\.git)?");
        }
        assertThat(text(pom, "url")).endsWith("/queen");
    }

    /** Gradle reads neither profiles nor plugins, and a parent would have to be published, too. */
    @ParameterizedTest
    @MethodSource("artifacts")
    void thePomContainsNothingOfTheBuild(Published artifact) throws Exception {
        Element pom = pom(artifact);
        assertThat(children(pom).stream().map(Element::getTagName)).doesNotContain("parent", "build", "reporting",
                "profiles", "repositories", "pluginRepositories", "distributionManagement", "modules", "properties");
        // Maven and Gradle resolve this one, which is the version of the same file.
        assertThat(Files.readString(artifact.file(".pom")).replace("${project.version}", "")).doesNotContain("${");
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void theDependenciesCanBeResolved(Published artifact) throws Exception {
        List<String> published = libraries().stream().map(Published::name).toList();
        List<Element> dependencies = children(pom(artifact)).stream()
                .filter(each -> each.getTagName().equals("dependencies")).flatMap(each -> children(each).stream())
                .toList();
        assertThat(dependencies).allSatisfy(each -> {
            assertThat(text(each, "version")).isNotBlank();
            assertThat(optionalText(each, "scope")).isNotIn("test", "system");
            if (text(each, "groupId").equals("io.queenmq")) {
                assertThat(text(each, "artifactId")).isIn(published);
            } else {
                assertThat(text(each, "version")).doesNotContain("SNAPSHOT");
            }
        });
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void thereAreSourcesAndJavadoc(Published artifact) throws Exception {
        try (JarFile sources = new JarFile(artifact.file("-sources.jar").toFile());
                JarFile javadoc = new JarFile(artifact.file("-javadoc.jar").toFile())) {
            assertThat(sources.stream().map(Object::toString)).anyMatch(each -> each.endsWith(".java"));
            assertThat(javadoc.getEntry("index.html")).isNotNull();
        }
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void theJarHasALicenseAndAModuleName(Published artifact) throws Exception {
        try (JarFile jar = new JarFile(artifact.jar().toFile())) {
            assertThat(jar.getEntry("META-INF/LICENSE")).isNotNull();
            if (jar.getEntry("module-info.class") == null) {
                assertThat(jar.getManifest().getMainAttributes().getValue("Automatic-Module-Name"))
                        .startsWith("io.queenmq.");
            }
        }
    }

    /** A time of the build in a jar would make two builds of one commit different. */
    @ParameterizedTest
    @MethodSource("libraries")
    void theJarsAreReproducible(Published artifact) throws Exception {
        for (Path file : List.of(artifact.jar(), artifact.file("-sources.jar"), artifact.file("-javadoc.jar"))) {
            try (JarFile jar = new JarFile(file.toFile())) {
                assertThat(jar.stream()).allSatisfy(
                        entry -> assertThat(entry.getTimeLocal()).as(entry.getName()).isEqualTo(BUILD_TIME));
                assertThat(jar.getManifest().getMainAttributes().keySet().stream().map(Object::toString))
                        .doesNotContain("Built-By", "Build-Jdk");
            }
        }
    }

    /** Applications may use Java 21: class files of a later one cannot be loaded there. */
    @ParameterizedTest
    @MethodSource("libraries")
    void theClassesAreForJava21(Published artifact) throws Exception {
        try (JarFile jar = new JarFile(artifact.jar().toFile())) {
            for (var entry : jar.stream().filter(each -> each.getName().endsWith(".class")).toList()) {
                try (var in = jar.getInputStream(entry)) {
                    assertThat(in.readNBytes(8)[7]).as(entry.getName()).isLessThanOrEqualTo((byte) (44 + 21));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("artifacts")
    void theChecksumsAreCorrect(Published artifact) throws Exception {
        List<Path> files = artifact.files().stream()
                .filter(each -> DIGESTS.keySet().stream().noneMatch(ending -> each.toString().endsWith(ending)))
                .toList();
        assertThat(files).isNotEmpty();
        for (Path file : files) {
            for (Map.Entry<String, String> digest : DIGESTS.entrySet()) {
                byte[] hash = MessageDigest.getInstance(digest.getValue()).digest(Files.readAllBytes(file));
                assertThat(Files.readString(Path.of(file + digest.getKey())).strip()).as(file.toString())
                        .isEqualTo(HexFormat.of().formatHex(hash));
            }
        }
    }

    private static Element pom(Published artifact) throws Exception {
        Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(artifact.file(".pom").toFile());
        return document.getDocumentElement();
    }

    private static List<Element> children(Element parent) {
        var nodes = parent.getChildNodes();
        return new ArrayList<>(IntStream.range(0, nodes.getLength()).mapToObj(nodes::item)
                .filter(Element.class::isInstance).map(Element.class::cast).toList());
    }

    private static Element child(Element parent, String name) {
        return children(parent).stream().filter(each -> each.getTagName().equals(name)).findFirst()
                .orElseThrow(() -> new AssertionError("no <" + name + "> in <" + parent.getTagName() + ">"));
    }

    private static String text(Element parent, String name) {
        return child(parent, name).getTextContent().strip();
    }

    private static String optionalText(Element parent, String name) {
        return children(parent).stream().filter(each -> each.getTagName().equals(name)).findFirst()
                .map(each -> each.getTextContent().strip()).orElse("");
    }
}
