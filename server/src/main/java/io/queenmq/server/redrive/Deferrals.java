package io.queenmq.server.redrive;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Redrives with dead letters that this server cannot open. Another server may have the key, so such a redrive is left to the
 * other servers for a while. If none of them has made progress by then, none has the key. Used by one step at a time.
 */
final class Deferrals {
    /** Long enough for every server to query for work several times. */
    static final long DEFERRED_FOR_NS = 3_000_000_000L;
    /** A redrive is removed from memory this long after its last deferral. */
    static final long REMOVED_AFTER_NS = 3_600_000_000_000L;

    private final Map<UUID, Deferral> byRedrive = new HashMap<>();

    /** @param isExpired true if no other server made progress: this server continues with the letters it can open */
    private record Deferral(DeadLetter.Key at, long sinceNs, boolean isExpired) {}

    /** Returns the redrives that this server must not claim now. */
    List<UUID> deferred(long nowNs) {
        byRedrive.values().removeIf(each -> nowNs - each.sinceNs > REMOVED_AFTER_NS);
        List<UUID> deferred = new ArrayList<>();
        byRedrive.forEach((id, each) -> {
            if (!each.isExpired && nowNs - each.sinceNs < DEFERRED_FOR_NS) {
                deferred.add(id);
            }
        });
        return deferred;
    }

    /**
     * Decides about a redrive with a claimed dead letter that this server cannot open. Returns true if the redrive is left to
     * the other servers; false if none of them has made progress since this server left it to them.
     *
     * @param first the first claimed dead letter, which this server may be able to open
     */
    boolean defer(UUID redriveId, DeadLetter first, long nowNs) {
        Deferral before = byRedrive.get(redriveId);
        boolean isExpired = before != null && (before.isExpired || before.at.equals(first.key()));
        byRedrive.put(redriveId, new Deferral(first.key(), nowNs, isExpired));
        return !isExpired;
    }
}
