package io.queenmq.server.config;

import static io.queenmq.server.config.Setting.FIRST_REQUEST_TIMEOUT_MS;
import static io.queenmq.server.config.Setting.HTTP_MAX_CONNECTIONS;
import static io.queenmq.server.config.Setting.HTTP_MAX_CONNECTIONS_PER_ADDRESS;

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
            Duration bodyTimeout, Duration writeTimeout, ConnectionLimits connections) {}

    /**
     * Limits of the open connections of clients.
     *
     * @param max in total
     * @param perAddressMax from one IPv4 address or one IPv6 /64 network
     * @param firstRequestTimeout how long a connection may stay open without having sent a request
     */
    public record ConnectionLimits(int max, int perAddressMax, Duration firstRequestTimeout) {
        private static final int MAX_BY_DEFAULT = 20_000;

        static ConnectionLimits read(Environment environment, DescriptorLimit descriptors) {
            int allowed = descriptors.connectionsMax();
            int max = environment.integer(HTTP_MAX_CONNECTIONS, Math.min(MAX_BY_DEFAULT, allowed));
            if (descriptors.max() < DescriptorLimit.MIN) {
                environment.problem("this process may open only " + descriptors.max() + " files, but a server needs "
                        + DescriptorLimit.MIN + "; raise the limit (ulimit -n, LimitNOFILE)");
            } else if (max > allowed) {
                environment.problem(HTTP_MAX_CONNECTIONS + " is " + max + ", but this process may open only "
                        + descriptors.max() + " files, of which " + descriptors.reserve()
                        + " are reserved for PostgreSQL, the spool and other servers; set at most " + allowed
                        + " or raise the limit (ulimit -n, LimitNOFILE)");
            }
            return new ConnectionLimits(max,
                    environment.integer(HTTP_MAX_CONNECTIONS_PER_ADDRESS, Math.max(1, max / 2)),
                    environment.millis(FIRST_REQUEST_TIMEOUT_MS));
        }
    }
}
