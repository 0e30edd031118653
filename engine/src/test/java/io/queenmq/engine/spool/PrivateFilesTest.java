package io.queenmq.engine.spool;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.config.SpoolConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of the spool contain messages: no other user may read them. */
class PrivateFilesTest {
    @TempDir
    Path folder;

    @Test
    void newFilesAndFoldersAreHidden() throws IOException {
        Path spool = folder.resolve("data/spool");
        SpoolStore.open(new SpoolConfig(true, spool, 1 << 20)).close();
        new DiskFolder(spool.resolve("waiting")).create("1.log").close();

        assertThat(permissions(spool)).containsOnly("rwx------", "rw-------").contains("rw-------");
        assertThat(permission(folder.resolve("data"))).as("may be shared with the embedded PostgreSQL")
                .isNotEqualTo("rwx------");
    }

    @Test
    void existingFilesAndFoldersAreHiddenToo() throws IOException {
        Path spool = folder.resolve("spool");
        for (String name : List.of("waiting", "refused")) {
            Files.createDirectories(spool.resolve(name));
            Files.setPosixFilePermissions(spool.resolve(name), PosixFilePermissions.fromString("rwxr-xr-x"));
            Path file = Files.createFile(spool.resolve(name + "/00000000000000000001.log"));
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        }
        Files.setPosixFilePermissions(spool, PosixFilePermissions.fromString("rwxr-xr-x"));

        SpoolStore.open(new SpoolConfig(true, spool, 1 << 20)).close();

        assertThat(permissions(spool)).containsOnly("rwx------", "rw-------");
    }

    /** A user who could write to the folder before may have created a symbolic link there. */
    @Test
    void aLinkIsNotFollowed() throws IOException {
        Path other = Files.createFile(folder.resolve("other"));
        Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rw-r--r--"));
        Path spool = Files.createDirectories(folder.resolve("spool"));
        Files.createSymbolicLink(spool.resolve("connection"), other);

        PrivateFiles.createFolder(spool);

        assertThat(permission(other)).isEqualTo("rw-r--r--");
        assertThat(permission(spool)).isEqualTo("rwx------");
    }

    private static List<String> permissions(Path top) throws IOException {
        try (Stream<Path> all = Files.walk(top)) {
            return all.map(PrivateFilesTest::permission).toList();
        }
    }

    private static String permission(Path path) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
