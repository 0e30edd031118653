package io.queenmq.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log of PostgreSQL contains statements: no other user may read it. */
class LogFileTest {
    @TempDir
    Path folder;

    @Test
    void aNewLogIsHidden() throws IOException {
        LogFile.open(folder.resolve("postgresql.log"));

        assertThat(mode("postgresql.log")).isEqualTo("rw-------");
    }

    @Test
    void logsOfEarlierReleasesAreHiddenToo() throws IOException {
        for (String name : new String[]{"postgresql.log", "postgresql.log.1"}) {
            Files.setPosixFilePermissions(Files.writeString(folder.resolve(name), "a statement"),
                    PosixFilePermissions.fromString("rw-r--r--"));
        }

        LogFile.open(folder.resolve("postgresql.log"));

        assertThat(mode("postgresql.log")).isEqualTo("rw-------");
        assertThat(mode("postgresql.log.1")).isEqualTo("rw-------");
    }

    private String mode(String name) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(name)));
    }
}
