package io.queenmq.engine.cluster;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as seen by one server. Immutable.
 *
 * @param isEnabled true if this server is configured to join peers
 * @param isJoined true if it is a member of the group, possibly the only one
 * @param address its address for members; null while it has none
 * @param members the peers
 * @param queues the number of queues for which this server subscribes to hints; -1 for all
 */
public record ClusterReport(boolean isEnabled, boolean isJoined, Self self, @Nullable String address,
        List<Member> members, Traffic.Counts traffic, int queues, QueueCache queueCache) {

    public ClusterReport {
        members = List.copyOf(members);
    }

    /** This server. */
    public record Self(UUID id, String name, String version) {}

    /**
     * A peer.
     *
     * @param name null until its introduction has arrived; always null if it uses another version of hints
     * @param sinceMs the time at which it joined, in milliseconds since 1970
     * @param startedAtMs the time at which it started, by its own clock; 0 if unknown
     * @param isAlive true if a hint of it arrived recently
     * @param queues the number of queues for which it subscribes to hints; -1 for all
     * @param roundTripMicros -1 if no heartbeat was answered yet
     */
    public record Member(UUID id, @Nullable String name, @Nullable String version, long sinceMs, long startedAtMs,
            boolean isAlive, boolean isLeaving, int queues, long roundTripMicros) {}

    /** The size, hits and misses of the catalog's cache of queues. */
    public record QueueCache(int size, long hits, long misses) {}

    public long aliveCount() {
        return members.stream().filter(Member::isAlive).count();
    }
}
