package io.queenmq.server.auth;

/** The roles of callers. Each role includes the roles before it. */
public enum Role {
    NONE,
    READ_ONLY,
    READ_WRITE,
    ADMIN
}
