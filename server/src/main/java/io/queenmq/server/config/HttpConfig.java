package io.queenmq.server.config;

import java.time.Duration;

/**
 * How the server is reached.
 *
 * @param port the port to listen on; 0 picks a free one
 * @param loops how many event loops share the requests
 * @param tls null for plain HTTP
 * @param seriesMax how many queues, and how many pairs of a queue and a group, Prometheus is told of one by one
 * @param oidc null if users of the dashboard do not sign in with an OpenID Connect provider
 */
public record HttpConfig(ExposureConfig exposure, int port, int loops, Limits limits, TlsConfig tls, int seriesMax,
        OidcConfig oidc) {
    /**
     * What clients may take of the server's memory, and for how long.
     *
     * @param bodyBytesMax the largest request body
     * @param requestBytesMax of all request bodies together, from their first byte until they are answered
     * @param bodyWait how long a body waits for room before it is refused
     * @param headTimeout how long the head of a request may take
     * @param bodyTimeout how long nothing may come of a body
     * @param writeTimeout how long a client may read nothing of its answer
     */
    public record Limits(int bodyBytesMax, long requestBytesMax, Duration bodyWait, Duration headTimeout,
            Duration bodyTimeout, Duration writeTimeout, int connectionsMax) {}
}
