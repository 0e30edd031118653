package io.queenmq.engine.cluster;

import io.queenmq.engine.cluster.Hint.Introduction;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The state of one peer. Owned by the engine loop. */
final class Peer {
    private final UUID id;
    private final long sinceMs;
    private @Nullable Introduction introduction;
    private long lastReceivedNs;
    private long roundTripNs = -1;

    Peer(UUID id, long sinceMs, long nowNs) {
        this.id = id;
        this.sinceMs = sinceMs;
        this.lastReceivedNs = nowNs;
    }

    UUID id() {
        return id;
    }

    /** Returns the latest introduction; null until one has arrived. */
    @Nullable
    Introduction introduction() {
        return introduction;
    }

    /** Stores the introduction and returns true if it is newer. Introductions may arrive late and in any order. */
    boolean introduce(Introduction latest) {
        boolean isNewer = introduction == null || latest.edition() > introduction.edition();
        if (isNewer) {
            introduction = latest;
        }
        return isNewer;
    }

    boolean isKnownAs(long edition) {
        return introduction != null && introduction.edition() >= edition;
    }

    void received(long nowNs) {
        lastReceivedNs = nowNs;
    }

    void heartbeatAnswered(long sentNs, long nowNs) {
        roundTripNs = Math.max(0, nowNs - sentNs);
    }

    boolean isSilent(long nowNs, long silentAfterNs) {
        return nowNs - lastReceivedNs > silentAfterNs;
    }

    ClusterReport.Member report(boolean isAlive) {
        long roundTripMicros = roundTripNs < 0 ? -1 : roundTripNs / 1_000;
        return introduction == null
                ? new ClusterReport.Member(id, null, null, sinceMs, 0, isAlive, false, 0, roundTripMicros)
                : new ClusterReport.Member(id, introduction.name(), introduction.version(), sinceMs,
                        introduction.startedAtMs(), isAlive, introduction.isLeaving(),
                        introduction.isEverything() ? -1 : introduction.queues().size(), roundTripMicros);
    }
}
