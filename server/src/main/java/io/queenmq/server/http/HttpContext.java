package io.queenmq.server.http;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.queenmq.engine.Engine;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.numbers.ServerIdentity;
import io.queenmq.server.config.PopConfig;
import io.queenmq.server.http.access.Callers;
import io.queenmq.server.operator.OperatorDesk;

/**
 * The parts of the server that routes use.
 *
 * @param callers null when requests need no credentials
 * @param popDefaults used for parameters that a pop does not have
 */
public record HttpContext(Engine engine, OperatorDesk desk, PayloadCipher cipher, Callers callers,
        PopConfig popDefaults, ServerIdentity identity, PrometheusMeterRegistry registry) {}
