package io.queenmq.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The contents of {@code postmaster.pid}.
 *
 * @param port 0 until the postmaster is ready
 */
record PostmasterFile(long pid, int port, boolean isReady) {
    private static final int PORT_LINE = 3;
    private static final int STATUS_LINE = 7;

    static Optional<PostmasterFile> find(Path file) {
        try {
            var lines = Files.readAllLines(file);
            if (lines.isEmpty()) {
                return Optional.empty(); // just created, not yet written
            }
            var pid = Long.parseLong(lines.getFirst().strip());
            var isReady = lines.size() > STATUS_LINE && lines.get(STATUS_LINE).strip().equals("ready");
            var port = isReady ? Integer.parseInt(lines.get(PORT_LINE).strip()) : 0;
            return Optional.of(new PostmasterFile(pid, port, isReady));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException | NumberFormatException e) {
            throw new EmbeddedPostgresException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
