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
 * The connections of one event loop. Looks at all of them now and then, and ends those whose clients owe something and
 * do not send or take it: neither a body that does not come nor an answer that is not read may be kept for ever. Owned by
 * one event loop.
 */
final class Connections {
    private static final int WRITES_PER_FLUSH_MAX = 256;

    /** What a connection that is paused has read and not used is at most this. */
    private static final int READ_BYTES_MAX = 16 * 1024;
    private static final int READ_BYTES_FIRST = 2 * 1024;
    private static final int READ_BYTES_MIN = 512;

    private static final long LOOK_EVERY_MS_MAX = 1_000;

    /** A client that sends nothing for so long does not send the rest of its body. */
    private static final Duration UNREAD_SILENCE_MAX = Duration.ofSeconds(5);

    private final HttpServerOptions options;
    private final HttpConfig.Limits limits;
    private final Bodies bodies;
    private final Refusals refusals;
    private final Set<Connection> open = new HashSet<>();
    private long nowNs = Clock.SYSTEM.nowNs();

    /** @param options those of the server whose connections these are */
    Connections(HttpServerOptions options, Bounds bounds) {
        this.options = options;
        this.limits = bounds.limits();
        this.bodies = bounds.bodies();
        this.refusals = bounds.refusals();
    }

    void start(Vertx vertx) {
        long shortestMs = Stream.of(limits.headTimeout(), limits.bodyTimeout(), limits.writeTimeout(),
                limits.connections().firstRequestTimeout()).mapToLong(Duration::toMillis).min().getAsLong();
        vertx.setPeriodic(Math.clamp(shortestMs / 4, 1, LOOK_EVERY_MS_MAX), _ -> look());
    }

    /** The time of the last look, which is exact enough to judge patience by. */
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
        // Answers that are ready together are first written, then flushed one right after the other. A client that is
        // served over many connections is woken once then, and not for each of them: waking it is the dearest part of an
        // answer.
        pipeline.addFirst(new FlushConsolidationHandler(WRITES_PER_FLUSH_MAX, true));
        pipeline.addFirst(connection);
        pipeline.replace(VertxHttpRequestDecoder.class, "httpDecoder", new StrictRequestDecoder(options));
    }

    private void look() {
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
                look(connection.body());
            }
        }
    }

    /** A body may take long as long as it comes, unless others have to wait for its room. */
    private void look(BodyReader body) {
        if (isOver(body.silentNs(nowNs), limits.bodyTimeout())
                || bodies.waiting() > 0 && isOver(body.ageNs(nowNs), limits.bodyTimeout())) {
            body.tooSlow();
        }
    }

    private static boolean isOver(long ns, Duration max) {
        return ns > max.toNanos();
    }
}
