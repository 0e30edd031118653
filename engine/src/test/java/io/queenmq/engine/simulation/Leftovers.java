package io.queenmq.engine.simulation;

import io.micrometer.core.instrument.Gauge;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The resources of servers that must be released: calls, connections, pending requests, waiting pops, bytes of answers.
 * Without requests of clients, each of them is zero at some time between two periodic tasks. A resource that is never
 * zero is a leftover.
 */
final class Leftovers {
    private static final List<String> GAUGES = List.of("queen.call.waiting", "queen.call.in.flight",
            "queen.db.connections.busy", "queen.answers.bytes", "queen.answers.waiting", "queen.pop.parked",
            "queen.pop.waiting.entries", "queen.pop.waiting.partitions", "queen.push.bundles.waiting", "queen.leases",
            "queen.lease.releases.pending");

    /** More timers than the periodic tasks of a server need. */
    private static final int TIMERS_MAX = 50;

    private final List<Gauge> held = new ArrayList<>();
    private final List<String> surplus = new ArrayList<>();

    Leftovers(Collection<SimulatedServer> servers) {
        for (SimulatedServer server : servers) {
            GAUGES.forEach(name -> held.addAll(server.gauges(name)));
        }
    }

    /** Counts entries of completed pops. Must be called while pops wait for one queue or partition each. */
    void countSurplus(Collection<SimulatedServer> servers) {
        for (SimulatedServer server : servers) {
            double waiting = sum(server, "queen.pop.parked");
            double entries = sum(server, "queen.pop.waiting.entries");
            double timers = sum(server, "queen.timers");
            if (entries != waiting) {
                surplus.add(entries + " entries of " + waiting + " waiting pops");
            }
            if (timers > TIMERS_MAX + waiting + sum(server, "queen.pop.partitions")) {
                surplus.add(timers + " timers");
            }
        }
    }

    private static double sum(SimulatedServer server, String name) {
        return server.gauges(name).stream().mapToDouble(Gauge::value).sum();
    }

    /** Records which resources are zero. Must be called after every event. */
    boolean wereGone() {
        held.removeIf(gauge -> {
            if (gauge.value() < 0) {
                throw new AssertionError("more was released than acquired: " + describe(gauge));
            }
            return gauge.value() == 0;
        });
        return held.isEmpty();
    }

    List<String> list() {
        List<String> all = new ArrayList<>(surplus);
        held.forEach(gauge -> all.add(describe(gauge)));
        return all;
    }

    private static String describe(Gauge gauge) {
        String operation = gauge.getId().getTag("op");
        return gauge.getId().getName() + (operation == null ? "" : " of " + operation) + " is " + gauge.value();
    }
}
