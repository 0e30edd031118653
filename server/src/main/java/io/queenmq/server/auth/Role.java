package io.queenmq.server.auth;

/** What somebody may do; each includes those before it. */
public enum Role {
    NONE,
    READ_ONLY,
    READ_WRITE,
    ADMIN
}
