package io.queenmq.cli;

import io.queenmq.cli.output.Column;
import io.queenmq.cli.settings.Context;
import io.queenmq.cli.settings.Contexts;
import io.queenmq.cli.settings.Target;
import io.queenmq.cli.settings.TlsOptions;
import io.queenmq.server.config.ConfigException;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.server.config.EffectiveSetting;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen config …}: manages contexts, which are named servers with their tokens. */
@Command(name = "config", description = {
    "Show the settings of a server that is started here, with their sources and without secrets.",
    "The subcommands manage contexts, which are named servers with tokens: list, set, use, delete, path.",
    "Contexts are stored in $XDG_CONFIG_HOME/queen/config.json or ~/.config/queen/config.json, readable only by you."}, synopsisSubcommandLabel = "COMMAND", footerHeading = "%nExample:%n", footer = {
        "  queen config set prod --url https://queen.example.com --token-file - < token", "  queen config use prod"})
final class ConfigCommands implements Callable<Integer> {
    private static final List<Column<EffectiveSetting>> SETTINGS = List.of(Column.of("setting", EffectiveSetting::name),
            Column.of("value", EffectiveSetting::value), Column.of("source", EffectiveSetting::source));

    @ParentCommand
    private QueenCommand root;

    @Option(names = "--file", paramLabel = "FILE", description = "File with settings (default: QUEEN_CONFIG, or queen.properties in the working directory).")
    private @Nullable String file;

    @Option(names = "--changed", description = "Only settings that do not have their default.")
    private boolean isChangedOnly;

    /** Prints the settings of a server. Exit code 1 if a server does not start with them. */
    @Override
    public Integer call() {
        Map<String, String> environment = new HashMap<>(root.shell().environment());
        if (file != null) {
            environment.put("QUEEN_CONFIG", file);
        }
        root.output().list(SETTINGS, EffectiveSetting.all(environment).stream()
                .filter(each -> !isChangedOnly || !each.source().equals("default")).toList());
        try {
            ConfigReader.read(environment).operations().logging().warnings().forEach(root.output()::aside);
        } catch (ConfigException e) {
            throw CommandFailed.byUser("invalid settings: " + String.join("; ", e.problems()));
        }
        return ExitCode.OK;
    }

    @Command(description = "List contexts without their tokens.")
    int list() {
        Contexts contexts = load();
        String current = contexts.current().map(Context::name).orElse(null);
        root.output()
                .list(List.of(Column.<Context>of("name", Context::name),
                        Column.of("current", context -> context.name().equals(current)), Column.of("url", Context::url),
                        Column.of("token", context -> context.token() == null ? "none" : "set"),
                        Column.wide("caFile", context -> context.tls().caFile()),
                        Column.wide("cert", context -> context.tls().certificate())),
                        List.copyOf(contexts.all().values()));
        return ExitCode.OK;
    }

    @Command(description = "Create or change a context with --url, --token or --token-file, --ca-file, --cert and --key.")
    int set(@Parameters(paramLabel = "NAME", description = "Name of the context.") String name,
            @Option(names = "--token-file", paramLabel = "FILE", description = "Read the token from this file, so that the shell's history does not contain it (-: standard "
                    + "input).") @Nullable String tokenFile) {
        Contexts contexts = load();
        Context old = contexts.find(name).orElse(new Context(name, Target.URL_DEFAULT, null, TlsOptions.NONE));
        String url = root.urlOption() == null ? old.url() : root.urlOption();
        String given = tokenFile == null ? root.tokenOption() : read(tokenFile);
        // A token belongs to its server and must not be sent to another one.
        String token = given == null && url.equals(old.url()) ? old.token() : given;
        // The same applies to client certificates.
        TlsOptions options = root.tlsOptions().absolute();
        TlsOptions tls = url.equals(old.url()) ? options.orElse(old.tls()) : options;
        // Reports unusable files now instead of at the next command.
        tls.context();
        if (!url.matches("https?://[^/].*")) {
            throw CommandFailed.byUser("a URL must look like http://localhost:6632, not like " + url);
        }
        contexts.put(new Context(name, url, token, tls));
        contexts.save();
        root.output().done("set " + name + " to " + url + (token == null ? "" : " with a token")
                + (tls.certificate() == null ? "" : " with a certificate"), Map.of("name", name, "url", url));
        return ExitCode.OK;
    }

    @Command(description = "Use a context for the following commands.")
    int use(@Parameters(paramLabel = "NAME", description = "Name of the context.") String name) {
        Contexts contexts = load();
        require(contexts, name);
        contexts.use(name);
        contexts.save();
        root.output().done("using " + name, Map.of("current", name));
        return ExitCode.OK;
    }

    @Command(description = "Delete a context.")
    int delete(@Parameters(paramLabel = "NAME", description = "Name of the context.") String name,
            @Option(names = {"-y", "--yes"}, description = "Do not ask for confirmation.") boolean isSure) {
        Contexts contexts = load();
        Context context = require(contexts, name);
        root.confirm(isSure, "Delete the context " + name + (context.token() == null ? "?" : " with its token?"));
        contexts.remove(name);
        contexts.save();
        root.output().done("deleted " + name, Map.of("deleted", name));
        return ExitCode.OK;
    }

    @Command(description = "Print the path of the file that contains the contexts.")
    int path() {
        root.output().done(load().file().toString(), Map.of("path", load().file().toString()));
        return ExitCode.OK;
    }

    private Contexts load() {
        return Contexts.load(root.shell().environment());
    }

    private static Context require(Contexts contexts, String name) {
        return contexts.find(name).orElseThrow(() -> CommandFailed.nothing("there is no context " + name));
    }

    private String read(String file) {
        try (InputStream in = file.equals("-") ? root.shell().in() : PushCommand.openFile(file)) {
            String token = new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
            if (token.isEmpty()) {
                throw CommandFailed.byUser("no token in " + file);
            }
            return token;
        } catch (IOException e) {
            throw CommandFailed.byUser("cannot read " + file + ": " + e.getMessage());
        }
    }
}
