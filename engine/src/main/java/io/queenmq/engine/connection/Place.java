package io.queenmq.engine.connection;

/** Where a PostgreSQL listens. Sessions of one place share its fate. */
public record Place(String host, int port) {}
