package io.queenmq.server.config;

import static io.queenmq.server.config.Setting.FIRST_REQUEST_TIMEOUT_MS;
import static io.queenmq.server.config.Setting.HTTP_MAX_CONNECTIONS;
import static io.queenmq.server.config.Setting.HTTP_MAX_CONNECTIONS_PER_ADDRESS;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the HTTP server.
 *
 * @param port the port to listen on; 0 picks a free one
 * @param loops number of event loops
 * @param tls null for plain HTTP
 * @param seriesMax maximum number of queues, and of pairs of queue and group, with their own Prometheus series
 * @param oidc null if users of the dashboard do not sign in with an OpenID Connect provider
 */
public record HttpConfig(ExposureConfig exposure, int port, int loops, Limits limits, @Nullable TlsConfig tls,
        int seriesMax, @Nullable OidcConfig oidc) {
    /**
     * Limits of the memory and time that a client can use.
     *
     * @param bodyBytesMax maximum size of a request body
     * @param requestBytesMax maximum of all request bodies together, each from its first byte until its request is answered
     * @param bodyWait maximum time that a body waits for memory before its request is rejected
     * @param headTimeout maximum time to receive the head of a request
     * @param bodyTimeout maximum time between two parts of a body
     * @param writeTimeout maximum time in which a client reads nothing of its response
     */
    public record Limits(int bodyBytesMax, long requestBytesMax, Duration bodyWait, Duration headTimeout,
            Duration bodyTimeout, Duration writeTimeout, ConnectionLimits connections) {}

    /**
     * Limits of the open connections of clients.
     *
     * @param max in total
     * @param perAddressMax from one IPv4 address or one IPv6 /64 network
     * @param firstRequestTimeout maximum time before the first request of a connection
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
