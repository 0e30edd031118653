package io.queenmq.engine.command;

import java.util.UUID;

/**
 * The outcome of a registration.
 *
 * @param isFresh true if the query did not exist before
 * @param isReset true if its state was deleted
 * @param isRefused true if the query has another fingerprint; it is unchanged then
 */
public record RegisterQueryOutcome(UUID queryId, boolean isFresh, boolean isReset, boolean isRefused) {}
