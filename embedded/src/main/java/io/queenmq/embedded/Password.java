package io.queenmq.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/** The superuser's password: random, created once per data directory, readable only by the owner of the file. */
final class Password {
    private static final int RANDOM_BYTES = 24;

    private Password() {}

    static String of(Path home, DataDirectory data) {
        var file = home.resolve("password");
        try {
            if (Files.exists(file)) {
                return Files.readString(file).strip();
            }
            if (data.exists()) {
                throw new EmbeddedPostgresException("there is a database in " + data.path()
                        + " but its password is gone: " + file
                        + " is missing. Put the file back, or move the database away to begin with an empty one.");
            }
            var password = random();
            write(file, password);
            return password;
        } catch (IOException e) {
            throw new EmbeddedPostgresException("cannot keep a password in " + file, e);
        }
    }

    /** Writes the file with private permissions from the beginning, and atomically. */
    static void write(Path file, String password) throws IOException {
        var temporary = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(temporary);
        var ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (var channel = FileChannel.open(temporary, options, ownerOnly)) {
            channel.write(ByteBuffer.wrap((password + "\n").getBytes(UTF_8)));
            channel.force(true);
        }
        Files.move(temporary, file);
    }

    private static String random() {
        var bytes = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
