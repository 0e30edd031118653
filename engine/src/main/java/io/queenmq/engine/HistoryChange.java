package io.queenmq.engine;

/**
 * The last change of the database history, such as a failover.
 *
 * @param number 1 for the first since this server started
 * @param what the difference between the two histories
 * @param atMicros the time at which this server detected it, in microseconds since 1970
 */
public record HistoryChange(long number, String what, long atMicros) {}
