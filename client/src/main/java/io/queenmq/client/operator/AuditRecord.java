package io.queenmq.client.operator;

import java.time.Instant;

/**
 * Something that was changed.
 *
 * @param actor who did it, by the token that was used
 * @param before how it was, as JSON
 * @param after how it is since, as JSON
 */
public record AuditRecord(long id, Instant at, String actor, String action, String target, String before,
        String after) {}
