package io.queenmq.testkit;

import java.util.ArrayList;
import java.util.List;

/** A database of a Citus cluster on all nodes. Closing it drops it on all nodes, even with open connections. */
public record CitusDatabase(TestDatabase coordinator, List<TestDatabase> workers) implements AutoCloseable {
    /** Returns all nodes, the coordinator first. */
    public List<TestDatabase> nodes() {
        var nodes = new ArrayList<>(List.of(coordinator));
        nodes.addAll(workers);
        return nodes;
    }

    /** Creates the extension on all nodes and registers the workers with the coordinator. */
    public void extend() {
        nodes().forEach(node -> Sql.execute(node, "create extension citus"));
        Sql.execute(coordinator,
                "select citus_set_coordinator_host('" + coordinator.host() + "', " + coordinator.port() + ")");
        workers.forEach(worker -> Sql.execute(coordinator,
                "select citus_add_node('" + worker.host() + "', " + worker.port() + ")"));
    }

    @Override
    public void close() {
        for (var node : nodes()) {
            Sql.executeAll(CitusCluster.at(node, "postgres"), "set citus.enable_create_database_propagation = off",
                    "drop database if exists " + node.name() + " with (force)");
        }
    }
}
