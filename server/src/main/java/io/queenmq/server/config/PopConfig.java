package io.queenmq.server.config;

import java.time.Duration;

/** The defaults of a pop request. */
public record PopConfig(Duration timeout, int batch, String subscriptionMode) {}
