package io.queenmq.engine;

import io.queenmq.engine.catalog.QueueDirectory;
import io.queenmq.engine.command.Command;
import io.queenmq.engine.spool.SpoolStatus;

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
}
