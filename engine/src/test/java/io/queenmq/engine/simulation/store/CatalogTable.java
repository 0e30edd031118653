package io.queenmq.engine.simulation.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The tables queen.queue, queen.catalog, queen.system_state and queen.revised_partition, which servers reload when the
 * version changes.
 */
final class CatalogTable {
    private static final long PARTITIONS_KEPT = 600 * Moments.SECOND;

    private final Map<String, QueueRow> queues = new LinkedHashMap<>();
    private final List<RevisedPartition> revisedPartitions = new ArrayList<>();
    private long version = 1;
    private long subscriptionVersion;
    private long partitionsSince;
    private boolean isPushMaintenance;
    private boolean isPopMaintenance;
    private long encryptionEpoch;
    private boolean isBinding;
    private boolean isEpochHidden;

    private record RevisedPartition(long version, UUID partitionId, long revisedAt) {}

    /** Returns the copies by id. */
    Map<UUID, QueueRow> copyFrom(CatalogTable source) {
        queues.clear();
        Map<UUID, QueueRow> byId = new HashMap<>();
        for (QueueRow row : source.queues.values()) {
            QueueRow copy = row.copy();
            add(copy);
            byId.put(copy.id(), copy);
        }
        revisedPartitions.clear();
        revisedPartitions.addAll(source.revisedPartitions);
        version = source.version;
        subscriptionVersion = source.subscriptionVersion;
        partitionsSince = source.partitionsSince;
        isPushMaintenance = source.isPushMaintenance;
        isPopMaintenance = source.isPopMaintenance;
        encryptionEpoch = source.encryptionEpoch;
        isBinding = source.isBinding;
        return byId;
    }

    /** Returns the queue, or null. */
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

    long partitionsSince() {
        return partitionsSince;
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

    /** Returns the epoch that servers read. It differs from the true one only while that is hidden. */
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

    /**
     * Returns true if encrypted messages are bound to their position: from the first encrypted queue on, because all
     * servers have one release.
     */
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

    /** Invalidates the state of the queue's partitions on every server. */
    void revise(QueueRow queue) {
        queue.revise();
        change();
    }

    /** Invalidates the state of the partition on every server. */
    void revise(Partition partition, long now) {
        change();
        revisedPartitions.add(new RevisedPartition(version, partition.id(), now));
        for (int i = 0; i < 100 && revisedPartitions.getFirst().revisedAt < now - PARTITIONS_KEPT; i++) {
            partitionsSince = revisedPartitions.removeFirst().version;
        }
    }

    List<UUID> revisedSince(long since) {
        return revisedPartitions.stream().filter(partition -> partition.version > since)
                .map(RevisedPartition::partitionId).toList();
    }
}
