package io.queenmq.dashboard;

import org.jspecify.annotations.Nullable;

/**
 * A file of the dashboard whose content never changes at its address.
 *
 * @param type media type
 * @param gzip the compressed bytes; null if they are not fewer
 */
public record Asset(String type, byte[] bytes, byte @Nullable [] gzip) {}
