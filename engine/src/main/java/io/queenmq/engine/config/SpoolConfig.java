package io.queenmq.engine.config;

import java.nio.file.Path;

/**
 * The settings of the spool, which stores pushes while PostgreSQL is unavailable.
 *
 * @param folder must be used by one server at a time
 * @param bytesMax the maximum size; pushes beyond it are rejected
 */
public record SpoolConfig(boolean isEnabled, Path folder, long bytesMax) {}
