package io.queenmq.server.http;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.queenmq.engine.Engine;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.numbers.ServerIdentity;
import io.queenmq.server.config.PopConfig;
import io.queenmq.server.http.access.Callers;
import io.queenmq.server.operator.OperatorQueries;
import org.jspecify.annotations.Nullable;

/**
 * The parts of the server that the routes use.
 *
 * @param callers null if requests need no credentials
 * @param popDefaults defaults of parameters that are missing in a pop
 */
public record HttpContext(Engine engine, OperatorQueries operatorQueries, PayloadCipher cipher,
        @Nullable Callers callers, PopConfig popDefaults, ServerIdentity identity, PrometheusMeterRegistry registry) {}
