package io.queenmq.server.operator;

import io.queenmq.server.reply.Failure;
import io.queenmq.server.reply.Reply;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the sums over lanes refreshed now and then, so that lists of queues and groups need not look at lanes. Every server
 * asks; the database sees to it that one of them does the work. Opened and closed by the server.
 */
public final class DepthRefresher implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DepthRefresher.class);

    private final Vertx vertx;
    private final OperatorDesk desk;
    private final long minAgeMs;
    private final long timerId;
    private final AtomicBoolean isUnderWay = new AtomicBoolean();

    private DepthRefresher(Vertx vertx, OperatorDesk desk, Duration interval) {
        this.vertx = vertx;
        this.desk = desk;
        // A little less than the interval, or every second turn would come a moment too early.
        this.minAgeMs = interval.toMillis() * 9 / 10;
        this.timerId = vertx.setPeriodic(interval.toMillis(), _ -> refresh());
    }

    public static DepthRefresher start(Vertx vertx, OperatorDesk desk, Duration interval) {
        return new DepthRefresher(vertx, desk, interval);
    }

    private void refresh() {
        if (isUnderWay.compareAndSet(false, true)) {
            try {
                desk.call(new OperatorCall("refresh_depths", Arrays.asList(null, false, minAgeMs), Reply.of(
                        _ -> isUnderWay.set(false), this::onFailed)));
            } catch (Throwable defect) {
                isUnderWay.set(false);
                log.error("the sums over lanes were not refreshed", defect);
            }
        }
    }

    /** The next turn makes up for it. */
    private void onFailed(Failure failure) {
        isUnderWay.set(false);
        log.debug("the sums over lanes were not refreshed: {}", failure.message());
    }

    @Override
    public void close() {
        vertx.cancelTimer(timerId);
    }
}
