package io.queenmq.server.redrive;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * Redrives with letters that this server cannot open. Another server may have the key, so they are left to the others for
 * a moment; if nobody has gone on with such a redrive by then, nobody can. Used by one step at a time.
 */
final class Deferrals {
    /** Long enough for every server to have looked for work several times. */
    static final long LEFT_FOR_NS = 3_000_000_000L;
    /** A redrive is forgotten some time after it was last heard of. */
    private static final long FORGOTTEN_AFTER_NS = 3_600_000_000_000L;

    private final LongSupplier nowNs;
    private final Map<UUID, Deferral> byRedrive = new HashMap<>();

    Deferrals(LongSupplier nowNs) {
        this.nowNs = nowNs;
    }

    private record Deferral(DeadLetter.Key at, long sinceNs, boolean isUp) {}

    /** The redrives that are not to be claimed now. */
    List<UUID> leftToOthers() {
        long now = nowNs.getAsLong();
        byRedrive.values().removeIf(each -> now - each.sinceNs > FORGOTTEN_AFTER_NS);
        List<UUID> left = new ArrayList<>();
        byRedrive.forEach((id, each) -> {
            if (!each.isUp && now - each.sinceNs < LEFT_FOR_NS) {
                left.add(id);
            }
        });
        return left;
    }

    /**
     * Whether to leave the redrive to the others, now that some of its next letters cannot be opened here.
     *
     * @param first of those letters, whether it can be opened or not
     */
    boolean isLeft(UUID redriveId, DeadLetter first) {
        long now = nowNs.getAsLong();
        Deferral before = byRedrive.get(redriveId);
        // Nobody has moved it on: from now on its letters are judged by what this server can open.
        boolean isUp = before != null && (before.isUp || before.at.equals(first.key()));
        byRedrive.put(redriveId, new Deferral(first.key(), now, isUp));
        return !isUp;
    }
}
