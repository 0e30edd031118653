package io.queenmq.engine.connection;

/** The address of a PostgreSQL server. Sessions of one address fail together. */
public record Place(String host, int port) {}
