package io.queenmq.cli;

import io.queenmq.client.operator.Groups;
import io.queenmq.client.operator.SeekTarget;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen replay}: a seek that goes back. */
@Command(name = "replay", description = {"Have a group read messages again, from a time or from the beginning.",
    "Leases of the group end. To pass over messages instead, see queen group seek."}, footerHeading = "%nExamples:%n", footer = {
        "  queen replay orders -g billing --from 2h",
        "  queen replay orders -g billing --from beginning",
        "  queen replay orders -g billing -p customer-42 --from 17"})
final class ReplayCommand implements Runnable {
    @ParentCommand
    private QueenCommand root;

    @Parameters(paramLabel = "QUEUE", description = "The queue.")
    private String queue;

    @Option(names = {"-g", "--group"}, paramLabel = "GROUP", required = true, description = "Who reads again.")
    private String group;

    @Option(names = {"-p", "--partition"}, paramLabel = "PARTITION", description = "Only this partition.")
    private String partition;

    @Option(names = "--from", paramLabel = "WHERE", required = true, description = "beginning, a time, 15m for that long ago, or with --partition an offset.")
    private String from;

    @Option(names = {"-y", "--yes"}, description = "Do not ask.")
    private boolean isSure;

    @Override
    public void run() {
        SeekTarget target = Places.parse(from);
        if (target instanceof SeekTarget.End) {
            throw CommandFailed.byUser("a replay goes back; to go to the end, use queen group seek");
        }
        root.confirm(isSure, "Have " + group + " read " + (partition == null ? queue : queue + "/" + partition)
                + " again from " + Places.inWords(target) + "? What it has done since is done twice.");
        seek(root, group, queue, partition, target, false);
    }

    /**
     * Moves the group and says so.
     *
     * @param isNew whether the group may be one that has not read the queue yet; a mistyped one would hold back retention
     */
    static void seek(QueenCommand root, String group, String queue, String partition, SeekTarget target,
            boolean isNew) {
        Groups groups = root.operator().groups();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("group", group);
        fields.put("queue", queue);
        if (partition == null) {
            if (target instanceof SeekTarget.Offset) {
                throw CommandFailed
                        .byUser("an offset is a place in one partition, so name the partition with --partition");
            }
            long partitions = isNew ? groups.seek(group, queue, target) : groups.seekReader(group, queue, target);
            fields.put("partitions", partitions);
            root.output().done(group + " goes on at " + Places.inWords(target) + " in " + partitions
                    + (partitions == 1 ? " partition of " : " partitions of ") + queue, fields);
            return;
        }
        long offset = isNew
                ? groups.seek(group, queue, partition, target)
                : groups.seekReader(group, queue, partition, target);
        fields.put("partition", partition);
        fields.put("offset", offset);
        root.output().done(group + " goes on at offset " + offset + " of " + queue + "/" + partition, fields);
    }
}
