package io.queenmq.engine.config;

import java.nio.file.Path;

/**
 * Where pushes are kept while PostgreSQL is away.
 *
 * @param folder one server at a time may use it
 * @param bytesMax how many bytes it may hold; more are refused
 */
public record SpoolConfig(boolean isEnabled, Path folder, long bytesMax) {}
