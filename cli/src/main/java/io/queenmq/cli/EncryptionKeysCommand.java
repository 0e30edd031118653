package io.queenmq.cli;

import io.queenmq.cli.output.Column;
import io.queenmq.client.operator.Encryption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** {@code queen keys encryption}. */
@Command(name = "encryption", description = {"Show the number of stored messages per encrypted queue and key.",
    "The first rows, of the queue \"(all)\", are the sums of all queues. A key can be removed from the servers when its row has no "
            + "messages, dead letters and stream states, no queue has unchecked messages, and no spool has pending messages."})
final class EncryptionKeysCommand implements Callable<Integer> {
    private static final String ALL = "(all)";
    private static final String CLEAR = "(clear text)";

    private static final List<Column<Line>> COLUMNS = List.of(Column.of("queue", Line::queue),
            Column.of("key", line -> line.key), Column.of("current", Line::isCurrent),
            Column.of("servers", Line::servers), Column.of("messages", Line::messages), Column.of("bytes", Line::bytes),
            Column.of("deadLetters", Line::deadLetters), Column.of("streamStates", Line::streamStates),
            Column.of("unbound", Line::unbound), Column.of("unchecked", Line::unchecked));

    @ParentCommand
    private KeyCommands keys;

    /**
     * @param isCurrent null in the row of a queue, like servers
     * @param unchecked null in the row of all queues
     */
    private record Line(String queue, String key, @Nullable Boolean isCurrent, @Nullable Integer servers, long messages,
            long bytes, long deadLetters, long streamStates, long unbound, @Nullable Long unchecked) {}

    @Override
    public Integer call() {
        return show(keys.root());
    }

    static int show(QueenCommand root) {
        Encryption encryption = root.operator().encryption();
        List<Line> lines = new ArrayList<>();
        for (Encryption.Key key : encryption.keys()) {
            lines.add(line(ALL, key.share(), key.isCurrent(), key.servers(), null));
        }
        for (Encryption.Queue queue : encryption.queues()) {
            if (queue.shares().isEmpty()) {
                lines.add(line(queue.name(), new Encryption.Share(null, 0, 0, 0, 0, 0), null, null, queue.unchecked()));
            }
            queue.shares().forEach(share -> lines.add(line(queue.name(), share, null, null, queue.unchecked())));
        }
        root.output().list(COLUMNS, lines);
        return ExitCode.OK;
    }

    private static Line line(String queue, Encryption.Share share, @Nullable Boolean isCurrent,
            @Nullable Integer servers, @Nullable Long unchecked) {
        return new Line(queue, share.keyId() == null ? CLEAR : share.keyId(), isCurrent, servers, share.messages(),
                share.bytes(), share.deadLetters(), share.streamStates(), share.unbound(), unchecked);
    }
}
