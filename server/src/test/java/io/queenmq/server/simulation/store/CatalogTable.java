package io.queenmq.server.simulation.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** queen.queue, queen.catalog, queen.system_state and queen.revised_lane: what servers reload when its version moved. */
final class CatalogTable {
    private static final long LANES_KEPT = 600 * Moments.SECOND;

    private final Map<String, QueueRow> queues = new LinkedHashMap<>();
    private final List<RevisedLane> revisedLanes = new ArrayList<>();
    private long version = 1;
    private long subscriptionVersion;
    private long lanesSince;
    private boolean isPushMaintenance;
    private boolean isPopMaintenance;
    private long encryptionEpoch;
    private boolean isBinding;
    private boolean isEpochHidden;

    private record RevisedLane(long version, UUID laneId, long revisedAt) {}

    /** Returns the copies by id. */
    Map<UUID, QueueRow> copyFrom(CatalogTable source) {
        queues.clear();
        Map<UUID, QueueRow> byId = new HashMap<>();
        for (QueueRow row : source.queues.values()) {
            QueueRow copy = row.copy();
            add(copy);
            byId.put(copy.id(), copy);
        }
        revisedLanes.clear();
        revisedLanes.addAll(source.revisedLanes);
        version = source.version;
        subscriptionVersion = source.subscriptionVersion;
        lanesSince = source.lanesSince;
        isPushMaintenance = source.isPushMaintenance;
        isPopMaintenance = source.isPopMaintenance;
        encryptionEpoch = source.encryptionEpoch;
        isBinding = source.isBinding;
        return byId;
    }

    /** The queue, or null. */
    QueueRow find(String name) {
        return queues.get(name);
    }

    QueueRow find(UUID id) {
        return queues.values().stream().filter(queue -> queue.id().equals(id)).findFirst().orElse(null);
    }

    Collection<QueueRow> queues() {
        return queues.values();
    }

    void add(QueueRow queue) {
        queues.put(queue.name(), queue);
    }

    void delete(QueueRow queue) {
        queues.remove(queue.name());
    }

    long version() {
        return version;
    }

    long subscriptionVersion() {
        return subscriptionVersion;
    }

    long lanesSince() {
        return lanesSince;
    }

    boolean isPushMaintenance() {
        return isPushMaintenance;
    }

    boolean isPopMaintenance() {
        return isPopMaintenance;
    }

    long encryptionEpoch() {
        return encryptionEpoch;
    }

    /** What servers read; differs from the true one only while it is hidden. */
    long shownEncryptionEpoch() {
        return isEpochHidden ? encryptionEpoch - 1 : encryptionEpoch;
    }

    void hideEncryptionEpoch(boolean isHidden) {
        isEpochHidden = isHidden;
    }

    void change() {
        version++;
    }

    void changeSubscriptions() {
        subscriptionVersion++;
    }

    void changeEncryption() {
        encryptionEpoch++;
        isBinding = true;
    }

    /** Whether encrypted messages are bound to their position: from the first encrypted queue on, as all servers are of one release. */
    boolean isBinding() {
        return isBinding;
    }

    void setPushMaintenance(boolean isOn) {
        isPushMaintenance = isOn;
        change();
    }

    void setPopMaintenance(boolean isOn) {
        isPopMaintenance = isOn;
        change();
    }

    /** Every server forgets what it believes about the queue's lanes. */
    void revise(QueueRow queue) {
        queue.revise();
        change();
    }

    /** Every server looks at the lane again. */
    void revise(Lane lane, long now) {
        change();
        revisedLanes.add(new RevisedLane(version, lane.id(), now));
        for (int i = 0; i < 100 && revisedLanes.getFirst().revisedAt < now - LANES_KEPT; i++) {
            lanesSince = revisedLanes.removeFirst().version;
        }
    }

    List<UUID> revisedSince(long since) {
        return revisedLanes.stream().filter(lane -> lane.version > since).map(RevisedLane::laneId).toList();
    }
}
