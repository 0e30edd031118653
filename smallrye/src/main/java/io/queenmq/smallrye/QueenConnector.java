package io.queenmq.smallrye;

import io.queenmq.client.Codec;
import io.queenmq.client.Queen;
import io.queenmq.client.QueenBuilder;
import io.smallrye.reactive.messaging.annotations.ConnectorAttribute;
import io.smallrye.reactive.messaging.annotations.ConnectorAttribute.Direction;
import io.smallrye.reactive.messaging.connector.InboundConnector;
import io.smallrye.reactive.messaging.connector.OutboundConnector;
import io.smallrye.reactive.messaging.providers.connectors.ExecutionHolder;
import io.vertx.mutiny.core.Context;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.spi.Connector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connector {@code queen}. A bean of the type {@link Queen} in the application is used instead of the attributes
 * {@code urls} and {@code token}; a bean of the type {@link Codec} encodes the payloads.
 */
@ApplicationScoped
@Connector(QueenConnector.NAME)
@ConnectorAttribute(name = "urls", type = "string", direction = Direction.INCOMING_AND_OUTGOING, defaultValue = "http://localhost:6632", description = "The servers, separated by commas; if one fails, the next is used")
@ConnectorAttribute(name = "token", type = "string", direction = Direction.INCOMING_AND_OUTGOING, description = "The bearer token")
@ConnectorAttribute(name = "queue", type = "string", direction = Direction.INCOMING_AND_OUTGOING, description = "The queue (default: the name of the channel)")
@ConnectorAttribute(name = "group", type = "string", direction = Direction.INCOMING, description = "The consumer group (default: none)")
@ConnectorAttribute(name = "payload-type", type = "string", direction = Direction.INCOMING, defaultValue = "java.lang.String", description = "The class of the payloads")
@ConnectorAttribute(name = "concurrency", type = "int", direction = Direction.INCOMING, defaultValue = "1", description = "The maximum number of unacknowledged messages, each of another partition")
@ConnectorAttribute(name = "failure-strategy", type = "string", direction = Direction.INCOMING, defaultValue = "retry", description = "The outcome of a rejected message: retry, dead-letter or ignore")
@ConnectorAttribute(name = "partition", type = "string", direction = Direction.OUTGOING, description = "The partition of messages without OutgoingQueenMetadata")
public class QueenConnector implements InboundConnector, OutboundConnector {
    /** The value of the attribute {@code connector} of a channel. */
    public static final String NAME = "queen";

    private static final Logger log = LoggerFactory.getLogger(QueenConnector.class);

    private final Instance<Queen> queens;
    private final Instance<Codec> codecs;
    private final Context context;
    private final ConcurrentMap<List<String>, Queen> connected = new ConcurrentHashMap<>();
    private final List<AutoCloseable> channels = new CopyOnWriteArrayList<>();

    /** Called by CDI. */
    @Inject
    public QueenConnector(@Any Instance<Queen> queens, @Any Instance<Codec> codecs, ExecutionHolder execution) {
        this.queens = queens;
        this.codecs = codecs;
        this.context = execution.vertx().getOrCreateContext();
    }

    @Override
    public Flow.Publisher<? extends Message<?>> getPublisher(Config config) {
        IncomingChannel channel = new IncomingChannel(queen(config), config, context::runOnContext);
        channels.add(channel);
        return channel.messages();
    }

    @Override
    public Flow.Subscriber<? extends Message<?>> getSubscriber(Config config) {
        OutgoingChannel channel = new OutgoingChannel(queen(config), config);
        channels.add(channel);
        return channel;
    }

    private Queen queen(Config config) {
        if (queens.isResolvable()) {
            return queens.get();
        }
        String urls = config.getOptionalValue("urls", String.class).orElse("http://localhost:6632");
        String token = config.getOptionalValue("token", String.class).orElse("");
        return connected.computeIfAbsent(List.of(urls, token), key -> connect(urls, token));
    }

    private Queen connect(String urls, String token) {
        QueenBuilder builder = Queen.builder().urls(List.of(urls.split("\\s*,\\s*")));
        if (!token.isEmpty()) {
            builder.token(() -> token);
        }
        if (codecs.isResolvable()) {
            builder.codec(codecs.get());
        }
        return builder.build();
    }

    @PreDestroy
    void close() {
        for (AutoCloseable channel : channels) {
            try {
                channel.close();
            } catch (Exception e) {
                log.warn("channel cannot be closed: {}", e.toString());
            }
        }
        connected.values().forEach(Queen::close);
    }
}
