package io.queenmq.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * An embedded PostgreSQL that another process has started.
 *
 * @param pid that of the postmaster
 */
public record RunningPostgres(long pid, String host, int port, String database, String user, String password) {
    /** Returns the PostgreSQL that runs in this home. Empty if none runs, or if the home is not readable. */
    public static Optional<RunningPostgres> find(Path home) {
        var data = new DataDirectory(home.resolve("pgdata"));
        try {
            var password = Files.readString(home.resolve("password")).strip();
            return PostmasterFile.find(data.postmasterFile()).filter(PostmasterFile::isReady)
                    .map(file -> new RunningPostgres(file.pid(), Postmaster.HOST, file.port(),
                            EmbeddedPostgres.DATABASE, DataDirectory.SUPERUSER, password));
        } catch (IOException | EmbeddedPostgresException _) {
            return Optional.empty();
        }
    }
}
