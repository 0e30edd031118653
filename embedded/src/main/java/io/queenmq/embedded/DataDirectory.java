package io.queenmq.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The directory with the database itself. */
record DataDirectory(Path path) {
    static final String SUPERUSER = "postgres";

    private static final Logger log = LoggerFactory.getLogger(DataDirectory.class);

    boolean exists() {
        return Files.exists(path);
    }

    Path postmasterFile() {
        return path.resolve("postmaster.pid");
    }

    RunAs.OtherUser owner() {
        try {
            return new RunAs.OtherUser((int) Files.getAttribute(path, "unix:uid"),
                    (int) Files.getAttribute(path, "unix:gid"));
        } catch (IOException e) {
            throw new EmbeddedPostgresException("cannot read the owner of " + path, e);
        }
    }

    /** Prepares the directory for {@code runAs}: the existing database, or an empty directory. */
    Path prepareFor(RunAs runAs) {
        if (exists()) {
            return path;
        }
        try {
            Trees.delete(unfinished());
            Files.createDirectory(unfinished());
            Files.setPosixFilePermissions(unfinished(), PosixFilePermissions.fromString("rwx------"));
            handOver(unfinished(), runAs);
            return unfinished();
        } catch (IOException e) {
            throw new EmbeddedPostgresException("cannot create " + unfinished() + ": " + e.getMessage(), e);
        }
    }

    /** Creates the database under another name first, so that an interrupted creation is never used. */
    void createIfMissing(Binaries binaries, RunAs runAs, String password) {
        if (exists()) {
            return;
        }
        log.info("creating a database in {}", path);
        prepareFor(runAs);
        var passwordFile = path.resolveSibling("password.initdb");
        try {
            Files.deleteIfExists(passwordFile);
            Password.write(passwordFile, password);
            handOver(passwordFile, runAs);
            initialize(binaries, runAs, passwordFile);
            Files.move(unfinished(), path);
            Trees.sync(Objects.requireNonNull(path.getParent()));
        } catch (IOException e) {
            throw new EmbeddedPostgresException("cannot create a database in " + path + ": " + e.getMessage(), e);
        } finally {
            passwordFile.toFile().delete();
        }
    }

    private void initialize(Binaries binaries, RunAs runAs, Path passwordFile) {
        var result = Commands.run(runAs.wrap(List.of(binaries.executable("initdb"), "--pgdata=" + unfinished(),
                "--username=" + SUPERUSER, "--pwfile=" + passwordFile, "--auth=scram-sha-256", "--encoding=UTF8",
                "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--no-instructions")));
        if (!result.succeeded()) {
            throw new EmbeddedPostgresException("initdb failed for " + path + " as " + runAs + ": " + result.output());
        }
    }

    private Path unfinished() {
        return path.resolveSibling(path.getFileName() + ".new");
    }

    private static void handOver(Path file, RunAs runAs) throws IOException {
        if (runAs instanceof RunAs.OtherUser(int uid, int gid)) {
            Files.setAttribute(file, "unix:uid", uid);
            Files.setAttribute(file, "unix:gid", gid);
        }
    }
}
