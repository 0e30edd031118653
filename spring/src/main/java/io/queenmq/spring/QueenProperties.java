package io.queenmq.spring;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What an application says about its Queen.
 *
 * @param urls where the servers are; with several, another one is asked when one fails
 * @param token the bearer token; none unless set
 * @param connectTimeout how long connecting may take
 * @param requestTimeout how long one attempt may take
 * @param retryFor how long a call goes on trying when servers fail or do not answer
 * @param requestsMax how many requests may be under way at a time; further ones wait
 * @param joinTransactions whether the template pushes inside the transaction that is active on the application's
 *     DataSource; for this Queen must live in the same database
 * @param defineQueues whether queues are created or looked for at the start, as beans of the type QueueDefinition say
 * @param listener about methods with {@code @QueenListener}
 */
@ConfigurationProperties("queen")
public record QueenProperties(
        @DefaultValue("http://localhost:6632") List<String> urls,
        @Nullable String token,
        @DefaultValue("5s") Duration connectTimeout,
        @DefaultValue("15s") Duration requestTimeout,
        @DefaultValue("30s") Duration retryFor,
        @DefaultValue("64") int requestsMax,
        @DefaultValue("true") boolean joinTransactions,
        @DefaultValue("true") boolean defineQueues,
        @DefaultValue Listener listener) {
    /**
     * About methods with {@code @QueenListener}.
     *
     * @param autoStartup whether they start with the application
     * @param drainWithin how long the end of the application waits for handlers before it interrupts them
     */
    public record Listener(@DefaultValue("true") boolean autoStartup, @DefaultValue("20s") Duration drainWithin) {}
}
