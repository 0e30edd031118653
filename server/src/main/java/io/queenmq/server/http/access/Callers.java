package io.queenmq.server.http.access;

import io.queenmq.server.auth.Authenticator;
import io.queenmq.server.keys.ApiKeys;

/**
 * The credentials that a server accepts.
 *
 * @param tokens accepts none when only API keys are configured
 * @param keys null when no API keys are accepted
 */
public record Callers(Authenticator tokens, ApiKeys keys) {}
