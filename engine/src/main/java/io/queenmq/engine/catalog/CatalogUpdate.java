package io.queenmq.engine.catalog;

import io.queenmq.engine.queue.Queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The changes to apply to the catalog of this server after a reading of the database. Decides without I/O, clock or callback.
 * Apply the parts in the order of the components: cached subscriptions must be invalidated before a waiting pop is woken by a
 * changed queue.
 *
 * @param state the new state
 * @param subscriptions the revision of subscriptions; empty when there was none
 * @param removed queues that do not exist any more
 * @param stored queues that are new or have changed
 * @param isMaintenanceChanged true if pushes or pops were switched off or on
 * @param partitions revisions of partitions
 */
record CatalogUpdate(CatalogState state, List<Revision> subscriptions, List<Queue> removed, List<Queue> stored,
        boolean isMaintenanceChanged, List<Revision> partitions) {

    /**
     * Determines the changes to apply.
     *
     * @param before the state before the reading
     * @param known all cached queues, by name
     * @param touched names of queues that this server changed itself during the reading: the version that was read may
     *        be older than the cached one, so the next reading updates them
     */
    static CatalogUpdate of(CatalogState before, Map<String, Queue> known, Set<String> touched,
            CatalogReading.Changed reading) {
        CatalogState now = reading.now();
        boolean areSubscriptionsRevised = !before.isUnknown()
                && now.subscriptionVersion() != before.subscriptionVersion();
        return new CatalogUpdate(
                // With the earlier version, the next reading finds a change and reads all queues again.
                touched.isEmpty() ? now : now.asOf(before.version()),
                areSubscriptionsRevised ? List.of(new Revision.SubscriptionsRevised()) : List.of(),
                removed(known, touched, reading.queues()), stored(known, touched, reading.queues()),
                !now.maintenance().equals(before.maintenance()), revisedPartitions(before, reading));
    }

    /** Returns true if both are the same queue, which is encrypted as known and not encrypted as read. */
    static boolean removesEncryption(Queue known, Queue read) {
        return known.id().equals(read.id()) && known.options().encryptionEnabled()
                && !read.options().encryptionEnabled();
    }

    private static List<Queue> removed(Map<String, Queue> known, Set<String> touched, Map<String, Queue> read) {
        return known.values().stream()
                .filter(queue -> !read.containsKey(queue.name()) && !touched.contains(queue.name())).toList();
    }

    private static List<Queue> stored(Map<String, Queue> known, Set<String> touched, Map<String, Queue> read) {
        List<Queue> stored = new ArrayList<>();
        for (Queue queue : read.values()) {
            Queue before = known.get(queue.name());
            if (!queue.equals(before) && (!touched.contains(queue.name()) || isSafer(queue, before))) {
                stored.add(queue);
            }
        }
        return stored;
    }

    /**
     * Returns true if storing the queue that was read can only add encryption. It is unknown which of the two is older, and the
     * encryption epoch of this reading promises that every queue encrypted by then is known as encrypted.
     */
    private static boolean isSafer(Queue read, @Nullable Queue known) {
        return known == null ? read.options().encryptionEnabled() : removesEncryption(read, known);
    }

    private static List<Revision> revisedPartitions(CatalogState before, CatalogReading.Changed reading) {
        if (before.isUnknown()) {
            return List.of();
        }
        if (reading.partitions() == null || before.version() < reading.now().partitionsSince()) {
            return List.of(new Revision.PartitionsMissed());
        }
        return reading.partitions().stream()
                .<Revision>map(each -> new Revision.PartitionRevised(each.queue(), each.partition())).toList();
    }
}
