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
 * The options of the command line.
 *
 * @param url null to start a server
 * @param consumerUrl server of waiting consumers; null for the same server
 * @param isQuick true for minimal numbers, to test that all scenarios work
 */
record BenchOptions(List<Scenario> scenarios, int seconds, int warmup, @Nullable URI url, @Nullable URI consumerUrl,
        Path json, boolean isQuick, boolean isHelp) {
    private static final int SECONDS_MAX = 3_600;
    private static final int DEFAULT_PORT = 6632;

    static final String USAGE = """
            usage: queen bench [options]

            Put load on a server, check every response, and print throughput, latency and CPU cost.
            Without --url it starts a server with an empty database in a folder below the
            current one, and deletes both at the end.

              --scenario a,b,…   run these scenarios (default: all):
                                   a   push 1 message a request, 50 connections, 1,000 partitions
                                   b   push 10, 50 connections
                                   c   push 100, 20 connections
                                   d   pop 100 and ack them, 50 connections, 1,000 partitions of 1,000 messages
                                   e   like d, but pop 100 with autoAck
                                   f   pop 1 with autoAck, 500 connections, each from its own partition
                                   g2  200 pushes a second to a waiting consumer that acks
                                   h   100 queues with a waiting consumer each, pushes by 32 connections
              --seconds N        measure each scenario for N seconds (default: 10)
              --warmup N         warm up each scenario for N seconds (default: 5)
              --url URL          measure this running server, such as http://localhost:6632
              --consumer-url URL server for the consumers of g2 and h, on the same database (default: --url)
              --json FILE        write the results as JSON to this file (default: queen-bench.json)
              --quick            use minimal numbers and one second each, to test that all scenarios work
              --help             show this help

            Exit code: 0 success, 1 unexpected response, 2 wrong options.
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
                        throw new BadArguments(name + " requires a value");
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
                throw new BadArguments(
                        "--consumer-url requires --url, because a started server does not share its database");
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
                // Reported below.
            }
            throw new BadArguments(
                    name + " must be a whole number from " + min + " to " + SECONDS_MAX + ", not \"" + value + "\"");
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
                // Reported below.
            }
            throw new BadArguments(name + " must be like http://localhost:6632, not \"" + value + "\"");
        }

        /** Checks the path before the measurement, which takes minutes. */
        private static Path file(String value) {
            try {
                Path file = Path.of(value).toAbsolutePath();
                Path folder = file.getParent();
                if (!value.isEmpty() && !Files.isDirectory(file) && folder != null && Files.isDirectory(folder)) {
                    return file;
                }
            } catch (InvalidPathException _) {
                // Reported below.
            }
            throw new BadArguments("--json must be a file in a folder that exists, not \"" + value + "\"");
        }
    }
}
