package io.queenmq.engine.numbers;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs refused pushes periodically: one line for each queue and reason, with their number. Owned by the engine loop.
 */
final class RefusalLog {
    private static final Logger log = LoggerFactory.getLogger(RefusalLog.class);

    /** The maximum number of lines. Further refused pushes are summarized in one line. */
    static final int LINES_MAX = 20;

    private final Map<Cause, Tally> tallies = new LinkedHashMap<>();
    private long others;

    void add(String queue, PushRefusal reason, String error) {
        Cause cause = new Cause(queue, reason);
        Tally tally = tallies.get(cause);
        if (tally == null && tallies.size() == LINES_MAX) {
            others++;
            return;
        }
        if (tally == null) {
            tally = new Tally();
            tallies.put(cause, tally);
        }
        tally.count++;
        tally.error = error;
    }

    /** Logs the pushes that were refused since the last call, if any. */
    void write() {
        take().forEach(log::warn);
    }

    /** Returns the lines for pushes that were refused since the last call, and removes them. */
    List<String> take() {
        List<String> lines = new ArrayList<>();
        tallies.forEach((cause, tally) -> lines.add("pushes refused: %d to queue %s, reason %s: %s"
                .formatted(tally.count, cause.queue, cause.reason.label(), tally.error)));
        if (others > 0) {
            lines.add("pushes refused: " + others + " to other queues or for other reasons");
        }
        tallies.clear();
        others = 0;
        return lines;
    }

    private record Cause(String queue, PushRefusal reason) {}

    private static final class Tally {
        private long count;
        private String error = "";
    }
}
