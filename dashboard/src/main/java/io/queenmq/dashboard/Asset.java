package io.queenmq.dashboard;

/**
 * A file of the dashboard that never changes at its address.
 *
 * @param type its media type
 * @param gzip the same compressed; null where that saves nothing
 */
public record Asset(String type, byte[] bytes, byte[] gzip) {}
