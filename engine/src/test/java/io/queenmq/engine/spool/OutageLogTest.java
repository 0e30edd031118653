package io.queenmq.engine.spool;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class OutageLogTest {
    private static final long TICK_NS = 200_000_000;

    private final Logger logger = (Logger) LoggerFactory.getLogger(OutageLog.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final OutageLog outages = new OutageLog();
    private long nowNs;

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(lines);
    }

    @Test
    void anOutageIsLoggedOnceAtItsStartAndOnceAtItsEnd() {
        observe(5, true, spool(SpoolStatus.State.READY, 0), 100);
        observe(1, false, spool(SpoolStatus.State.READY, 0), 100);
        observe(59, false, spool(SpoolStatus.State.READY, 250), 350);
        observe(1, true, spool(SpoolStatus.State.READY, 40), 350);
        observe(9, true, spool(SpoolStatus.State.READY, 0), 350);
        observe(60, true, spool(SpoolStatus.State.READY, 0), 350);

        assertThat(texts()).containsExactly(
                "ERROR PostgreSQL is unavailable: pushes are spooled, other requests wait or are rejected with 503",
                "INFO PostgreSQL is available again after 60 s: 250 messages were spooled, 40 are pending",
                "INFO spool drained 1 s after the outage, 250 messages stored or refused");
    }

    @Test
    void aShortReconnectionIsNotAnOutage() {
        for (int i = 0; i < 10; i++) {
            outages.observe(false, spool(SpoolStatus.State.READY, 0), 0, nowNs += TICK_NS);
            observe(1, true, spool(SpoolStatus.State.READY, 0), 0);
        }

        assertThat(texts()).isEmpty();
    }

    @Test
    void theLineStatesThatPushesAreRejectedWithoutASpool() {
        observe(2, false, SpoolStatus.OFF, 0);
        observe(1, true, SpoolStatus.OFF, 0);
        observe(2, false, spool(SpoolStatus.State.BROKEN, 0), 0);

        assertThat(texts()).containsExactly(
                "ERROR PostgreSQL is unavailable: requests are rejected with 503, because the spool is switched off",
                "INFO PostgreSQL is available again after 2 s: 0 messages were spooled, 0 are pending",
                "ERROR PostgreSQL is unavailable: requests are rejected with 503, because the spool is unusable: disk");
    }

    private void observe(int seconds, boolean isAvailable, SpoolStatus spool, long accepted) {
        for (int i = 0; i < 5 * seconds; i++) {
            outages.observe(isAvailable, spool, accepted, nowNs += TICK_NS);
        }
    }

    private static SpoolStatus spool(SpoolStatus.State state, long pending) {
        return new SpoolStatus(state, state == SpoolStatus.State.READY ? null : "disk", pending, 0, 0, 0, 0, 0, 0, 0);
    }

    private List<String> texts() {
        return lines.list.stream().map(event -> event.getLevel() + " " + event.getFormattedMessage()).toList();
    }
}
