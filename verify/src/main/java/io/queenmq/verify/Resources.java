package io.queenmq.verify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queenmq.verify.cluster.Cluster;
import io.queenmq.verify.cluster.ServerProcess;
import io.queenmq.verify.history.History;
import io.queenmq.verify.http.HttpConnection;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;

/** Records leases, connections and memory of own servers in the history. */
final class Resources {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Resources() {}

    /** @param phase {@code begin} or {@code end} */
    static void record(Cluster cluster, History history, String phase) throws InterruptedException {
        ObjectNode all = History.line().put("phase", phase).put("server", "all");
        try {
            all.put("leases", Long.parseLong(cluster.database()
                    .select("select count(*) from queen.cursor where lease_until > clock_timestamp()").getFirst()));
            all.put("connections", cluster.database().serverBackends().size());
        } catch (SQLException e) {
            all.put("error", String.valueOf(e.getMessage()));
        }
        history.mark("run", "resources", all);
        for (int i = 0; i < cluster.servers().size(); i++) {
            ServerProcess server = cluster.servers().get(i);
            ObjectNode one = History.line().put("phase", phase).put("server", server.name());
            if (collectGarbage(server.pid())) {
                long used = heapUsed(cluster.urls().get(i));
                if (used > 0) {
                    one.put("memory", used);
                }
            }
            history.mark("run", "resources", one);
        }
    }

    private static long heapUsed(URI url) {
        try (HttpConnection connection = HttpConnection.open(url, null)) {
            JsonNode metrics = JSON.readTree(connection.call("GET", "/metrics", null, Duration.ofSeconds(10)).body());
            return metrics.path("memory").path("heapUsed").asLong();
        } catch (IOException _) {
            return 0;
        }
    }

    /** Collects the garbage of a server, so that the used heap is what the server keeps. Needs the program jcmd of a JDK. */
    private static boolean collectGarbage(long pid) throws InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        if (!Files.isExecutable(jcmd)) {
            return false;
        }
        try {
            return new ProcessBuilder(jcmd.toString(), Long.toString(pid), "GC.run")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start().waitFor() == 0;
        } catch (IOException _) {
            return false;
        }
    }
}
