package io.queenmq.verify.fault;

import io.queenmq.verify.cluster.Cluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** A fault that can be injected while servers work. */
public interface Fault {
    /** The name, as in {@code --faults}. */
    String name();

    /** Describes the fault in one sentence. */
    String description();

    /** The guarantees that the fault suspends while it is active; see docs/reliability/verify.md. */
    default List<String> excuses() {
        return List.of();
    }

    /** Returns the reason why the fault cannot be injected here; empty if it can. */
    default Optional<String> unavailable() {
        return Optional.empty();
    }

    /** Returns true if the fault ends PostgreSQL or replaces it. Only one such fault is active at a time. */
    default boolean isOfPostmaster() {
        return false;
    }

    /**
     * Prepares the directory of a run, before the servers are started.
     *
     * @param server the number of the server
     * @return settings of the server that the fault needs
     */
    default Map<String, String> prepare(Path home, int server) {
        return Map.of();
    }

    /** Reverts {@link #prepare} after the servers have ended. */
    default void cleanUp(Path home) {}

    /**
     * Injects the fault and removes it after about the given time.
     *
     * @throws Exception if the fault was not injected; the caller repairs the cluster
     */
    void inject(Cluster cluster, Random random, Duration duration) throws Exception;

    /** Waits. */
    static void hold(Duration duration) throws InterruptedException {
        Thread.sleep(duration);
    }
}
