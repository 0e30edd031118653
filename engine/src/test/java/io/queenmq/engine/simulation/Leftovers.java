package io.queenmq.engine.simulation;

import io.micrometer.core.instrument.Gauge;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * What servers hold while they work: calls, connections, requests in line, pops that wait, bytes of answers. Once no client asks
 * for anything, each of these comes down to nothing between two turns of what a server does by itself. What never does was left
 * over, and be it a single call.
 */
final class Leftovers {
    private static final List<String> GAUGES = List.of("queen.call.waiting", "queen.call.in.flight",
            "queen.db.connections.busy", "queen.answers.bytes", "queen.answers.waiting", "queen.pop.parked",
            "queen.pop.waiting.entries", "queen.pop.waiting.partitions", "queen.push.bundles.waiting", "queen.leases",
            "queen.lease.releases.pending");

    /** More than the periodic tasks of a server need. */
    private static final int TIMERS_MAX = 50;

    private final List<Gauge> held = new ArrayList<>();
    private final List<String> surplus = new ArrayList<>();

    Leftovers(Collection<SimulatedServer> servers) {
        for (SimulatedServer server : servers) {
            GAUGES.forEach(name -> held.addAll(server.gauges(name)));
        }
    }

    /** Counts entries of pops that are over. Must be called while pops wait for one queue or partition each. */
    void countSurplus(Collection<SimulatedServer> servers) {
        for (SimulatedServer server : servers) {
            double parked = sum(server, "queen.pop.parked");
            double entries = sum(server, "queen.pop.waiting.entries");
            double timers = sum(server, "queen.timers");
            if (entries != parked) {
                surplus.add(entries + " entries of " + parked + " waiting pops");
            }
            if (timers > TIMERS_MAX + parked + sum(server, "queen.pop.partitions")) {
                surplus.add(timers + " timers");
            }
        }
    }

    private static double sum(SimulatedServer server, String name) {
        return server.gauges(name).stream().mapToDouble(Gauge::value).sum();
    }

    /** Whether each of them was nothing at some moment, to be asked after everything that happens. */
    boolean wereGone() {
        held.removeIf(gauge -> {
            if (gauge.value() < 0) {
                throw new AssertionError("more was given back than taken: " + describe(gauge));
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
