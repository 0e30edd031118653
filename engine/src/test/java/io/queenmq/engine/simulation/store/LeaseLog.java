package io.queenmq.engine.simulation.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** All leases with their start and end, kept forever for checks. */
final class LeaseLog {
    private final List<Entry> entries = new ArrayList<>();
    private final Map<Cursor, Entry> live = new HashMap<>();

    /** A lease that may be extended. */
    private static final class Entry {
        private final Cursor cursor;
        private final UUID leaseId;
        private final long first;
        private final long end;
        private final Ranges holes;
        private final long givenAt;
        private Long until;
        private Long endedAt;
        private LeaseEnd how;

        private Entry(Cursor cursor, UUID leaseId, long first, long end, Ranges holes, long givenAt) {
            this.cursor = cursor;
            this.leaseId = leaseId;
            this.first = first;
            this.end = end;
            this.holes = holes;
            this.givenAt = givenAt;
        }
    }

    void copyFrom(LeaseLog source, Map<Cursor, Cursor> cursors) {
        entries.clear();
        live.clear();
        Map<Entry, Entry> copies = new IdentityHashMap<>();
        for (Entry entry : source.entries) {
            Entry copy = new Entry(cursors.getOrDefault(entry.cursor, entry.cursor), entry.leaseId, entry.first,
                    entry.end, entry.holes, entry.givenAt);
            copy.until = entry.until;
            copy.endedAt = entry.endedAt;
            copy.how = entry.how;
            entries.add(copy);
            copies.put(entry, copy);
        }
        source.live.forEach((cursor, entry) -> live.put(cursors.get(cursor), copies.get(entry)));
    }

    void given(Cursor cursor, Ranges holes, long now) {
        Entry entry = new Entry(cursor, cursor.leaseId(), cursor.committed(), cursor.leaseEnd(), holes, now);
        entry.until = cursor.leaseUntil();
        entries.add(entry);
        live.put(cursor, entry);
    }

    void prolonged(Cursor cursor) {
        live.get(cursor).until = cursor.leaseUntil();
    }

    void ended(Cursor cursor, LeaseEnd how, long now) {
        Entry entry = live.remove(cursor);
        entry.endedAt = now;
        entry.how = how;
    }

    /** Records messages that were finished by their delivery, without a lease. */
    void handedOut(Cursor cursor, UUID leaseId, long first, long end, Ranges holes, long now) {
        Entry entry = new Entry(cursor, leaseId, first, end, holes, now);
        entry.endedAt = now;
        entry.how = LeaseEnd.FINISHED;
        entries.add(entry);
    }

    /** Returns all leases in the order of their start. */
    List<LeaseSpan> spans() {
        return entries.stream()
                .map(entry -> new LeaseSpan(entry.cursor.partition().id(), entry.cursor.group(), entry.leaseId,
                        entry.first, entry.end, entry.holes, entry.givenAt, entry.until, entry.endedAt, entry.how))
                .toList();
    }
}
