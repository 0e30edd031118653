package io.queenmq.engine.spool;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates files and folders that only the user of this process can read, because they contain messages. */
final class PrivateFiles {
    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

    private static final Logger log = LoggerFactory.getLogger(PrivateFiles.class);

    private PrivateFiles() {}

    /** Creates the folder if it is missing. Restricts it and its files if they are accessible to others. */
    static Path createFolder(Path path) throws IOException {
        if (!isPosix(path)) {
            return Files.createDirectories(path);
        }
        if (!Files.isDirectory(path)) {
            // Folders above it may be shared with other users, such as the one that runs the embedded PostgreSQL.
            Files.createDirectories(path.toAbsolutePath().getParent());
            Files.createDirectory(path, PosixFilePermissions.asFileAttribute(FOLDER));
        }
        restrict(path, FOLDER);
        try (Stream<Path> files = Files.list(path)) {
            // A symbolic link may point to a file of another user.
            for (Path file : files.filter(each -> Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS)).toList()) {
                restrict(file, FILE);
            }
        }
        return path;
    }

    /**
     * Restricts the permissions. Only the owner may change them, so a volume of another user is used unchanged, with a
     * warning.
     */
    private static void restrict(Path path, Set<PosixFilePermission> permissions) throws IOException {
        Set<PosixFilePermission> present = Files.getPosixFilePermissions(path);
        if (present.equals(permissions)) {
            return;
        }
        try {
            Files.setPosixFilePermissions(path, permissions);
        } catch (FileSystemException e) {
            log.warn(
                    "cannot restrict access to {}, which contains messages and has mode {}; restrict it to its owner: {}",
                    path, PosixFilePermissions.toString(present), e.getMessage());
        }
    }

    static FileChannel open(Path path, Set<? extends OpenOption> options) throws IOException {
        FileAttribute<?>[] attributes = isPosix(path)
                ? new FileAttribute<?>[]{PosixFilePermissions.asFileAttribute(FILE)}
                : new FileAttribute<?>[0];
        return FileChannel.open(path, options, attributes);
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
