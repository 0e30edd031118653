package io.queenmq.engine;

import io.queenmq.engine.cluster.Transport;
import io.queenmq.engine.numbers.ProcessUse;
import io.queenmq.engine.spool.SpoolResources;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The dependencies of the engine that the process provides.
 *
 * @param loop runs a task on the engine loop after the current one; callable from any thread
 * @param random source of lease ids; must be unpredictable
 * @param spoolResources files and thread of the spool
 * @param transport carries hints to peers
 * @param processUse measures the resource usage of the process
 */
public record EngineHost(Executor loop, RandomGenerator random, SpoolResources spoolResources, Transport transport,
        Supplier<ProcessUse> processUse) {}
