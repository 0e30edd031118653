package io.queenmq.cli;

import io.queenmq.cli.output.Format;
import io.queenmq.cli.output.Output;
import io.queenmq.cli.output.Progress;
import io.queenmq.cli.settings.Target;
import io.queenmq.cli.settings.TlsOptions;
import io.queenmq.client.Queen;
import io.queenmq.client.operator.Operator;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code queen}: the options of every command, and functions that commands share. */
@Command(name = "queen", synopsisSubcommandLabel = "COMMAND", description = "A partitioned FIFO message queue on PostgreSQL.", footerHeading = "%nExamples:%n", footer = {
    "  queen serve                                        run a server on this machine",
    "  queen push orders '{\"total\":10}' -p customer-42    push a message into a partition",
    "  queen push orders --partition-key customer < orders.ndjson",
    "  queen pop orders -g billing --ack                  pop a message and finish it",
    "  queen tail -f orders                               show messages as they are pushed",
    "  queen partition explain orders customer-42 -g billing   why is no message delivered?",
    "  queen dlq redrive orders --error timeout           push dead letters again", "",
    "The server is given by --url, --context, QUEEN_URL, or the current context (queen config)",
    "(default: http://localhost:6632). See `queen COMMAND --help` for each command.", "",
    "Exit codes: 0 success, 1 wrong command, 2 server failed, 3 access denied, 4 no such object or message."})
final class QueenCommand implements Runnable {
    /** The limit is short because a user can repeat a command. Commands that push many messages use a longer one. */
    private static final Duration RETRY_LIMIT = Duration.ofSeconds(2);

    @Spec
    private CommandSpec spec;

    @Option(names = "--url", paramLabel = "URL", scope = ScopeType.INHERIT, description = "URL of the server, or several URLs separated by commas.")
    private @Nullable String url;

    @Option(names = "--token", paramLabel = "TOKEN", scope = ScopeType.INHERIT, description = "Bearer token or API key. Prefer QUEEN_TOKEN or a context, which are not visible to other users.")
    private @Nullable String token;

    @Option(names = "--ca-file", paramLabel = "FILE", scope = ScopeType.INHERIT, description = "Trust only the authorities in this PEM file (QUEEN_CA_FILE).")
    private @Nullable String caFile;

    @Option(names = "--cert", paramLabel = "FILE", scope = ScopeType.INHERIT, description = "Present the client certificate in this PEM file (QUEEN_CERT_FILE). Requires --key.")
    private @Nullable String certificate;

    @Option(names = "--key", paramLabel = "FILE", scope = ScopeType.INHERIT, description = "Use the private key in this PEM file for --cert (QUEEN_KEY_FILE).")
    private @Nullable String key;

    @Option(names = "--context", paramLabel = "NAME", scope = ScopeType.INHERIT, description = "Use this context (see queen config).")
    private @Nullable String context;

    @Option(names = {"-o",
        "--output"}, paramLabel = "FORMAT", scope = ScopeType.INHERIT, defaultValue = "table", description = "Output format: table, wide, json, ndjson or yaml (default: table).")
    private Format format = Format.TABLE;

    @Option(names = {"-h", "--help"}, usageHelp = true, scope = ScopeType.INHERIT, description = "Show this help.")
    private boolean isHelp;

    @Option(names = {"-V", "--version"}, versionHelp = true, description = "Show the version.")
    private boolean isVersion;

    private final Shell shell;
    private @Nullable Output output;
    private @Nullable Queen queen;

    QueenCommand(Shell shell) {
        this.shell = shell;
    }

    /** Rejects a call without a command. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    Shell shell() {
        return shell;
    }

    @Nullable
    String urlOption() {
        return url;
    }

    @Nullable
    String tokenOption() {
        return token;
    }

    TlsOptions tlsOptions() {
        return new TlsOptions(caFile, certificate, key);
    }

    Output output() {
        if (output == null) {
            output = new Output(shell.out(), shell.err(), format, shell.isColored());
        }
        return output;
    }

    /** Returns the client, which is created on first use. */
    Queen queen() {
        return queen(RETRY_LIMIT);
    }

    /** @param retryLimit maximum time during which a call is retried if the server does not respond */
    Queen queen(Duration retryLimit) {
        if (queen == null) {
            Target target = target();
            queen = Queen.builder().urls(target.urls()).token(target::token).sslContext(target.tls().context())
                    .retryFor(retryLimit).build();
        }
        return queen;
    }

    Target target() {
        return Target.find(url, token, tlsOptions(), context, shell.environment());
    }

    Operator operator() {
        return queen().operator();
    }

    Progress progress() {
        return new Progress(shell.err(), shell.isWatched());
    }

    /**
     * Returns only if the user confirms.
     *
     * @param isSure true if the user has confirmed by an option
     * @param question the effect of the command, as a question
     */
    void confirm(boolean isSure, String question) {
        if (isSure) {
            return;
        }
        if (!shell.isTerminal()) {
            throw CommandFailed.byUser(question + " Use --yes to confirm without a terminal.");
        }
        shell.err().print(question + " [y/N] ");
        shell.err().flush();
        String answer = readLine();
        if (!answer.equalsIgnoreCase("y") && !answer.equalsIgnoreCase("yes")) {
            throw CommandFailed.byUser("canceled; nothing was changed");
        }
    }

    private String readLine() {
        try {
            String line = new BufferedReader(new InputStreamReader(shell.in(), StandardCharsets.UTF_8)).readLine();
            return line == null ? "" : line.strip();
        } catch (IOException e) {
            return "";
        }
    }

    void close() {
        if (queen != null) {
            queen.close();
        }
    }
}
