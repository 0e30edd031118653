package io.queenmq.engine.command;

import java.util.UUID;

/**
 * What became of a registration.
 *
 * @param isFresh whether there was no such query before
 * @param isReset whether its state was given up
 * @param isRefused whether the query has another fingerprint, and stays as it is
 */
public record RegisterQueryOutcome(UUID queryId, boolean isFresh, boolean isReset, boolean isRefused) {}
