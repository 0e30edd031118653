package io.queenmq.engine.simulation.store;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** The table queen.server: the number of the last report of each server. */
final class ServerReports {
    private final Map<UUID, Long> reports = new HashMap<>();

    Answer report(Arguments arguments) {
        UUID server = arguments.uuid("server_id");
        long report = arguments.number("report");
        boolean isNew = report > of(server);
        reports.merge(server, report, Math::max);
        return Answer.of(isNew);
    }

    /** Returns the number; 0 if there is none. */
    long of(UUID server) {
        return reports.getOrDefault(server, 0L);
    }

    void copyFrom(ServerReports source) {
        reports.clear();
        reports.putAll(source.reports);
    }
}
