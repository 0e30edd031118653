package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged jar contains its SBOM, and the Maven wrapper runs only the Maven version whose checksum is in the repository. */
class SupplyChainTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path JAR = ROOT.resolve("cli/target/queen.jar");
    private static final Pattern ARTIFACT_ITEM = Pattern
            .compile("<artifactItem>\\s*<groupId>([^<]+)</groupId>\\s*<artifactId>([^<]+)</artifactId>");
    private static final Pattern NOTICE = Pattern
            .compile("^([\\w.-]+):([\\w.-]+) (\\S+)\n {4}License: (.+)\n {4}Project: .+$", Pattern.MULTILINE);

    @TempDir
    private Path folder;

    @Test
    void theSbomListsEveryFileThatIsShipped() throws IOException {
        JsonNode sbom = sbom();
        List<JsonNode> components = new ArrayList<>();
        sbom.get("components").forEach(components::add);
        Set<String> listed = components.stream().map(SupplyChainTest::fileOf).collect(Collectors.toSet());

        assertThat(sbom.get("bomFormat").asText()).isEqualTo("CycloneDX");
        assertThat(libraries()).hasSizeGreaterThan(50).allSatisfy(file -> assertThat(listed).contains(file));
        assertThat(components).allSatisfy(each -> {
            assertThat(each.path("licenses")).as(each.path("name").asText()).isNotEmpty();
            assertThat(each.path("hashes").toString()).contains("SHA-256");
        });
        assertThat(coordinates(components)).containsAll(scripts());
    }

    @Test
    void theHashesOfTheSbomAreThoseOfTheFiles() throws Exception {
        for (JsonNode component : sbom().get("components")) {
            Path file = ROOT.resolve("cli/target/lib").resolve(fileOf(component));
            if (Files.exists(file) && !component.get("group").asText().equals("io.queenmq")) {
                String hash = sha256(file);
                assertThat(component.get("hashes")).as(file.toString())
                        .anyMatch(each -> each.get("alg").asText().equals("SHA-256")
                                && each.get("content").asText().equals(hash));
            }
        }
    }

    @Test
    void theSbomIsTheSameForEveryBuildOfACommit() throws IOException {
        assertThat(sbom().at("/metadata/timestamp").isMissingNode()).isTrue();
        assertThat(sbom().at("/metadata/properties").toString()).contains("cdx:reproducible");
    }

    @Test
    void theNoticesNameTheLicenseOfEveryLibrary() throws IOException {
        List<JsonNode> components = new ArrayList<>();
        sbom().get("components").forEach(components::add);
        Map<String, String> licenses = NOTICE.matcher(entry("META-INF/THIRD-PARTY-NOTICES.txt")).results()
                .collect(Collectors.toMap(notice -> notice.group(1) + ":" + notice.group(2), notice -> notice.group(4),
                        (one, _) -> one));

        Set<String> expected = coordinates(components).stream().filter(each -> !each.startsWith("io.queenmq:"))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(new TreeSet<>(licenses.keySet())).isEqualTo(expected);
        assertThat(licenses).containsEntry("io.netty:netty-common", "Apache-2.0")
                .containsEntry("ch.qos.logback:logback-core", "EPL-2.0 or LGPL-2.1-only")
                .containsEntry("org.mvnpm:lit", "BSD-3-Clause");
        assertThat(entry("META-INF/THIRD-PARTY-NOTICES.txt")).contains("PostgreSQL License", "OpenSSL");
        assertThat(entry("META-INF/LICENSE")).contains("Apache License");
    }

    @Test
    void theCommandPrintsBoth() throws Exception {
        assertThat(queen("licenses")).isEqualTo(entry("META-INF/THIRD-PARTY-NOTICES.txt"));
        assertThat(queen("licenses", "--sbom")).isEqualTo(entry("META-INF/sbom/queen.cdx.json"));
    }

    /** Without unzip, the original wrapper compares the checksum of the zip file with an archive of another kind. */
    @Test
    void theWrapperRunsNoMavenThatWasChanged() throws Exception {
        for (boolean hasUnzip : List.of(true, false)) {
            Process wrapper = wrapper(hasUnzip,
                    "#!/bin/sh\nwhile [ $# -gt 1 ]; do shift; done\necho changed > \"$1\"\n");
            String output = new String(wrapper.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(wrapper.waitFor()).as(output).isNotZero();
            assertThat(output).contains("Failed to validate Maven distribution SHA-256")
                    .doesNotContain("Apache Maven 3");
            try (Stream<Path> installed = Files.walk(folder.resolve("home"))) {
                assertThat(installed).noneMatch(Files::isRegularFile);
            }
        }
    }

    @Test
    void theWrapperHasAChecksumForEachKindOfArchive() throws IOException {
        assertThat(Files.readString(ROOT.resolve(".mvn/wrapper/maven-wrapper.properties")))
                .containsPattern("(?m)^distributionSha256Sum=[0-9a-f]{64}$")
                .containsPattern("(?m)^distributionTarGzSha256Sum=[0-9a-f]{64}$");
    }

    /** Starts the wrapper with a download program that stores something else as the last argument. */
    private Process wrapper(boolean hasUnzip, String download) throws IOException {
        Path programs = Files.createDirectories(folder.resolve("programs-" + hasUnzip));
        for (String name : List.of("sh", "dirname", "basename", "tr", "uname", "mktemp", "rm", "mkdir", "mv",
                "sha256sum", "shasum", "tar", "gzip")) {
            Path program = find(name);
            if (program != null) {
                Files.createSymbolicLink(programs.resolve(name), program);
            }
        }
        if (hasUnzip) {
            // Only its presence matters: a changed archive is not unpacked.
            write(programs.resolve("unzip"), "#!/bin/sh\nexit 1\n");
        }
        write(programs.resolve("wget"), download);
        ProcessBuilder builder = new ProcessBuilder(ROOT.resolve("mvnw").toString(), "-v").redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(Map.of("PATH", programs.toString(), "HOME", folder.toString(), "MAVEN_USER_HOME",
                folder.resolve("home").toString()));
        return builder.start();
    }

    private static void write(Path program, String script) throws IOException {
        Files.writeString(program, script);
        assertThat(program.toFile().setExecutable(true)).isTrue();
    }

    private static Path find(String program) {
        return Stream.of("/usr/bin", "/bin", "/usr/local/bin").map(each -> Path.of(each, program)).filter(Files::exists)
                .findFirst().orElse(null);
    }

    private static String queen(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar", JAR.toString()));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private static String sha256(Path file) throws IOException, NoSuchAlgorithmException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    }

    private static JsonNode sbom() throws IOException {
        return new ObjectMapper().readTree(entry("META-INF/sbom/queen.cdx.json"));
    }

    /** Returns the name of the file that a component is shipped as. */
    private static String fileOf(JsonNode component) {
        String reference = component.get("bom-ref").asText();
        int classifier = reference.indexOf("classifier=");
        String suffix = classifier < 0
                ? ""
                : "-" + reference.substring(classifier + "classifier=".length()).replaceAll("&.*", "");
        return component.get("name").asText() + "-" + component.get("version").asText() + suffix + ".jar";
    }

    private static Set<String> coordinates(List<JsonNode> components) {
        return components.stream().map(each -> each.get("group").asText() + ":" + each.get("name").asText())
                .collect(Collectors.toSet());
    }

    /** Returns the scripts that are unpacked into the dashboard. */
    private static Set<String> scripts() throws IOException {
        List<MatchResult> items = ARTIFACT_ITEM.matcher(Files.readString(ROOT.resolve("dashboard/pom.xml"))).results()
                .toList();
        assertThat(items).hasSizeGreaterThanOrEqualTo(5);
        return items.stream().map(item -> item.group(1) + ":" + item.group(2)).collect(Collectors.toSet());
    }

    private static List<String> libraries() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            return Stream.of(jar.getManifest().getMainAttributes().getValue("Class-Path").split(" "))
                    .map(each -> each.substring("lib/".length())).toList();
        }
    }

    private static String entry(String name) throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            assertThat(jar.getEntry(name)).as(name).isNotNull();
            try (InputStream in = jar.getInputStream(jar.getEntry(name))) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }
}
