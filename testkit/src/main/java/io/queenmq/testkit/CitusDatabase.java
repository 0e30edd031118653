package io.queenmq.testkit;

import java.util.ArrayList;
import java.util.List;

/** One database of a Citus cluster, as each of its nodes has it; closing it drops it everywhere, whoever is still connected. */
public record CitusDatabase(TestDatabase coordinator, List<TestDatabase> workers) implements AutoCloseable {
    /** The coordinator first. */
    public List<TestDatabase> nodes() {
        var nodes = new ArrayList<>(List.of(coordinator));
        nodes.addAll(workers);
        return nodes;
    }

    /** Creates the extension on all nodes and tells the coordinator of the workers. */
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
