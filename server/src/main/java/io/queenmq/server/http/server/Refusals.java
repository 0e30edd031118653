package io.queenmq.server.http.server;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts requests and connections that were rejected, by reason. Safe from any thread. */
final class Refusals {
    private static final Logger log = LoggerFactory.getLogger(Refusals.class);

    /** The reasons of rejections. */
    enum Reason {
        /** A body was larger than allowed: 413. */
        BODY_TOO_LARGE,
        /** A body waited too long for memory: 503. */
        BODY_WAIT,
        /** There was no memory for the received bytes of a body: 503. */
        BODY_FLOOD,
        /** A body was not received in time: 408. */
        BODY_SLOW,
        /** The rest of a body was not received in time after its request was answered: the connection is closed. */
        BODY_UNREAD,
        /** The head of a request was not received in time: the connection is closed. */
        HEAD_SLOW,
        /** A client did not read its response in time: the connection is closed. */
        ANSWER_SLOW,
        /** A request violates HTTP: 400, 414, 431 or 501, and the connection is closed. */
        MALFORMED,
        /** HTTP_MAX_CONNECTIONS connections are open: the new one is closed. */
        CONNECTIONS,
        /** The address has HTTP_MAX_CONNECTIONS_PER_ADDRESS connections: the new one is closed. */
        CONNECTIONS_OF_ADDRESS,
        /** A connection sent no request within FIRST_REQUEST_TIMEOUT_MS: it is closed. */
        NO_REQUEST,
        /** A TLS handshake failed or did not end in time: the connection is closed. */
        TLS_HANDSHAKE;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Map<Reason, Counter> counters = new EnumMap<>(Reason.class);
    private final Map<Reason, Tally> tallies = new EnumMap<>(Reason.class);

    Refusals(MeterRegistry registry) {
        for (Reason reason : Reason.values()) {
            counters.put(reason,
                    Counter.builder("queen.refused").description("Rejected requests and connections, by reason.")
                            .tag("reason", reason.label()).register(registry));
            tallies.put(reason, new Tally());
        }
    }

    void count(Reason reason) {
        Objects.requireNonNull(counters.get(reason)).increment();
    }

    /** Counts a closed connection that {@link #writeLog} reports, too. */
    void count(Reason reason, InetAddress client) {
        count(reason);
        Tally tally = Objects.requireNonNull(tallies.get(reason));
        tally.count.incrementAndGet();
        tally.lastClient = client;
    }

    /** Logs one line for each reason for which connections were closed since the last call. */
    void writeLog() {
        takeLines().forEach(log::warn);
    }

    List<String> takeLines() {
        List<String> lines = new ArrayList<>();
        tallies.forEach((reason, tally) -> {
            long count = tally.count.getAndSet(0);
            if (count > 0) {
                lines.add("connections rejected: %d, reason %s, the last from %s".formatted(count, reason.label(),
                        tally.lastClient.getHostAddress()));
            }
        });
        return lines;
    }

    private static final class Tally {
        private final AtomicLong count = new AtomicLong();
        private volatile InetAddress lastClient = InetAddress.getLoopbackAddress();
    }
}
