package io.queenmq.cli;

import io.queenmq.client.error.RefusedException;
import io.queenmq.client.operator.Cluster;
import io.queenmq.client.operator.Overview;
import io.queenmq.client.operator.ServerState;
import io.queenmq.client.operator.Spool;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** {@code queen status}. */
@Command(name = "status", description = "Show the health of the server, and the number of queues, partitions and messages. Exit code 2 if it is unhealthy.")
final class StatusCommand implements Callable<Integer> {
    @ParentCommand
    private QueenCommand root;

    @Override
    public Integer call() {
        ServerState state = root.operator().state();
        Map<String, @Nullable Object> fields = fields(state);
        if (!state.isHealthy()) {
            // The figures of queues are in PostgreSQL.
            root.output().one(QueueCommands.columns(fields), fields);
            return ExitCode.SERVER;
        }
        Overview overview = root.operator().overview();
        fields.put("queues", overview.queues());
        fields.put("partitions", overview.partitions());
        fields.put("pushedPerSecond", overview.pushedPerSecond());
        fields.put("ackedPerSecond", overview.ackedPerSecond());
        fields.put("pushesRefusedInFiveMinutes", overview.refused());
        fields.put("oldestUnreadSeconds", overview.oldestUnread());
        Map<String, @Nullable Object> messages = QueueCommands.counts(overview.messages());
        Cluster cluster = cluster();
        List<Map<String, @Nullable Object>> servers = cluster == null ? List.of() : servers(cluster);
        Map<String, @Nullable Object> hints = cluster == null ? Map.of() : hints(cluster);
        Map<String, @Nullable Object> whole = new LinkedHashMap<>(fields);
        whole.put("messages", messages);
        whole.put("otherServers", servers);
        whole.put("hints", hints);
        root.output().parts(() -> {
            root.output().one(QueueCommands.columns(fields), fields);
            root.output().title("Messages");
            root.output().list(QueueCommands.columns(messages), List.of(messages));
            if (!servers.isEmpty()) {
                root.output().title("Other servers");
                root.output().list(QueueCommands.columns(servers.getFirst()), servers);
                root.output().title("Hints");
                root.output().list(QueueCommands.columns(hints), List.of(hints));
            }
        }, whole);
        return ExitCode.OK;
    }

    private Map<String, @Nullable Object> fields(ServerState state) {
        Spool.Status spool = state.spool();
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("server", String.join(",", root.target().urls()));
        fields.put("status", state.isHealthy() ? "healthy" : "unhealthy");
        fields.put("summary", state.summary());
        fields.put("version", state.version());
        fields.put("database", state.database());
        fields.put("warnings", state.warnings());
        fields.put("pushes", MaintenanceCommands.word(state.maintenance().isPushClosed()));
        fields.put("pops", MaintenanceCommands.word(state.maintenance().isPopClosed()));
        fields.put("spool", spool.state());
        fields.put("spooled", spool.pending());
        fields.put("spooledOldestSeconds", spool.oldest().toSeconds());
        fields.put("refused", spool.refused());
        return fields;
    }

    /** Returns null if the token does not have the role admin. */
    private @Nullable Cluster cluster() {
        try {
            return root.operator().cluster();
        } catch (RefusedException e) {
            return null;
        }
    }

    private static List<Map<String, @Nullable Object>> servers(Cluster cluster) {
        return cluster.others().stream().map(member -> {
            Map<String, @Nullable Object> server = new LinkedHashMap<>();
            server.put("server", member.name());
            server.put("state", member.state());
            server.put("version", member.version());
            server.put("since", member.since());
            server.put("roundTripMs", member.roundTrip() == null ? null : member.roundTrip().toNanos() / 1e6);
            return server;
        }).toList();
    }

    private static Map<String, @Nullable Object> hints(Cluster cluster) {
        Map<String, @Nullable Object> hints = new LinkedHashMap<>();
        hints.put("sent", cluster.hintsSent());
        hints.put("received", cluster.hintsReceived());
        hints.put("dropped", cluster.hintsDropped());
        return hints;
    }
}
