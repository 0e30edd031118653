package io.queenmq.server.http.access;

import io.queenmq.server.auth.Authenticator;
import io.queenmq.server.keys.ApiKeys;
import org.jspecify.annotations.Nullable;

/**
 * The credentials that a server accepts.
 *
 * @param tokens accepts no token if only API keys are configured
 * @param keys null if API keys are not accepted
 */
public record Callers(Authenticator tokens, @Nullable ApiKeys keys) {}
