package io.queenmq.server.config;

import java.time.Duration;

/** What a pop gets that does not say. */
public record PopConfig(Duration timeout, int batch, String subscriptionMode) {}
