package io.queenmq.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.security.auth.module.UnixSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FirstStartTest {
    @TempDir
    private Path directory;

    @BeforeEach
    void accessibleToItsOwnerOnly() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }

    /** The mode of a folder that {@code mktemp -d} creates. */
    @Test
    void aPrivateDirectoryOfAnyUserIncludingRootIsAccepted() throws Exception {
        var home = directory.resolve("deep/er/home");
        for (int start = 1; start <= 2; start++) {
            try (var postgres = EmbeddedPostgres.start(home)) {
                assertThat(Client.of(postgres).ask("show fsync")).isEqualTo("on");
            }
        }
        var owner = (int) Files.getAttribute(home.resolve("pgdata"), "unix:uid");
        assertThat(owner).isEqualTo((int) new UnixSystem().getUid());
    }

    @Test
    void rootHandsAReachableDirectoryToAnotherUser() throws Exception {
        assumeTrue(new UnixSystem().getUid() == 0);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        for (int start = 1; start <= 2; start++) {
            try (var postgres = EmbeddedPostgres.start(directory)) {
                assertThat(Client.of(postgres).ask("show fsync")).isEqualTo("on");
            }
        }
        assertThat((int) Files.getAttribute(directory.resolve("pgdata"), "unix:uid")).isNotZero();
    }

    @Test
    void filesOfAnInterruptedFirstStartAreRemoved() throws Exception {
        Files.writeString(Files.createDirectories(directory.resolve("pgdata.new/base")).resolve("1"), "half");
        Files.writeString(directory.resolve("password.initdb"), "half");
        try (var partial = Files.newDirectoryStream(preparePartial())) {
            assertThat(partial).isNotEmpty();
        }
        try (var postgres = EmbeddedPostgres.start(directory)) {
            assertThat(Client.of(postgres).ask("select 1")).isEqualTo("1");
        }
        try (var names = Files.list(directory)) {
            assertThat(names.map(path -> path.getFileName().toString().replaceAll("[0-9.]+$", "")))
                    .containsExactlyInAnyOrder("lock", "password", "pgdata", "postgresql-", "postgresql.log");
        }
    }

    private Path preparePartial() throws Exception {
        var version = Binaries.unpackInto(directory).directory();
        var partial = version.resolveSibling(version.getFileName() + ".partial");
        Files.move(version, partial);
        return partial;
    }
}
