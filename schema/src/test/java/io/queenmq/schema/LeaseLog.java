package io.queenmq.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Records acquisitions and uses of leases as seen by clients: only the begin and the end of each call are known.
 * Thread-safe.
 */
final class LeaseLog {
    private final Map<Api.Reader, ConcurrentLinkedQueue<Call>> grants = new ConcurrentHashMap<>();
    private final Map<Api.Reader, ConcurrentLinkedQueue<Call>> uses = new ConcurrentHashMap<>();

    record Call(UUID lease, long beginNs, long endNs) {
        boolean isBefore(Call other) {
            return endNs < other.beginNs;
        }
    }

    void granted(LeaseRequest request, long beginNs, long endNs) {
        add(grants, Api.Reader.of(request), new Call(request.lease(), beginNs, endNs));
    }

    void used(LeaseRequest request, long beginNs, long endNs) {
        add(uses, Api.Reader.of(request), new Call(request.lease(), beginNs, endNs));
    }

    int grantCount() {
        return grants.values().stream().mapToInt(ConcurrentLinkedQueue::size).sum();
    }

    /** Returns every use of a lease that began after a later consumer had acquired the partition. */
    List<String> overlaps() {
        var overlaps = new ArrayList<String>();
        uses.forEach((cursor, calls) -> calls.forEach(use -> {
            var own = grants.get(cursor).stream().filter(grant -> grant.lease().equals(use.lease())).findFirst()
                    .orElseThrow();
            grants.get(cursor).stream()
                    .filter(grant -> !grant.lease().equals(use.lease()) && own.isBefore(grant) && grant.isBefore(use))
                    .forEach(heir -> overlaps.add(cursor + ": " + use + " though " + heir));
        }));
        return overlaps;
    }

    private static void add(Map<Api.Reader, ConcurrentLinkedQueue<Call>> log, Api.Reader cursor, Call call) {
        log.computeIfAbsent(cursor, _ -> new ConcurrentLinkedQueue<>()).add(call);
    }
}
