package io.queenmq.spring;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of a Queen client.
 *
 * @param urls the servers; if one fails, the next is used
 * @param token the bearer token (default: none)
 * @param connectTimeout maximum time to connect
 * @param requestTimeout maximum time of one attempt
 * @param retryFor how long a call is retried while servers fail or do not respond
 * @param requestsMax maximum requests in flight; further ones wait
 * @param joinTransactions true if the template pushes inside the active transaction of the application's DataSource;
 *     Queen must be in the same database
 * @param defineQueues true if beans of the type QueueDefinition are applied at startup
 * @param ssl TLS settings
 * @param listener settings of methods with {@code @QueenListener}
 */
@ConfigurationProperties("queen")
public record QueenProperties(@DefaultValue("http://localhost:6632") List<String> urls, @Nullable String token,
        @DefaultValue("5s") Duration connectTimeout, @DefaultValue("15s") Duration requestTimeout,
        @DefaultValue("30s") Duration retryFor, @DefaultValue("64") int requestsMax,
        @DefaultValue("true") boolean joinTransactions, @DefaultValue("true") boolean defineQueues,
        @DefaultValue Ssl ssl, @DefaultValue Listener listener) {
    /**
     * TLS settings.
     *
     * @param bundle the SSL bundle with the trusted authorities and the client certificate (default: those of the JVM)
     */
    public record Ssl(@Nullable String bundle) {}

    /**
     * Settings of methods with {@code @QueenListener}.
     *
     * @param autoStartup true if they start with the application
     * @param drainWithin how long a shutdown waits for running handlers before it interrupts them
     */
    public record Listener(@DefaultValue("true") boolean autoStartup, @DefaultValue("20s") Duration drainWithin) {}
}
