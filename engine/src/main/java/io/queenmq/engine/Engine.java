package io.queenmq.engine;

import io.queenmq.engine.catalog.QueueDirectory;
import io.queenmq.engine.command.Command;
import io.queenmq.engine.spool.SpoolStatus;
import java.time.Duration;

/** The entry point of the engine. Safe from any thread. */
public interface Engine {
    /** Hands a command to the engine loop and returns. The reply of the command is completed later, on that loop. */
    void submit(Command command);

    /** Returns the queues in the catalog of this server. */
    QueueDirectory queues();

    /** Returns the state of the engine, at most a tenth of a second old. */
    EngineStatus status();

    /** Returns the state of the spool. */
    SpoolStatus spool();

    /** Returns the counts of queues since the start of this server, in the text format of Prometheus. */
    default String queueMetrics() {
        return "";
    }

    /** Returns the time since the engine loop last ran. It is short unless a task of the loop blocks. */
    default Duration pause() {
        return Duration.ZERO;
    }
}
