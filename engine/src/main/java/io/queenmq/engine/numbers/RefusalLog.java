package io.queenmq.engine.numbers;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log now and then which queues refused pushes, why, and how many: one line for each queue and reason, however
 * many were refused. Owned by the engine loop.
 */
final class RefusalLog {
    private static final Logger log = LoggerFactory.getLogger(RefusalLog.class);

    /** More lines help nobody; what was refused beyond them is told in one. */
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

    /** Writes what was refused since the last time; nothing when nothing was. */
    void write() {
        take().forEach(log::warn);
    }

    /** What was refused since the last time, in words. */
    List<String> take() {
        List<String> lines = new ArrayList<>();
        tallies.forEach((cause, tally) -> lines.add("%s refused %d %s, reason %s: %s".formatted(cause.queue,
                tally.count, tally.count == 1 ? "push" : "pushes", cause.reason.label(), tally.error)));
        if (others > 0) {
            lines.add("for other queues or reasons " + others + " pushes were refused");
        }
        tallies.clear();
        others = 0;
        return lines;
    }

    private record Cause(String queue, PushRefusal reason) {}

    private static final class Tally {
        private long count;
        private String error;
    }
}
