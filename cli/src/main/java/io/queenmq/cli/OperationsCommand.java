package io.queenmq.cli;

import io.queenmq.cli.output.Column;
import io.queenmq.client.operator.OperationProgress;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** {@code queen operations}. */
@Command(name = "operations", description = {
    "List clears, seeks and deletions of queues that run in the background because of many partitions.",
    "Shows running operations and those that finished within the last week."})
final class OperationsCommand implements Callable<Integer> {
    private static final List<Column<OperationProgress>> COLUMNS = List.of(Column.of("kind", OperationProgress::kind),
            Column.of("queue", OperationProgress::queue), Column.of("partition", OperationProgress::partition),
            Column.of("group", OperationProgress::group), Column.of("status", OperationProgress::status),
            Column.of("partitionsDone", OperationProgress::partitionsDone),
            Column.of("partitionsTotal", OperationProgress::partitionsTotal),
            Column.of("messagesRemoved", OperationProgress::messagesRemoved),
            Column.of("startedAt", OperationProgress::startedAt),
            Column.of("finishedAt", OperationProgress::finishedAt), Column.wide("id", OperationProgress::operationId));

    @ParentCommand
    private QueenCommand root;

    @Override
    public Integer call() {
        root.output().list(COLUMNS, root.operator().operations().list());
        return ExitCode.OK;
    }
}
