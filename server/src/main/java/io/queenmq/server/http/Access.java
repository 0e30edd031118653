package io.queenmq.server.http;

/** What a client must be allowed to do to use a route; each level includes those before it. */
enum Access {
    PUBLIC,
    READ_ONLY,
    READ_WRITE,
    ADMIN
}
