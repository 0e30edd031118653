package io.queenmq.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Creates the parser of all commands. Only the class of the requested command is loaded, so that commands start quickly. */
final class CommandTree {
    private static final int WIDTH = 100;
    private static final Map<String, Supplier<Object>> COMMANDS = new LinkedHashMap<>();
    /** Former names of commands. They still work; help and completion do not contain them. */
    private static final Map<String, String> FORMER_NAMES = Map.of("lane", "partition");

    static {
        COMMANDS.put("serve", ServeCommand::new);
        COMMANDS.put("bench", BenchCommand::new);
        COMMANDS.put("verify", VerifyCommand::new);
        COMMANDS.put("push", PushCommand::new);
        COMMANDS.put("pop", PopCommand::new);
        COMMANDS.put("tail", TailCommand::new);
        COMMANDS.put("ack", AckCommand::new);
        COMMANDS.put("tx", TransactionCommand::new);
        COMMANDS.put("replay", ReplayCommand::new);
        COMMANDS.put("copy", CopyCommand::new);
        COMMANDS.put("queue", QueueCommands::new);
        COMMANDS.put("partition", PartitionCommands::new);
        COMMANDS.put("group", GroupCommands::new);
        COMMANDS.put("streams", StreamCommands::new);
        COMMANDS.put("messages", MessageCommands::new);
        COMMANDS.put("dlq", DeadLetterCommands::new);
        COMMANDS.put("traces", TraceCommand::new);
        COMMANDS.put("status", StatusCommand::new);
        COMMANDS.put("lag", LagCommand::new);
        COMMANDS.put("shards", ShardsCommand::new);
        COMMANDS.put("operations", OperationsCommand::new);
        COMMANDS.put("apply", ApplyCommand::new);
        COMMANDS.put("maintenance", MaintenanceCommands::new);
        COMMANDS.put("spool", SpoolCommands::new);
        COMMANDS.put("doctor", DoctorCommand::new);
        COMMANDS.put("log-level", LogLevelCommand::new);
        COMMANDS.put("tokens", TokenCommands::new);
        COMMANDS.put("keys", KeyCommands::new);
        COMMANDS.put("config", ConfigCommands::new);
        COMMANDS.put("completion", CompletionCommand::new);
        COMMANDS.put(CompleteCommand.NAME, CompleteCommand::new);
        COMMANDS.put("version", VersionCommand::new);
        COMMANDS.put("licenses", LicensesCommand::new);
    }

    private CommandTree() {}

    /** Returns the parser of all commands. */
    static CommandLine whole(QueenCommand root) {
        CommandLine line = new CommandLine(root);
        COMMANDS.forEach((name, command) -> line.addSubcommand(name, command.get()));
        FORMER_NAMES.forEach((former, name) -> {
            CommandLine hidden = new CommandLine(Objects.requireNonNull(COMMANDS.get(name)).get());
            hidden.getCommandSpec().usageMessage().hidden(true);
            line.addSubcommand(former, hidden);
        });
        return configured(line, root.shell());
    }

    /** Returns a parser that contains at least the command of these arguments. */
    static CommandLine enoughFor(String[] args, QueenCommand root) {
        @Nullable
        Supplier<Object> only = args.length == 0 ? null : COMMANDS.get(FORMER_NAMES.getOrDefault(args[0], args[0]));
        return only == null
                ? whole(root)
                : configured(new CommandLine(root).addSubcommand(args[0], only.get()), root.shell());
    }

    private static CommandLine configured(CommandLine line, Shell shell) {
        Errors errors = new Errors();
        line.setUsageHelpWidth(WIDTH);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setColorScheme(CommandLine.Help.defaultColorScheme(shell.isColored() ? Ansi.ON : Ansi.OFF));
        line.setOut(new PrintWriter(shell.out(), true));
        line.setErr(new PrintWriter(shell.err(), true));
        line.setParameterExceptionHandler(errors);
        line.setExecutionExceptionHandler(errors);
        CommandLine serve = line.getSubcommands().get("serve");
        if (serve != null) {
            SettingsHelp.addTo(serve.getCommandSpec());
        }
        line.getCommandSpec().versionProvider(() -> new String[]{VersionCommand.line()});
        return line;
    }
}
