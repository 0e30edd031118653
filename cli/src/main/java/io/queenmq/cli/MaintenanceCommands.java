package io.queenmq.cli;

import io.queenmq.cli.output.Column;
import io.queenmq.client.operator.Maintenance;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen maintenance …}. */
@Command(name = "maintenance", description = "Stop storing pushes or delivering messages on all servers: status, close, open.", synopsisSubcommandLabel = "COMMAND")
final class MaintenanceCommands extends Family {
    private static final List<Column<Maintenance.Status>> COLUMNS = List.of(
            Column.of("push", status -> word(status.isPushClosed())),
            Column.of("pop", status -> word(status.isPopClosed())));

    @ParentCommand
    private QueenCommand root;

    enum Operation {
        PUSH,
        POP
    }

    @Command(description = "Show whether pushes and pops are open or closed.")
    int status() {
        root.output().one(COLUMNS, root.operator().maintenance().status());
        return ExitCode.OK;
    }

    @Command(description = "Close push: servers spool pushes. Close pop: servers deliver no messages. Acks are always accepted.")
    int close(@Parameters(paramLabel = "push|pop", description = "Operation to close.") Operation operation,
            @Option(names = {"-y", "--yes"}, description = "Do not ask for confirmation.") boolean isSure) {
        root.confirm(isSure,
                operation == Operation.PUSH
                        ? "Close pushes on all servers? Pushes are spooled, or rejected by servers without a spool."
                        : "Close pops on all servers? No messages will be delivered.");
        set(operation, true);
        return ExitCode.OK;
    }

    @Command(description = "Open pushes or pops again.")
    int open(@Parameters(paramLabel = "push|pop", description = "Operation to open.") Operation operation) {
        set(operation, false);
        return ExitCode.OK;
    }

    /** Returns the state in words. */
    static String word(boolean isClosed) {
        return isClosed ? "closed" : "open";
    }

    private void set(Operation operation, boolean isClosed) {
        Maintenance maintenance = root.operator().maintenance();
        if (operation == Operation.PUSH) {
            maintenance.setPushClosed(isClosed);
        } else {
            maintenance.setPopClosed(isClosed);
        }
        status();
    }
}
