package io.queenmq.engine;

/**
 * The last time that the history of the database differed from the one before, such as after a failover.
 *
 * @param number 1 for the first since this server started
 * @param what in which way the histories differ
 * @param atMicros when this server noticed it, since 1970
 */
public record HistoryChange(long number, String what, long atMicros) {}
