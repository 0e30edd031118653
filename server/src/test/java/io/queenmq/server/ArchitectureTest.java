package io.queenmq.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.queenmq.engine.time.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The rules for the code of the Maven modules {@code engine} and {@code server}. ArchUnit fails a rule that matches no class, so
 * that a rule cannot lose its subject unnoticed.
 */
class ArchitectureTest {
    private static final String ENGINE = "io.queenmq.engine";
    private static final String SERVER = "io.queenmq.server";
    private static final Path REPOSITORY = Path.of("..");
    private static final Path DOCUMENT = REPOSITORY.resolve("ARCHITECTURE.md");
    private static final String BEGIN = "<!-- packages: written by ArchitectureTest -->\n";
    private static final String END = "<!-- end of packages -->\n";
    private static final int PARAMETERS_MAX = 7;

    /** Records of data with more components than that. The list may only become shorter. */
    private static final Set<String> LONG_RECORDS = Set.of("config.EngineConfig", "queue.Queue", "spool.SpoolStatus",
            "spool.SpoolEntry", "command.PopCommand", "command.CycleCommand", "cluster.ClusterReport",
            "cluster.ClusterReport$Member");

    /** Classes that use the driver although they call no routine. The list may only become shorter. */
    private static final Set<String> DRIVER_USERS = Set.of("ack.AckArguments", "pop.ConsumerHeartbeat",
            "pop.ConsumerReport", "push.Acceptances", "push.SegmentDraft");

    private static final JavaClasses CODE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar")).importPackages(ENGINE, SERVER);

    @Test
    void packagesUseOnlyTheAllowedPackages() {
        assertThat(PackageRules.violations(PackageRules.allowed(), PackageRules.actual(CODE))).isEmpty();
    }

    @Test
    void packagesUseOnlyPackagesAboveThem() {
        assertThat(PackageRules.upward(PackageRules.allowed())).isEmpty();
    }

    @Test
    void aMissingAnUnusedAndAnUnknownEntryAreFound() {
        Map<String, Set<String>> allowed = PackageRules.allowed();
        allowed.get("engine.push").remove("engine.batch");
        allowed.get("engine.push").add("engine.pop");
        allowed.put("engine.unknown", Set.of());

        assertThat(PackageRules.violations(allowed, PackageRules.actual(CODE))).containsExactly(
                "engine.push must not use engine.batch", "engine.push does not use engine.pop; remove it from the line",
                "engine.unknown does not exist; remove its line");
        assertThat(PackageRules.upward(Map.of("a", Set.of("b")))).containsExactly("a uses b, which is not above it");
    }

    /** To write the table: run this with -Dqueen.write-docs=true. */
    @Test
    void theDocumentShowsTheTable() throws IOException {
        String document = Files.readString(DOCUMENT);
        int begin = document.indexOf(BEGIN) + BEGIN.length();
        int end = document.indexOf(END);
        String table = PackageRules.markdown(REPOSITORY);
        if (Boolean.getBoolean("queen.write-docs")) {
            Files.writeString(DOCUMENT, document.substring(0, begin) + table + document.substring(end));
        } else {
            assertThat(document.substring(begin, end)).isEqualTo(table);
        }
    }

    @Test
    void onlyHttpUsesHttp() {
        check(noClasses().that().resideOutsideOfPackages(SERVER + ".http..").should().dependOnClassesThat()
                .resideInAnyPackage("io.vertx.core.http..", "io.netty.handler.codec.http.."));
    }

    @Test
    void httpAndConfigDoNotUseTheDatabase() {
        check(noClasses().that().resideInAnyPackage(SERVER + ".http..", SERVER + ".config..", ENGINE + ".config..")
                .should().dependOnClassesThat()
                .resideInAnyPackage("io.vertx.sqlclient..", "io.vertx.pgclient..", "java.sql.."));
    }

    @Test
    void inTheEngineOnlyConnectionsAndRoutinesUseTheDriver() {
        Set<String> users = CODE.stream().filter(type -> type.getPackageName().startsWith(ENGINE))
                .filter(type -> !type.getPackageName().equals(ENGINE + ".connection"))
                .filter(type -> type.getDirectDependenciesFromSelf().stream().anyMatch(
                        each -> each.getTargetClass().getPackageName().matches("io\\.vertx\\.(sql|pg)client.*")))
                .map(type -> outermost(type, ENGINE)).filter(name -> !name.matches(".*Routines?"))
                .collect(Collectors.toSet());

        assertThat(users).isEqualTo(DRIVER_USERS);
    }

    @Test
    void theEngineUsesNeitherSocketsNorEventLoops() {
        check(noClasses().that().resideInAPackage(ENGINE + "..").should().dependOnClassesThat()
                .resideInAnyPackage("io.vertx.core.net..", "java.net..", "io.netty.channel..", "io.netty.handler..")
                .orShould().dependOnClassesThat().haveNameMatching("io\\.vertx\\.core\\.(Vertx|Context)"));
    }

    @Test
    void theEngineStartsNoThreads() {
        check(noClasses().that().resideInAPackage(ENGINE + "..").should().callConstructor(Thread.class, Runnable.class)
                .orShould().callMethod(Thread.class, "ofVirtual").orShould().callMethod(Thread.class, "ofPlatform")
                .orShould().callMethod(Thread.class, "startVirtualThread", Runnable.class).orShould()
                .dependOnClassesThat().haveNameMatching(
                        "java\\.util\\.concurrent\\.(Executors|ExecutorService|ForkJoinPool|.*ThreadPool.*)|java\\.util\\.Timer"));
    }

    @Test
    void theEngineDoesNotReadTheRealClock() {
        check(noClasses().that().resideInAPackage(ENGINE + "..").and().areNotAssignableTo(Clock.class).should()
                .accessField(Clock.class, "SYSTEM"));
    }

    @Test
    void onlyTheClockReadsTheTime() {
        check(noClasses().that().areNotAssignableTo(Clock.class).should().callMethod(System.class, "nanoTime")
                .orShould().callMethod(System.class, "currentTimeMillis").orShould().callMethod(Instant.class, "now")
                .orShould().callMethod(OffsetDateTime.class, "now").orShould()
                .callMethod(java.time.Clock.class, "systemUTC"));
    }

    @Test
    void commandsAndOutcomesAreData() {
        check(classes().that().haveSimpleNameEndingWith("Command").and().areNotInterfaces().should().beRecords());
        check(classes().that().haveSimpleNameEndingWith("Outcome").and().areTopLevelClasses().should().beRecords()
                .orShould().beInterfaces());
    }

    @Test
    void onlyConfigurationReadsTheEnvironment() {
        check(noClasses().that().doNotHaveSimpleName("Main").should().callMethod(System.class, "getenv").orShould()
                .callMethod(System.class, "getenv", String.class).orShould()
                .callMethod(System.class, "getProperty", String.class));
    }

    @Test
    void classNamesFollowTheRules() {
        check(noClasses().should().haveNameMatching(".*(Util|Utils|Helper|Manager|Impl)"));
        check(noClasses().should().haveSimpleNameStartingWith("Abstract"));
    }

    @Test
    void noLoopThreadSleeps() {
        check(noClasses().that().resideInAnyPackage(ENGINE + "..", SERVER + ".*..").should().callMethod(Thread.class,
                "sleep", long.class));
    }

    @Test
    void constructorsHaveFewParameters() {
        Set<String> longer = CODE.stream().filter(type -> !type.isEnum())
                .filter(type -> type.getConstructors().stream()
                        .anyMatch(each -> each.getRawParameterTypes().size() > PARAMETERS_MAX))
                .map(type -> type.getName().replaceFirst("io\\.queenmq\\.(engine|server)\\.", ""))
                .collect(Collectors.toSet());

        assertThat(longer).isEqualTo(LONG_RECORDS);
    }

    /** Returns the name of the class, or of the class that it is nested in, relative to the package. */
    private static String outermost(JavaClass type, String root) {
        return type.getName().substring(root.length() + 1).replaceAll("\\$.*", "");
    }

    private static void check(ArchRule rule) {
        rule.check(CODE);
    }
}
