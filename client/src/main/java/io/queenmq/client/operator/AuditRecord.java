package io.queenmq.client.operator;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that was changed.
 *
 * @param actor who did it, by the token that was used
 * @param before how it was, as JSON
 * @param after how it is since, as JSON
 * @param address the address of the client, if it is known
 */
public record AuditRecord(long id, Instant at, @Nullable String actor, String action, String target, String before,
        String after, @Nullable String address) {}
