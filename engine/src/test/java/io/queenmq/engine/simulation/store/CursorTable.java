package io.queenmq.engine.simulation.store;

import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The cursors, by partition and group. */
final class CursorTable {
    private final Map<Key, Cursor> cursors = new LinkedHashMap<>();
    private final LeaseLog log;

    /** A group in a partition. */
    record Key(UUID partitionId, String group) {}

    CursorTable(LeaseLog log) {
        this.log = log;
    }

    /** Returns the copies by their originals. */
    Map<Cursor, Cursor> copyFrom(CursorTable source, Map<UUID, Partition> partitions) {
        cursors.clear();
        Map<Cursor, Cursor> copies = new IdentityHashMap<>();
        source.cursors.forEach((key, cursor) -> {
            Cursor copy = cursor.copy(partitions.get(key.partitionId), log);
            cursors.put(key, copy);
            copies.put(cursor, copy);
        });
        return copies;
    }

    /** Returns the cursor, or null. */
    Cursor find(UUID partitionId, String group) {
        return cursors.get(new Key(partitionId, group));
    }

    /** Adds a cursor, unless it exists. */
    boolean add(Partition partition, String group, long committed) {
        Key key = new Key(partition.id(), group);
        return cursors.putIfAbsent(key, new Cursor(partition, group, committed, log)) == null;
    }

    void delete(Cursor cursor, long now) {
        cursor.endLease(LeaseEnd.OVERRULED, now);
        cursors.remove(new Key(cursor.partition().id(), cursor.group()));
    }

    List<Cursor> of(Partition partition) {
        return cursors.values().stream().filter(cursor -> cursor.partition() == partition).toList();
    }

    /** Returns the cursors with a lease id, live or not. */
    List<Cursor> under(UUID leaseId) {
        return cursors.values().stream().filter(cursor -> leaseId.equals(cursor.leaseId())).toList();
    }

    Collection<Cursor> all() {
        return cursors.values();
    }
}
