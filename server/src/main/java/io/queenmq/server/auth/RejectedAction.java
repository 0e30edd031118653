package io.queenmq.server.auth;

import org.jspecify.annotations.Nullable;

/**
 * Requests for one operator action that were rejected, for the audit log.
 *
 * @param actor the subject of the token; null if no genuine token was sent
 * @param address the address of the client
 * @param action the method and the path of the route, such as {@code DELETE /api/v1/resources/queues/:queue}
 * @param path the path of the last such request
 */
record RejectedAction(@Nullable String actor, String address, String action, Rejection reason, String path,
        long count) {}
