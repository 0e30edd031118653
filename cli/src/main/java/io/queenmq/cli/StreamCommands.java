package io.queenmq.cli;

import io.queenmq.cli.output.Column;
import io.queenmq.client.operator.StreamPartition;
import io.queenmq.client.operator.StreamQuery;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen streams …}. */
@Command(name = "streams", description = "Manage stream queries: list, describe, reset, delete.", synopsisSubcommandLabel = "COMMAND")
final class StreamCommands extends Family {
    private static final List<Column<StreamQuery>> LIST = List.of(Column.of("name", StreamQuery::name),
            Column.of("source", StreamQuery::sourceQueue), Column.of("sink", StreamQuery::sinkQueue),
            Column.of("unread", StreamQuery::lag), Column.of("oldestUnreadSeconds", StreamQuery::lagTime),
            Column.of("partitions", StreamQuery::partitions), Column.of("stateRows", StreamQuery::stateRows),
            Column.of("stateBytes", StreamQuery::stateBytes), Column.of("lastCycleAt", StreamQuery::lastCycleAt),
            Column.wide("cycles", StreamQuery::cycles), Column.wide("flushes", StreamQuery::flushes),
            Column.wide("messages", StreamQuery::messages), Column.wide("emitted", StreamQuery::emitted),
            Column.wide("configHash", StreamQuery::configHash), Column.wide("id", StreamQuery::id));

    private static final List<Column<StreamPartition>> PARTITIONS = List.of(
            Column.of("partition", StreamPartition::partition), Column.of("unread", StreamPartition::unread),
            Column.of("stateRows", StreamPartition::stateRows), Column.of("stateBytes", StreamPartition::stateBytes),
            Column.of("cycles", StreamPartition::cycles), Column.of("flushes", StreamPartition::flushes),
            Column.of("emitted", StreamPartition::emitted), Column.of("lastCycleAt", StreamPartition::lastCycleAt),
            Column.of("leasedUntil", StreamPartition::leasedUntil), Column.wide("messages", StreamPartition::messages),
            Column.wide("idleExpiries", StreamPartition::idleExpiries),
            Column.wide("idleSince", StreamPartition::idleSince),
            Column.wide("partitionId", StreamPartition::partitionId));

    @ParentCommand
    private QueenCommand root;

    @Command(description = "List stream queries.")
    int list() {
        root.output().list(LIST, root.operator().streams().list());
        return ExitCode.OK;
    }

    @Command(description = "Show the partitions of a stream query.")
    int describe(@Parameters(paramLabel = "QUERY", description = "Name of the query.") String query) {
        root.output().list(PARTITIONS, root.operator().streams().partitions(query));
        return ExitCode.OK;
    }

    @Command(description = "Delete the state of a query. The cursors of its group are kept; use seek to move them.")
    int reset(@Parameters(paramLabel = "QUERY", description = "Name of the query.") String query,
            @Option(names = {"-y", "--yes"}, description = "Do not ask for confirmation.") boolean isSure) {
        confirm(isSure, "Delete", query);
        long rows = root.operator().streams().reset(query);
        root.output().done("reset " + query, Map.of("reset", query, "stateRows", rows));
        return ExitCode.OK;
    }

    @Command(description = "Delete a query with its state and its group.")
    int delete(@Parameters(paramLabel = "QUERY", description = "Name of the query.") String query,
            @Option(names = {"-y", "--yes"}, description = "Do not ask for confirmation.") boolean isSure) {
        confirm(isSure, "Delete " + query + " with", query);
        long rows = root.operator().streams().delete(query);
        root.output().done("deleted " + query, Map.of("deleted", query, "stateRows", rows));
        return ExitCode.OK;
    }

    private void confirm(boolean isSure, String what, String query) {
        StreamQuery known = root.operator().streams().show(query);
        root.confirm(isSure, what + " the " + known.stateRows() + " keys of state that " + query + " has in "
                + known.partitions() + " partitions?");
    }
}
