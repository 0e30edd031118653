package io.queenmq.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;

/** The log file of PostgreSQL. */
record LogFile(Path path, long from) {
    private static final long BYTES_MAX = 16 << 20;
    private static final int TAIL_LINES_MAX = 15;
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    /** Rotates a long log first. At most two files exist. */
    static LogFile open(Path path) {
        try {
            Path earlier = path.resolveSibling(path.getFileName() + ".1");
            if (Files.exists(path) && Files.size(path) > BYTES_MAX) {
                Files.move(path, earlier, StandardCopyOption.REPLACE_EXISTING);
            }
            if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                createHidden(path);
                hideFromOthers(earlier);
            }
            return new LogFile(path, Files.exists(path) ? Files.size(path) : 0);
        } catch (IOException e) {
            throw new EmbeddedPostgresException("cannot write " + path, e);
        }
    }

    private static void createHidden(Path path) throws IOException {
        if (!Files.exists(path)) {
            Files.createFile(path, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        }
        hideFromOthers(path);
    }

    /** The file is private, because statements in the log contain names and payloads. */
    private static void hideFromOthers(Path path) throws IOException {
        if (Files.exists(path)) {
            Files.setPosixFilePermissions(path, OWNER_ONLY);
        }
    }

    boolean mentions(String text) {
        return read().contains(text);
    }

    String tail() {
        var lines = read().strip().split("\n");
        return String.join("\n", Arrays.copyOfRange(lines, Math.max(0, lines.length - TAIL_LINES_MAX), lines.length));
    }

    private String read() {
        try (var in = Files.newInputStream(path)) {
            in.skipNBytes(from);
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            return "(the log cannot be read: " + e.getMessage() + ")";
        }
    }
}
