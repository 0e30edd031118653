package io.queenmq.server.http.server;

import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.queenmq.engine.time.Clock;
import io.queenmq.server.config.HttpConfig;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The connections of one event loop. Checks all of them periodically and closes those that exceed a time limit: incomplete
 * bodies and unread responses use memory and must not be kept without a limit. Owned by one event loop.
 */
final class Connections {
    private static final int WRITES_PER_FLUSH_MAX = 256;

    /** Maximum number of bytes that a paused connection has read but not processed. */
    private static final int READ_BYTES_MAX = 16 * 1024;
    private static final int READ_BYTES_FIRST = 2 * 1024;
    private static final int READ_BYTES_MIN = 512;

    private static final long LOOK_EVERY_MS_MAX = 1_000;

    /** Maximum silence of a client whose body is read and dropped. After it, the rest of the body is not expected any more. */
    private static final Duration UNREAD_SILENCE_MAX = Duration.ofSeconds(5);

    private final HttpServerOptions options;
    private final HttpConfig.Limits limits;
    private final Bodies bodies;
    private final Refusals refusals;
    private final Set<Connection> open = new HashSet<>();
    private long nowNs = Clock.SYSTEM.nowNs();

    /** @param options options of the server of these connections */
    Connections(HttpServerOptions options, Bounds bounds) {
        this.options = options;
        this.limits = bounds.limits();
        this.bodies = bounds.bodies();
        this.refusals = bounds.refusals();
    }

    void start(Vertx vertx) {
        long shortestMs = Stream.of(limits.headTimeout(), limits.bodyTimeout(), limits.writeTimeout(),
                limits.connections().firstRequestTimeout()).mapToLong(Duration::toMillis).min().getAsLong();
        vertx.setPeriodic(Math.clamp(shortestMs / 4, 1, LOOK_EVERY_MS_MAX), _ -> closeIfTooSlow());
    }

    /** The time of the last check, which is exact enough for time limits. */
    long nowNs() {
        return nowNs;
    }

    void add(HttpConnection added) {
        Channel channel = ((HttpServerConnection) added).channelHandlerContext().channel();
        Connection connection = new Connection(this, channel);
        open.add(connection);
        added.closeHandler(_ -> open.remove(connection));
        channel.config().setRecvByteBufAllocator(
                new AdaptiveRecvByteBufAllocator(READ_BYTES_MIN, READ_BYTES_FIRST, READ_BYTES_MAX));
        ChannelPipeline pipeline = channel.pipeline();
        // Responses that are ready together are first written and then flushed one directly after the other. A client with
        // many connections is then woken once, not once per connection. Waking the client is the most expensive part of a
        // response.
        pipeline.addFirst(new FlushConsolidationHandler(WRITES_PER_FLUSH_MAX, true));
        pipeline.addFirst(connection);
        pipeline.replace(VertxHttpRequestDecoder.class, "httpDecoder", new StrictRequestDecoder(options));
    }

    private void closeIfTooSlow() {
        nowNs = Clock.SYSTEM.nowNs();
        for (Connection connection : new ArrayList<>(open)) {
            if (isOver(connection.withoutRequestNs(nowNs), limits.connections().firstRequestTimeout())) {
                refusals.count(Refusals.Reason.NO_REQUEST, connection.client());
                connection.close();
            } else if (isOver(connection.headOverdueNs(nowNs), limits.headTimeout())) {
                refusals.count(Refusals.Reason.HEAD_SLOW);
                connection.close();
            } else if (isOver(connection.unreadNs(nowNs), limits.bodyTimeout())
                    || isOver(connection.unreadSilenceNs(nowNs), UNREAD_SILENCE_MAX)) {
                refusals.count(Refusals.Reason.BODY_UNREAD);
                connection.close();
            } else if (isOver(connection.answerOverdueNs(nowNs), limits.writeTimeout())) {
                refusals.count(Refusals.Reason.ANSWER_SLOW);
                connection.close();
            } else if (connection.body() != null) {
                closeIfTooSlow(connection.body());
            }
        }
    }

    /**
     * Ends a body that exceeds a time limit. Each pause between two parts is limited. The total time is limited only while other
     * bodies wait for memory.
     */
    private void closeIfTooSlow(BodyReader body) {
        if (isOver(body.silentNs(nowNs), limits.bodyTimeout())
                || bodies.waiting() > 0 && isOver(body.ageNs(nowNs), limits.bodyTimeout())) {
            body.timeOut();
        }
    }

    private static boolean isOver(long ns, Duration max) {
        return ns > max.toNanos();
    }
}
