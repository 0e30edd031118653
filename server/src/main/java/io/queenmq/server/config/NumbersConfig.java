package io.queenmq.server.config;

import java.time.Duration;

/**
 * How a server tells what it has done.
 *
 * @param workerId what it is called; null when it was given no name
 * @param reportEvery how often the database is told what was counted
 */
public record NumbersConfig(String workerId, Duration reportEvery) {}
