package io.queenmq.verify.check;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The faults of a run and the guarantees that they suspend. A fault names what it excuses: {@code leases} (PostgreSQL crashed,
 * and commits that it need not flush may be lost), {@code clock} (a clock was changed) or {@code history} (PostgreSQL returned to
 * an earlier state).
 */
final class FaultExemptions {
    static final String LEASES = "leases";
    static final String CLOCK = "clock";
    static final String HISTORY = "history";

    /** A fault, until its end is known for the rest of the run. */
    private static final class Fault {
        private final long begin;
        private long end = Long.MAX_VALUE;
        private final List<String> excuses = new ArrayList<>();

        private Fault(long begin) {
            this.begin = begin;
        }
    }

    private final List<Fault> faults = new ArrayList<>();
    private final Map<Long, Fault> active = new HashMap<>();

    void read(Entry.Line line) {
        long id = line.node().path("fault").asLong();
        if (line.op().equals("fault-begin")) {
            Fault fault = new Fault(line.start());
            for (JsonNode each : line.node().path("excuses")) {
                fault.excuses.add(each.asText());
            }
            faults.add(fault);
            active.put(id, fault);
        } else if (line.op().equals("fault-end")) {
            Fault fault = active.remove(id);
            if (fault != null) {
                fault.end = line.end();
            }
        }
    }

    /** Returns true if a fault that excuses this was active at some time in between. */
    boolean apply(String kind, long from, long to) {
        return faults.stream().anyMatch(each -> each.begin <= to && each.end >= from && each.excuses.contains(kind));
    }

    /** Returns true if any fault was active at some time in between, or had ended less than {@code graceMicros} before. */
    boolean isAnyFault(long from, long to, long graceMicros) {
        return faults.stream()
                .anyMatch(each -> each.begin <= to && (each.end == Long.MAX_VALUE || each.end + graceMicros >= from));
    }
}
