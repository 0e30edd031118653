package io.queenmq.engine.simulation.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

/** The routine transact: acks and pushes as one unit. All conditions are checked before any change. */
final class Transacting {
    private final Database database;
    private final Pushing pushing;
    private final Acking acking;

    Transacting(Database database, Pushing pushing, Acking acking) {
        this.database = database;
        this.pushing = pushing;
        this.acking = acking;
    }

    Answer transact(Arguments arguments) {
        List<Pushing.Addition> additions = pushing.additions(arguments, "push_partition_ids");
        Pushing.Allotment allotment = requireFit(arguments, additions);
        Acking.ItemArguments sent = new Acking.ItemArguments(arguments, "ack_partition_ids", "ack_group_names",
                "ack_lease_ids");
        requireLeases(arguments.uuids("required_lease_ids"), sent);

        allotment.sizes().forEach(database.sizes::set);
        Answer answer = new Answer(Signature.of("transact").columns());
        for (Pushing.Addition addition : additions) {
            Segment stored = pushing.store(addition, addition.count());
            answer.add(addition.index(), stored.base(), Moments.of(stored.createdAt()), null, null);
        }
        acking.nack(sent).forEach(row -> {
            Integer item = (Integer) row[1];
            if (item != null) {
                answer.add(null, null, null, item, row[6]);
            }
        });
        return answer;
    }

    /** Returns true if every segment can be appended as a whole. */
    private Pushing.Allotment requireFit(Arguments arguments, List<Pushing.Addition> additions) {
        int wanted = arguments.uuids("push_partition_ids").length;
        UUID[] limited = arguments.uuids("limited_queue_ids");
        if (wanted > 0 && limited.length == 0) {
            pushing.requireEpoch(arguments);
        }
        Pushing.Allotment allotment = pushing.allot(additions, limited.length == 0 ? new UUID[wanted] : limited);
        if (allotment.fits()) {
            pushing.requireEpoch(arguments);
        }
        for (Pushing.Addition addition : additions) {
            if (allotment.counts().get(addition) < addition.count()) {
                throw SqlError.full(addition.partition().queue().maxSize());
            }
        }
        if (additions.size() < wanted) {
            throw SqlError.partitionMoved(refused(arguments.uuids("push_partition_ids"), additions));
        }
        return allotment;
    }

    /**
     * Returns the partitions that cannot be written, of the first shard that has any. The routine processes the shards
     * in order.
     */
    private List<UUID> refused(UUID[] wanted, List<Pushing.Addition> additions) {
        List<UUID> refused = new ArrayList<>(List.of(wanted));
        additions.forEach(addition -> refused.remove(addition.partition().id()));
        int first = refused.stream().mapToInt(database.shards()::of).min().orElseThrow();
        refused.removeIf(id -> database.shards().of(id) != first);
        return refused;
    }

    private void requireLeases(UUID[] required, Acking.ItemArguments sent) {
        long now = database.now();
        List<Cursor> cursors = sent.cursors(database);
        if (Stream
                .concat(cursors.stream().filter(Objects::nonNull),
                        Arrays.stream(required).flatMap(leaseId -> database.cursors.under(leaseId).stream()))
                .anyMatch(database.locks::isLocked)) {
            throw SqlError.busy();
        }
        for (UUID leaseId : required) {
            if (database.cursors.under(leaseId).stream().noneMatch(cursor -> cursor.isLive(now))) {
                throw SqlError.requiredLeaseIsGone();
            }
        }
        for (int i = 0; i < cursors.size(); i++) {
            Cursor cursor = cursors.get(i);
            if (cursor == null || !cursor.isLive(sent.leaseIds()[i], now)
                    || !Ranges.parse(sent.completed()[i]).isWithin(Ranges.before(cursor.leaseEnd()))) {
                throw SqlError.leaseIsGone();
            }
        }
        for (int i = 0; i < sent.offsets().length; i++) {
            int holder = sent.holders()[i] - 1;
            if (!acking.isInLiveLease(cursors.get(holder), sent.leaseIds()[holder], sent.offsets()[i])) {
                throw SqlError.leaseIsGone();
            }
        }
    }
}
