package io.queenmq.verify.fault;

import io.queenmq.verify.cluster.TcpProxy.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The faults that {@code queen verify} can inject. */
public final class Faults {
    private static final List<Fault> ALL = List.of(new ServerKill(), new Pause(Pause.Victim.SERVER),
            new RollingRestart(), new BackendKill(), new Pause(Pause.Victim.BACKEND), new PostmasterKill(),
            new Pause(Pause.Victim.POSTMASTER),
            new NetworkFault("connections-cut", "connections to PostgreSQL are cut, and new ones are refused", Mode.CUT,
                    true),
            new NetworkFault("connections-silent", "connections to PostgreSQL stay open and transfer nothing",
                    Mode.SILENT, true),
            new NetworkFault("connections-half-open", "PostgreSQL receives calls, and its responses do not arrive",
                    Mode.HALF_OPEN, true),
            new NetworkFault("database-responses-lost",
                    "PostgreSQL executes calls, and the connection ends before its response", Mode.LOSE_RESPONSES,
                    true),
            new NetworkFault("responses-lost",
                    "a server executes requests, and the connection ends before its response", Mode.LOSE_RESPONSES,
                    false),
            new NetworkFault("clients-silent", "connections of clients stay open and transfer nothing", Mode.SILENT,
                    false),
            new HeldTransaction(), new LockedRows(), new ConnectionsExhausted(), new StandbyUnavailable(),
            new Failover(true), new Failover(false), new BackupRestore(), new OtherReleases(), new PgBouncerBetween(),
            SystemCallFault.slowFsync(), SystemCallFault.failingFsync(), SystemCallFault.fullDisk(),
            new SpoolDiskFull(), new ServerClock(), new DatabaseClock(), new ClusterCut());

    private Faults() {}

    public static List<Fault> all() {
        return ALL;
    }

    /** Returns the names of all faults, each with its description. */
    public static String table() {
        return ALL.stream().map(each -> String.format("  %-24s %s%n", each.name(), each.description()))
                .collect(Collectors.joining());
    }

    /**
     * Returns the faults with these names.
     *
     * @param list names separated by commas, {@code all} or {@code none}
     * @throws IllegalArgumentException if a name is unknown
     */
    public static List<Fault> named(String list) {
        if (list.equals("all")) {
            return ALL;
        }
        if (list.equals("none")) {
            return List.of();
        }
        Map<String, Fault> byName = ALL.stream().collect(Collectors.toMap(Fault::name, Function.identity()));
        List<Fault> faults = new ArrayList<>();
        for (String name : list.split(",")) {
            Fault fault = byName.get(name.strip());
            if (fault == null) {
                throw new IllegalArgumentException(
                        "fault \"" + name.strip() + "\" is unknown; use all, none, or some of "
                                + String.join(", ", ALL.stream().map(Fault::name).toList()));
            }
            faults.add(fault);
        }
        return faults;
    }
}
