package io.queenmq.engine;

import io.queenmq.engine.cluster.Transport;
import io.queenmq.engine.spool.SpoolPlace;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * What the process around the engine provides.
 *
 * @param loop runs a task on the engine loop after the current one, whichever thread calls it
 * @param random unpredictable, because lease ids are made with it
 * @param spoolPlace where pushes are stored while PostgreSQL is unavailable
 * @param transport carries hints to peers
 */
public record EngineHost(Executor loop, RandomGenerator random, SpoolPlace spoolPlace, Transport transport) {}
