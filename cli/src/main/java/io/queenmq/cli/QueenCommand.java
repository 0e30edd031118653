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
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code queen} itself: the options that every command has, and what commands share. */
@Command(name = "queen", synopsisSubcommandLabel = "COMMAND", description = "A partitioned FIFO message queue on PostgreSQL.", footerHeading = "%nExamples:%n", footer = {
    "  queen serve                                        run a server on this machine",
    "  queen push orders '{\"total\":10}' -p customer-42    push a message into a partition",
    "  queen push orders --partition-key customer < orders.ndjson",
    "  queen pop orders -g billing --ack                  take a message and finish it",
    "  queen tail -f orders                               watch what comes",
    "  queen partition explain orders customer-42 -g billing   why does nothing come?",
    "  queen dlq redrive orders --error timeout           push dead letters again",
    "",
    "The server is that of --url, --context, QUEEN_URL, or the context in use (queen config),",
    "and http://localhost:6632 otherwise. `queen COMMAND --help` tells more about each.",
    "", "Exit codes: 0 done, 1 mistake of the user, 2 server failed, 3 no access, 4 nothing to do."})
final class QueenCommand implements Runnable {
    /** A person waits, and can try again; programs that push a lot have more patience. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    @Spec
    private CommandSpec spec;

    @Option(names = "--url", paramLabel = "URL", scope = ScopeType.INHERIT, description = "The server, or several separated by commas.")
    private String url;

    @Option(names = "--token", paramLabel = "TOKEN", scope = ScopeType.INHERIT, description = "The bearer token or API key. Better: QUEEN_TOKEN, or a context.")
    private String token;

    @Option(names = "--ca-file", paramLabel = "FILE", scope = ScopeType.INHERIT, description = "Trust only the authorities in this PEM file (QUEEN_CA_FILE).")
    private String caFile;

    @Option(names = "--cert", paramLabel = "FILE", scope = ScopeType.INHERIT, description = "Present the client certificate in this PEM file (QUEEN_CERT_FILE). Requires --key.")
    private String certificate;

    @Option(names = "--key", paramLabel = "FILE", scope = ScopeType.INHERIT, description = "Use the private key in this PEM file for --cert (QUEEN_KEY_FILE).")
    private String key;

    @Option(names = "--context", paramLabel = "NAME", scope = ScopeType.INHERIT, description = "The context to use, see queen config.")
    private String context;

    @Option(names = {"-o",
        "--output"}, paramLabel = "FORMAT", scope = ScopeType.INHERIT, defaultValue = "table", description = "table, wide, json, ndjson or yaml.")
    private Format format = Format.TABLE;

    @Option(names = {"-h", "--help"}, usageHelp = true, scope = ScopeType.INHERIT, description = "Show this.")
    private boolean isHelp;

    @Option(names = {"-V", "--version"}, versionHelp = true, description = "Show the version.")
    private boolean isVersion;

    private final Shell shell;
    private Output output;
    private Queen queen;

    QueenCommand(Shell shell) {
        this.shell = shell;
    }

    /** A command was named of which there are several. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "which command?");
    }

    Shell shell() {
        return shell;
    }

    String urlOption() {
        return url;
    }

    String tokenOption() {
        return token;
    }

    TlsOptions tlsOptions() {
        return new TlsOptions(caFile, certificate, key);
    }

    Output output() {
        output = output == null ? new Output(shell.out(), shell.err(), format, shell.isColoured()) : output;
        return output;
    }

    /** The client, made when it is first asked for. */
    Queen queen() {
        return queen(PATIENCE);
    }

    /** @param patience how long a call goes on trying when the server does not answer */
    Queen queen(Duration patience) {
        if (queen == null) {
            Target target = target();
            queen = Queen.builder().urls(target.urls()).token(target::token).sslContext(target.tls().context())
                    .retryFor(patience).build();
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
     * Goes on only if the user means it.
     *
     * @param isSure whether the user has said so already
     * @param question what would be lost, as a question
     */
    void confirm(boolean isSure, String question) {
        if (isSure) {
            return;
        }
        if (!shell.isTerminal()) {
            throw CommandFailed.byUser(question + " Nobody is there to ask, so say it with --yes.");
        }
        shell.err().print(question + " [y/N] ");
        shell.err().flush();
        String answer = readLine();
        if (!answer.equalsIgnoreCase("y") && !answer.equalsIgnoreCase("yes")) {
            throw CommandFailed.byUser("nothing was done");
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
