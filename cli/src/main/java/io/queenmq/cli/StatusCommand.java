package io.queenmq.cli;

import io.queenmq.client.error.RefusedException;
import io.queenmq.client.error.UnavailableException;
import io.queenmq.client.operator.Cluster;
import io.queenmq.client.operator.Health;
import io.queenmq.client.operator.Overview;
import io.queenmq.client.operator.Spool;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** {@code queen status}. */
@Command(name = "status", description = "How the server is, and how much there is of everything. Exit code 2 when it is unwell.")
final class StatusCommand implements Callable<Integer> {
    @ParentCommand
    private QueenCommand root;

    @Override
    public Integer call() {
        Spool.Status spool = root.operator().spool().status();
        Health health;
        Overview overview;
        try {
            health = root.operator().health();
            overview = root.operator().overview();
        } catch (UnavailableException away) {
            // Then it matters most what waits on the server.
            root.output().one(SpoolCommands.COLUMNS, spool);
            throw away;
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("server", String.join(",", root.target().urls()));
        fields.put("status", health.isHealthy() ? "healthy" : "unhealthy");
        fields.put("version", health.version());
        fields.put("database", health.database());
        fields.put("warnings", health.warnings());
        fields.put("pushes", MaintenanceCommands.word(health.maintenance().isPushClosed()));
        fields.put("pops", MaintenanceCommands.word(health.maintenance().isPopClosed()));
        fields.put("spool", spool.state());
        fields.put("spooled", spool.pending());
        fields.put("spooledOldestSeconds", spool.oldest().toSeconds());
        fields.put("refused", spool.refused());
        fields.put("queues", overview.queues());
        fields.put("partitions", overview.partitions());
        fields.put("pushedPerSecond", overview.pushedPerSecond());
        fields.put("ackedPerSecond", overview.ackedPerSecond());
        fields.put("pushesRefusedInFiveMinutes", overview.refused());
        fields.put("oldestUnreadSeconds", overview.oldestUnread());
        Map<String, Object> messages = QueueCommands.counts(overview.messages());
        Cluster cluster = cluster();
        List<Map<String, Object>> servers = cluster == null ? List.of() : servers(cluster);
        Map<String, Object> hints = cluster == null ? Map.of() : hints(cluster);
        Map<String, Object> whole = new LinkedHashMap<>(fields);
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
        return health.isHealthy() ? ExitCode.OK : ExitCode.SERVER;
    }

    /** Null when only administrators may see it, and this is none. */
    private Cluster cluster() {
        try {
            return root.operator().cluster();
        } catch (RefusedException e) {
            return null;
        }
    }

    private static List<Map<String, Object>> servers(Cluster cluster) {
        return cluster.others().stream().map(member -> {
            Map<String, Object> server = new LinkedHashMap<>();
            server.put("server", member.name());
            server.put("state", member.state());
            server.put("version", member.version());
            server.put("since", member.since());
            server.put("roundTripMs", member.roundTrip() == null ? null : member.roundTrip().toNanos() / 1e6);
            return server;
        }).toList();
    }

    private static Map<String, Object> hints(Cluster cluster) {
        Map<String, Object> hints = new LinkedHashMap<>();
        hints.put("sent", cluster.hintsSent());
        hints.put("received", cluster.hintsReceived());
        hints.put("dropped", cluster.hintsDropped());
        return hints;
    }
}
