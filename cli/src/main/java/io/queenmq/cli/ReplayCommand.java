package io.queenmq.cli;

import io.queenmq.client.operator.Groups;
import io.queenmq.client.operator.SeekTarget;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen replay}: a seek to an earlier position. */
@Command(name = "replay", description = {"Deliver messages to a group again, from a time or from the beginning.",
    "Leases of the group end. To skip messages instead, use queen group seek."}, footerHeading = "%nExamples:%n", footer = {
        "  queen replay orders -g billing --from 2h", "  queen replay orders -g billing --from beginning",
        "  queen replay orders -g billing -p customer-42 --from 17"})
final class ReplayCommand implements Runnable {
    @ParentCommand
    private QueenCommand root;

    @Parameters(paramLabel = "QUEUE", description = "Name of the queue.")
    private String queue;

    @Option(names = {"-g",
        "--group"}, paramLabel = "GROUP", required = true, description = "Name of the consumer group.")
    private String group;

    @Option(names = {"-p", "--partition"}, paramLabel = "PARTITION", description = "Only messages of this partition.")
    private @Nullable String partition;

    @Option(names = "--from", paramLabel = "WHERE", required = true, description = "Position: beginning, a time, 15m for 15 minutes ago, or with --partition an offset.")
    private String from;

    @Option(names = {"-y", "--yes"}, description = "Do not ask for confirmation.")
    private boolean isSure;

    @Override
    public void run() {
        SeekTarget target = Places.parse(from);
        if (target instanceof SeekTarget.End) {
            throw CommandFailed.byUser("a replay needs an earlier position; use queen group seek to move to the end");
        }
        root.confirm(isSure,
                "Deliver messages of " + group + " to " + (partition == null ? queue : queue + "/" + partition)
                        + " again from " + Places.inWords(target)
                        + "? Messages that it has finished since then are delivered twice.");
        seek(root, group, queue, partition, target, false);
    }

    /**
     * Moves the group and prints the result.
     *
     * @param isNew true if the group may not have read the queue yet. Otherwise it must exist, because the cursors of a
     *        mistyped name would prevent retention
     */
    static void seek(QueenCommand root, String group, String queue, @Nullable String partition, SeekTarget target,
            boolean isNew) {
        Groups groups = root.operator().groups();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("group", group);
        fields.put("queue", queue);
        if (partition == null) {
            if (target instanceof SeekTarget.Offset) {
                throw CommandFailed
                        .byUser("an offset is a position in one partition; name the partition with --partition");
            }
            long partitions = isNew ? groups.seekOrSubscribe(group, queue, target) : groups.seek(group, queue, target);
            fields.put("partitions", partitions);
            root.output().done(group + " continues at " + Places.inWords(target) + " in " + partitions
                    + (partitions == 1 ? " partition of " : " partitions of ") + queue, fields);
            return;
        }
        long offset = isNew
                ? groups.seekOrSubscribe(group, queue, partition, target)
                : groups.seek(group, queue, partition, target);
        fields.put("partition", partition);
        fields.put("offset", offset);
        root.output().done(group + " continues at offset " + offset + " of " + queue + "/" + partition, fields);
    }
}
