package io.queenmq.bench;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was asked for.
 *
 * @param url null for a server of our own
 * @param consumerUrl where waiting consumers pop; null for the same server
 * @param isQuick tiny numbers, to see that everything works
 */
record BenchOptions(List<Scenario> scenarios, int seconds, int warmup, @Nullable URI url, @Nullable URI consumerUrl,
        Path json,
        boolean isQuick, boolean isHelp) {
    private static final int SECONDS_MAX = 3_600;
    private static final int DEFAULT_PORT = 6632;

    static final String USAGE = """
            usage: queen bench [options]

            Puts load on a server, checks every answer, and prints how fast it was and what that cost.
            Without --url it starts a server of its own with an empty database in a folder below the
            current one, and deletes both at the end.

              --scenario a,b,…   which ones; without it, all:
                                   a   push 1 message a request, 50 connections, 1,000 partitions
                                   b   push 10, 50 connections
                                   c   push 100, 20 connections
                                   d   pop 100 and ack them, 50 connections, 1,000 partitions of 1,000 messages
                                   e   pop 100 with autoAck, the same otherwise
                                   f   pop 1 with autoAck, 500 connections, each from a partition of its own
                                   g2  200 pushes a second to a waiting consumer that acks
                                   h   100 queues with a waiting consumer each, pushes by 32 connections
              --seconds N        how long each is measured (10)
              --warmup N         how long each runs before that (5)
              --url URL          a server that runs already, such as http://localhost:6632
              --consumer-url URL where the consumers of g2 and h wait, on the same database (--url)
              --json FILE        where the results go as JSON (queen-bench.json)
              --quick            tiny numbers and one second each: shows that it works, not how fast
              --help             print this

            Exit code: 0, or 1 when a request was not answered as it should be, or 2 for wrong options.
            """;

    static BenchOptions parse(String... args) {
        Draft draft = new Draft();
        for (int i = 0; i < args.length; i++) {
            int equals = args[i].indexOf('=');
            String name = equals < 0 ? args[i] : args[i].substring(0, equals);
            switch (name) {
                case "--help", "-h" -> draft.isHelp = true;
                case "--quick" -> draft.isQuick = true;
                case "--scenario", "--seconds", "--warmup", "--url", "--consumer-url", "--json" -> {
                    if (equals < 0 && i + 1 == args.length) {
                        throw new BadArguments(name + " needs a value");
                    }
                    draft.set(name, equals < 0 ? args[++i] : args[i].substring(equals + 1));
                }
                default -> throw new BadArguments("there is no option " + args[i]);
            }
        }
        return draft.options();
    }

    private static final class Draft {
        private List<String> names = Scenario.names();
        private @Nullable Integer seconds;
        private @Nullable Integer warmup;
        private @Nullable URI url;
        private @Nullable URI consumerUrl;
        private Path json = Path.of("queen-bench.json");
        private boolean isQuick;
        private boolean isHelp;

        void set(String name, String value) {
            switch (name) {
                case "--scenario" -> names = scenarioNames(value);
                case "--seconds" -> seconds = number(name, value, 1);
                case "--warmup" -> warmup = number(name, value, 0);
                case "--url" -> url = address(name, value);
                case "--consumer-url" -> consumerUrl = address(name, value);
                default -> json = file(value);
            }
        }

        BenchOptions options() {
            if (consumerUrl != null && url == null) {
                throw new BadArguments("--consumer-url needs --url: a server of our own has its database for itself");
            }
            List<Scenario> chosen = (isQuick ? Scenario.QUICK : Scenario.ALL).stream()
                    .filter(scenario -> names.contains(scenario.name())).toList();
            return new BenchOptions(chosen, seconds != null ? seconds : isQuick ? 1 : 10,
                    warmup != null ? warmup : isQuick ? 0 : 5, url, consumerUrl, json, isQuick, isHelp);
        }

        private static List<String> scenarioNames(String value) {
            List<String> names = new ArrayList<>();
            for (String name : value.split(",", -1)) {
                if (!Scenario.names().contains(name.strip())) {
                    throw new BadArguments("there is no scenario \"" + name.strip() + "\"; there are "
                            + String.join(", ", Scenario.names()));
                }
                names.add(name.strip());
            }
            return names;
        }

        private static int number(String name, String value, int min) {
            try {
                int number = Integer.parseInt(value);
                if (number >= min && number <= SECONDS_MAX) {
                    return number;
                }
            } catch (NumberFormatException _) {
                // Said below.
            }
            throw new BadArguments(name + " must be a whole number from " + min + " to " + SECONDS_MAX + ", not \""
                    + value + "\"");
        }

        private static URI address(String name, String value) {
            try {
                URI url = new URI(value);
                boolean isPlain = (url.getPath() == null || url.getPath().isEmpty() || url.getPath().equals("/"))
                        && url.getQuery() == null;
                if ("http".equals(url.getScheme()) && url.getHost() != null && isPlain) {
                    int port = url.getPort() < 0 ? DEFAULT_PORT : url.getPort();
                    return new URI("http", null, url.getHost(), port, null, null, null);
                }
            } catch (URISyntaxException _) {
                // Said below.
            }
            throw new BadArguments(name + " must be like http://localhost:6632, not \"" + value + "\"");
        }

        /** Found out now rather than after minutes of work. */
        private static Path file(String value) {
            try {
                Path file = Path.of(value).toAbsolutePath();
                Path folder = file.getParent();
                if (!value.isEmpty() && !Files.isDirectory(file) && folder != null && Files.isDirectory(folder)) {
                    return file;
                }
            } catch (InvalidPathException _) {
                // Said below.
            }
            throw new BadArguments("--json must be a file in a folder that exists, not \"" + value + "\"");
        }
    }
}
