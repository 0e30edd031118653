package io.queenmq.embedded;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Selects the user for PostgreSQL by trying the candidates. */
final class RunAsChoice {
    private static final Logger log = LoggerFactory.getLogger(RunAsChoice.class);
    private static final int ROOT = 0;

    /** Not root, can run the program, can write the directory. */
    private static final String PROBE = """
            [ "$(id -u)" != 0 ] && "$1" --version >/dev/null && : >"$2/probe" && rm "$2/probe"
            """;

    private RunAsChoice() {}

    static RunAs choose(Binaries binaries, DataDirectory data) {
        if (new UnixSystem().getUid() != ROOT) {
            return new RunAs.Self();
        }
        var tried = new ArrayList<String>();
        for (var candidate : candidates(data)) {
            var probe = probe(candidate, binaries, data);
            if (probe.succeeded()) {
                log.debug("PostgreSQL runs as {}", candidate);
                return candidate;
            }
            tried.add(candidate + " (" + probe.output() + ")");
        }
        throw new EmbeddedPostgresException("This process is root, PostgreSQL does not run as root, and no other way "
                + "works with " + data.path() + ". Tried: " + String.join("; ", tried) + ". Run Queen as another user, "
                + "or set PG_HOST to use an existing PostgreSQL server.");
    }

    /** An existing directory must keep its owner, because PostgreSQL rejects other owners. */
    private static List<RunAs> candidates(DataDirectory data) {
        if (data.exists()) {
            var owner = data.owner();
            return List.of(owner.uid() == ROOT ? new RunAs.UserNamespace() : owner);
        }
        var candidates = new ArrayList<RunAs>();
        findUser("postgres").or(() -> findUser("nobody")).ifPresent(candidates::add);
        candidates.add(new RunAs.UserNamespace());
        return candidates;
    }

    private static Commands.Result probe(RunAs candidate, Binaries binaries, DataDirectory data) {
        var directory = data.prepareFor(candidate);
        var script = List.of("sh", "-c", PROBE, "sh", binaries.executable("postgres"), directory.toString());
        return Commands.run(candidate.wrap(script));
    }

    private static Optional<RunAs> findUser(String name) {
        try (var lines = Files.lines(Path.of("/etc/passwd"))) {
            return lines.map(line -> line.split(":")).filter(fields -> fields.length > 3 && fields[0].equals(name))
                    .<RunAs>map(fields -> new RunAs.OtherUser(Integer.parseInt(fields[2]), Integer.parseInt(fields[3])))
                    .findFirst();
        } catch (IOException _) {
            return Optional.empty(); // the file is missing; the next candidate does not use one
        }
    }
}
