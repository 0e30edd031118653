package io.queenmq.verify.check;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;

/** Compares one resource of the servers before the load and after it, when all leases have ended. */
final class LeakCheck extends Check {
    private final String resource;
    private final double factor;
    private final long slack;
    private final Map<String, JsonNode> before = new HashMap<>();

    private LeakCheck(String name, String guarantee, String resource, double factor, long slack, Findings findings) {
        super(name, guarantee, findings);
        this.resource = resource;
        this.factor = factor;
        this.slack = slack;
    }

    static LeakCheck ofLeases(Findings findings) {
        return new LeakCheck("lease-leak", "After the load no partition is leased.", "leases", 0, 0, findings);
    }

    static LeakCheck ofConnections(Findings findings) {
        return new LeakCheck("connection-leak", "After the load the servers have hardly more connections than before.",
                "connections", 1.25, 4, findings);
    }

    static LeakCheck ofMemory(Findings findings) {
        return new LeakCheck("memory-leak", "After the load the servers use little more memory than before.", "memory",
                1.5, 96L << 20, findings);
    }

    @Override
    protected void read(Entry.Line line, Ledger ledger) {
        if (!line.op().equals("resources")) {
            return;
        }
        String server = line.text("server");
        JsonNode value = line.node().path(resource);
        if (!value.isNumber()) {
            return;
        }
        if (line.text("phase").equals("begin")) {
            before.put(server, line.node());
            return;
        }
        JsonNode first = before.get(server);
        long base = first == null ? 0 : first.path(resource).asLong();
        if ((first != null || factor == 0) && value.asLong() > base * factor + slack) {
            findings.add(
                    name(), "server " + server + " has " + value.asLong() + " " + resource + " after the load, and "
                            + base + " before it",
                    Evidence.ofLines(line.n(), first == null ? -1 : first.path("n").asLong()));
        }
    }
}
