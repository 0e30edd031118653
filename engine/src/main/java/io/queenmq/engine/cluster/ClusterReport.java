package io.queenmq.engine.cluster;

import java.util.List;
import java.util.UUID;

/**
 * The group of servers as one of them sees it. Immutable.
 *
 * @param isEnabled whether this server is to know others at all
 * @param isJoined whether it is a member of the group, though maybe the only one
 * @param address where members reach it; null as long as they cannot
 * @param members the others
 * @param queues of which this server wants to hear
 */
public record ClusterReport(boolean isEnabled, boolean isJoined, Self self, String address, List<Member> members,
        Traffic.Counts traffic, int queues, QueueCache queueCache) {

    public ClusterReport {
        members = List.copyOf(members);
    }

    /** This server. */
    public record Self(UUID id, String name, String version) {}

    /**
     * Another server.
     *
     * @param name null until it has introduced itself, which it never does when it speaks another version
     * @param sinceMs since when it is a member, in milliseconds since 1970
     * @param startedAtMs when it was started, by its own clock; 0 when unknown
     * @param isAlive whether it said something lately
     * @param queues of which it wants to hear; -1 for all
     * @param roundTripMicros -1 when it has not answered yet
     */
    public record Member(UUID id, String name, String version, long sinceMs, long startedAtMs, boolean isAlive,
            boolean isLeaving, int queues, long roundTripMicros) {}

    /** How often the options of a queue were at hand. */
    public record QueueCache(int size, long hits, long misses) {}

    public long aliveCount() {
        return members.stream().filter(Member::isAlive).count();
    }
}
