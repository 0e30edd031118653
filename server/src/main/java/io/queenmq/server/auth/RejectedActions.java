package io.queenmq.server.auth;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Rejected operator actions that are to be recorded in the audit log. Equal ones are counted and recorded at most once a
 * minute, and at most {@link #KINDS_MAX} different ones are kept, so that no client can fill the audit log or the memory.
 * Safe from any thread.
 */
final class RejectedActions {
    static final int KINDS_MAX = 100;
    static final long RECORD_EVERY_NS = 60_000_000_000L;

    /** The kind for all rejections above the limit. */
    private static final Kind OTHERS = new Kind(null, "other addresses", "other actions", Rejection.FORBIDDEN);
    private static final int PATH_CHARACTERS_MAX = 200;

    private final Map<Kind, Tally> tallies = new HashMap<>();

    synchronized void add(@Nullable String actor, String address, String action, Rejection reason, String path) {
        Kind kind = new Kind(actor, address, action, reason);
        Tally tally = tallies.get(kind);
        if (tally == null) {
            tally = tallies.computeIfAbsent(tallies.size() < KINDS_MAX ? kind : OTHERS, _ -> new Tally());
        }
        tally.count++;
        tally.path = path;
    }

    /** Returns the records that are due, and drops those of clients that stopped. */
    synchronized List<RejectedAction> due(long nowNs) {
        List<RejectedAction> due = new ArrayList<>();
        tallies.values().removeIf(tally -> tally.count == 0 && !tally.isRecent(nowNs));
        tallies.forEach((kind, tally) -> {
            if (tally.count > 0 && !tally.isRecent(nowNs)) {
                due.add(new RejectedAction(kind.actor, kind.address, kind.action, kind.reason, printable(tally.path),
                        tally.count));
            }
        });
        return due;
    }

    /** Called when the records are stored. Records that were not stored are returned again by {@link #due}. */
    synchronized void recorded(List<RejectedAction> records, long nowNs) {
        for (RejectedAction each : records) {
            Kind kind = new Kind(each.actor(), each.address(), each.action(), each.reason());
            Tally tally = Objects.requireNonNull(tallies.get(kind));
            tally.count -= each.count();
            tally.recordedAtNs = nowNs;
            tally.isRecorded = true;
        }
    }

    private static String printable(String path) {
        String text = path.length() > PATH_CHARACTERS_MAX ? path.substring(0, PATH_CHARACTERS_MAX) + "…" : path;
        return text.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?");
    }

    private record Kind(@Nullable String actor, String address, String action, Rejection reason) {}

    private static final class Tally {
        private long count;
        private String path = "";
        private long recordedAtNs;
        private boolean isRecorded;

        boolean isRecent(long nowNs) {
            return isRecorded && nowNs - recordedAtNs < RECORD_EVERY_NS;
        }
    }
}
