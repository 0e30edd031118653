package io.queenmq.cli;

import io.queenmq.cli.output.Column;
import io.queenmq.client.operator.Maintenance;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen maintenance …}. */
@Command(name = "maintenance", description = "Keep producers or consumers out for a while, on all servers: status, close, open.", synopsisSubcommandLabel = "COMMAND")
final class MaintenanceCommands extends Family {
    private static final List<Column<Maintenance.Status>> COLUMNS = List.of(
            Column.of("push", status -> word(status.isPushClosed())),
            Column.of("pop", status -> word(status.isPopClosed())));

    @ParentCommand
    private QueenCommand root;

    enum Door {
        PUSH,
        POP
    }

    @Command(description = "Who is kept out.")
    int status() {
        root.output().one(COLUMNS, root.operator().maintenance().status());
        return ExitCode.OK;
    }

    @Command(description = "Keep pushes in the spools of servers, or hand out nothing; acknowledgements go on.")
    int close(@Parameters(paramLabel = "push|pop", description = "What to close.") Door door,
            @Option(names = {"-y", "--yes"}, description = "Do not ask.") boolean isSure) {
        root.confirm(isSure,
                door == Door.PUSH
                        ? "Store no pushes on any server? They wait in spools, or are refused where there is none."
                        : "Hand out nothing on all servers?");
        set(door, true);
        return ExitCode.OK;
    }

    @Command(description = "Go on as usual.")
    int open(@Parameters(paramLabel = "push|pop", description = "What to open.") Door door) {
        set(door, false);
        return ExitCode.OK;
    }

    /** What a door that may be closed is. */
    static String word(boolean isClosed) {
        return isClosed ? "closed" : "open";
    }

    private void set(Door door, boolean isClosed) {
        Maintenance maintenance = root.operator().maintenance();
        if (door == Door.PUSH) {
            maintenance.setPushClosed(isClosed);
        } else {
            maintenance.setPopClosed(isClosed);
        }
        status();
    }
}
