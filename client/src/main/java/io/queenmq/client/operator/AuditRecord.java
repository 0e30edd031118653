package io.queenmq.client.operator;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A recorded change.
 *
 * @param actor the subject of the token that was used
 * @param before the previous state as JSON
 * @param after the new state as JSON
 * @param address the address of the client, if known
 */
public record AuditRecord(long id, Instant at, @Nullable String actor, String action, String target, String before,
        String after, @Nullable String address) {}
