package io.queenmq.engine.cluster;

import io.queenmq.engine.cluster.Hint.Introduction;
import java.util.UUID;

/** What this server knows of another one. Owned by the engine loop. */
final class Peer {
    private final UUID id;
    private final long sinceMs;
    private Introduction introduction;
    private long heardNs;
    private long roundTripNs = -1;

    Peer(UUID id, long sinceMs, long nowNs) {
        this.id = id;
        this.sinceMs = sinceMs;
        this.heardNs = nowNs;
    }

    UUID id() {
        return id;
    }

    /** Null until it has introduced itself. */
    Introduction introduction() {
        return introduction;
    }

    /** True when it is news: introductions may come late and in any order. */
    boolean introduce(Introduction latest) {
        boolean isNews = introduction == null || latest.edition() > introduction.edition();
        if (isNews) {
            introduction = latest;
        }
        return isNews;
    }

    boolean isKnownAs(long edition) {
        return introduction != null && introduction.edition() >= edition;
    }

    void heard(long nowNs) {
        heardNs = nowNs;
    }

    void echoed(long sentNs, long nowNs) {
        roundTripNs = Math.max(0, nowNs - sentNs);
    }

    boolean isSilent(long nowNs, long silentAfterNs) {
        return nowNs - heardNs > silentAfterNs;
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
