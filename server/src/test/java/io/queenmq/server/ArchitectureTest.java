package io.queenmq.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.queenmq.engine.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.junit.jupiter.api.Test;

/** The rules of the building, as ARCHITECTURE.md tells them. */
class ArchitectureTest {
    private static final String ROOT = "io.queenmq.server";
    private static final JavaClasses CODE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    @Test
    void roomsDoNotDependOnEachOtherInCircles() {
        check(slices().matching(ROOT + ".(*)..").should().beFreeOfCycles());
    }

    @Test
    void onlyHttpKnowsAboutHttp() {
        check(noClasses().that().resideOutsideOfPackages(ROOT + ".http..").should().dependOnClassesThat()
                .resideInAnyPackage("io.vertx.core.http..", "io.vertx.ext.web.."));
    }

    @Test
    void httpAndConfigKnowNothingOfTheDatabase() {
        check(noClasses().that().resideInAnyPackage(ROOT + ".http..", ROOT + ".config..").should().dependOnClassesThat()
                .resideInAnyPackage("io.vertx.sqlclient..", "io.vertx.pgclient..", ROOT + ".postgres..",
                        ROOT + ".batch..",
                        "java.sql.."));
    }

    @Test
    void nobodyButTheServerItselfKnowsTheHttpRoom() {
        check(noClasses().that().resideInAPackage(ROOT + ".*..").and().resideOutsideOfPackage(ROOT + ".http..").should()
                .dependOnClassesThat().resideInAPackage(ROOT + ".http.."));
    }

    @Test
    void lowerRoomsDoNotKnowTheOperations() {
        check(noClasses().that()
                .resideInAnyPackage(ROOT + ".partition..", ROOT + ".lease..", ROOT + ".batch..", ROOT + ".postgres..",
                        ROOT + ".time..", ROOT + ".reply..", ROOT + ".catalog..")
                .should().dependOnClassesThat().resideInAnyPackage(ROOT + ".push..", ROOT + ".pop..", ROOT + ".ack..",
                        ROOT + ".renew..", ROOT + ".transact..", ROOT + ".stream..", ROOT + ".engine.."));
    }

    @Test
    void pushAndPopDoNotKnowEachOther() {
        check(noClasses().that().resideInAPackage(ROOT + ".push..").should().dependOnClassesThat()
                .resideInAnyPackage(ROOT + ".pop..", ROOT + ".ack.."));
        check(noClasses().that().resideInAPackage(ROOT + ".pop..").should().dependOnClassesThat()
                .resideInAnyPackage(ROOT + ".push..", ROOT + ".ack.."));
    }

    @Test
    void commandsAndOutcomesAreData() {
        check(classes().that().haveSimpleNameEndingWith("Command").should().beRecords());
        check(classes().that().haveSimpleNameEndingWith("Outcome").and().areTopLevelClasses().should().beRecords()
                .orShould().beInterfaces());
    }

    @Test
    void onlyConfigurationReadsTheEnvironment() {
        check(noClasses().that().doNotHaveSimpleName("Main").should().callMethod(System.class, "getenv")
                .orShould().callMethod(System.class, "getenv", String.class)
                .orShould().callMethod(System.class, "getProperty", String.class));
    }

    @Test
    void nothingIsNamedAfterNothing() {
        check(noClasses().should().haveNameMatching(".*(Util|Utils|Helper|Manager|Impl)"));
        check(noClasses().should().haveSimpleNameStartingWith("Abstract"));
    }

    @Test
    void noLoopThreadSleeps() {
        check(noClasses().that().resideInAPackage(ROOT + ".*..").should().callMethod(Thread.class, "sleep",
                long.class));
    }

    @Test
    void onlyTheClockReadsTheTime() {
        check(noClasses().that().resideOutsideOfPackage(ROOT + ".time..").should().callMethod(System.class, "nanoTime")
                .orShould().callMethod(System.class, "currentTimeMillis")
                .orShould().callMethod(Instant.class, "now")
                .orShould().callMethod(OffsetDateTime.class, "now")
                .orShould().callMethod(java.time.Clock.class, "systemUTC"));
    }

    @Test
    void theRoomsOfTheEngineKnowNeitherThreadsNorLoopsNorTheRealClock() {
        check(noClasses().that().haveSimpleName("Rooms").or()
                .resideInAnyPackage(ROOT + ".push..", ROOT + ".pop..", ROOT + ".ack..", ROOT + ".renew..",
                        ROOT + ".transact..", ROOT + ".stream..", ROOT + ".catalog..", ROOT + ".partition..",
                        ROOT + ".lease..",
                        ROOT + ".batch..")
                .should().dependOnClassesThat().haveNameMatching("io\\.vertx\\.core\\.(Vertx|Context)")
                .orShould().dependOnClassesThat().haveFullyQualifiedName(Clock.class.getName())
                .orShould().callConstructor(Thread.class, Runnable.class)
                .orShould().callMethod(Thread.class, "ofVirtual")
                .orShould().callMethod(Thread.class, "ofPlatform"));
    }

    private static void check(ArchRule rule) {
        rule.check(CODE);
    }
}
