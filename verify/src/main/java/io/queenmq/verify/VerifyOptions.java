package io.queenmq.verify;

import io.queenmq.verify.cluster.Cluster;
import io.queenmq.verify.fault.Fault;
import io.queenmq.verify.fault.Faults;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The options of a run.
 *
 * @param urls the servers to verify; empty to start own ones
 * @param history a history to check without a run; null to run
 * @param program the command that starts a server
 * @param releases jar files of other builds
 */
public record VerifyOptions(String command, int seconds, int servers, int shards, List<Fault> faults, long seed,
        int rate, int partitions, List<URI> urls, Path report, @Nullable Path history, List<String> program,
        List<Path> releases, boolean isHelp) {
    public static final String USAGE = """
            usage: queen verify [options]

            Applies load to servers, injects faults, records every request in a history, and checks the history.
            Without --url it starts PostgreSQL and servers of its own in a directory below the current one, and
            deletes them at the end. With --url it creates queues that begin with "verify-", deletes them at the
            end, and injects no faults.

              --seconds N     duration of the load (60); the drain and the checks follow
              --servers N     number of servers to start (2)
              --shards N      number of shards of the database (1)
              --faults LIST   all, none, or names separated by commas (all)
              --seed N        seed of the load and of the faults (random); the same seed selects the same faults
              --rate N        messages per second that producers push (300)
              --partitions N  partitions of the largest queue (10000)
              --release JAR   queen.jar of another build, for the fault other-releases; may be repeated (default: this
                              build with another text of a routine)
              --url URL       server to verify; may be repeated, for servers on one database. The environment variable
                              QUEEN_TOKEN is sent as a bearer token
              --report DIR    directory for report.md, report.html, history.jsonl and the logs of the servers
                              (queen-verify)
              --check FILE    check the history in FILE instead of a run
              --list          list the faults
              --help          print this help

            Exit code: 0 guarantees held, 1 a guarantee was violated, 2 the run could not be executed.
            """;

    /**
     * Parses the arguments.
     *
     * @throws IllegalArgumentException if an option is unknown or a value is not valid
     */
    static VerifyOptions parse(String... args) {
        Draft draft = new Draft();
        for (int i = 0; i < args.length; i++) {
            String name = args[i];
            String value = null;
            int equals = name.indexOf('=');
            if (equals > 0) {
                value = name.substring(equals + 1);
                name = name.substring(0, equals);
            }
            if (name.equals("--help") || name.equals("-h")) {
                draft.isHelp = true;
                continue;
            }
            if (value == null && ++i == args.length) {
                throw new IllegalArgumentException("option " + name + " needs a value");
            }
            draft.set(name, value == null ? args[i] : value);
        }
        return draft.options("queen verify " + String.join(" ", args));
    }

    private static final class Draft {
        private int seconds = 60;
        private int servers = 2;
        private int shards = 1;
        private @Nullable List<Fault> faults;
        private long seed = ThreadLocalRandom.current().nextInt(1_000_000);
        private int rate = 300;
        private int partitions = 10_000;
        private final List<URI> urls = new ArrayList<>();
        private Path report = Path.of("queen-verify");
        private @Nullable Path history;
        private final List<Path> releases = new ArrayList<>();
        private boolean isHelp;

        private void set(String name, String value) {
            switch (name) {
                case "--seconds" -> seconds = number(name, value, 1, 604_800);
                case "--servers" -> servers = number(name, value, 1, 9);
                case "--shards" -> shards = number(name, value, 1, 64);
                case "--rate" -> rate = number(name, value, 1, 100_000);
                case "--partitions" -> partitions = number(name, value, 1, 100_000);
                case "--seed" -> seed = number(name, value, 0, Integer.MAX_VALUE);
                case "--faults" -> faults = Faults.named(value);
                case "--url" -> urls.add(URI.create(value));
                case "--report" -> report = Path.of(value);
                case "--release" -> releases.add(Path.of(value));
                case "--check" -> history = Path.of(value);
                default -> throw new IllegalArgumentException("option " + name + " is unknown");
            }
        }

        private static int number(String name, String value, int min, int max) {
            try {
                int number = Integer.parseInt(value);
                if (number >= min && number <= max) {
                    return number;
                }
            } catch (NumberFormatException _) {
                // Reported below.
            }
            throw new IllegalArgumentException(
                    name + " is \"" + value + "\"; use an integer from " + min + " to " + max);
        }

        private VerifyOptions options(String command) {
            if (!urls.isEmpty() && faults != null && !faults.isEmpty()) {
                throw new IllegalArgumentException(
                        "--faults needs servers that this command starts; omit --url, or use --faults none");
            }
            List<Fault> selected = !urls.isEmpty() ? List.of() : faults == null ? Faults.all() : faults;
            return new VerifyOptions(command, seconds, servers, shards, selected, seed, rate, partitions,
                    List.copyOf(urls), report, history, Cluster.ownProgram(), List.copyOf(releases), isHelp);
        }
    }

    /** Returns the same options with another command to start a server. */
    public VerifyOptions withProgram(List<String> other) {
        return new VerifyOptions(command, seconds, servers, shards, faults, seed, rate, partitions, urls, report,
                history, other, releases, isHelp);
    }
}
