package io.queenmq.server.simulation.store;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** Routine transact: ack and push as one unit. Everything is judged before anything is done. */
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
        List<Pushing.Addition> additions = List.of();
        if (arguments.uuids("push_partition_ids").length > 0) {
            additions = requirePushable(arguments);
        }
        Acking.Words words = new Acking.Words(arguments, "ack_partition_ids", "ack_group_names", "ack_lease_ids");
        requireLeases(arguments.uuids("required_lease_ids"), words);

        Answer answer = new Answer(Signature.of("transact").columns());
        for (Pushing.Addition addition : additions) {
            Segment stored = pushing.store(addition, addition.count());
            answer.add(addition.index(), stored.base(), Moments.of(stored.createdAt()), null, null);
        }
        acking.nack(words).forEach(row -> {
            Integer item = (Integer) row[1];
            if (item != null) {
                answer.add(null, null, null, item, row[6]);
            }
        });
        return answer;
    }

    private List<Pushing.Addition> requirePushable(Arguments arguments) {
        pushing.requireEpoch(arguments);
        List<Pushing.Addition> additions = pushing.additions(arguments, "push_partition_ids");
        UUID[] limited = arguments.uuids("limited_queue_ids");
        boolean isWhole = additions.size() == arguments.uuids("push_partition_ids").length;
        if (Arrays.stream(limited).anyMatch(Objects::nonNull)) {
            long[] allotted = pushing.allot(additions, limited);
            for (int i = 0; i < allotted.length; i++) {
                if (allotted[i] < additions.get(i).count()) {
                    throw SqlError.full(additions.get(i).lane().queue().maxSize());
                }
            }
        }
        if (!isWhole) {
            throw SqlError.laneMoved();
        }
        return additions;
    }

    private void requireLeases(UUID[] required, Acking.Words words) {
        long now = database.now();
        List<Cursor> cursors = database.lockCursors(words.laneIds(), words.groups());
        for (UUID leaseId : required) {
            database.cursors.under(leaseId).forEach(database.locks::requireFree);
        }
        for (UUID leaseId : required) {
            if (database.cursors.under(leaseId).stream().noneMatch(cursor -> cursor.isLive(now))) {
                throw SqlError.requiredLeaseIsGone();
            }
        }
        for (int i = 0; i < cursors.size(); i++) {
            Cursor cursor = cursors.get(i);
            if (cursor == null || !cursor.isLive(words.leaseIds()[i], now)
                    || !Ranges.parse(words.completed()[i]).isWithin(Ranges.before(cursor.leaseEnd()))) {
                throw SqlError.leaseIsGone();
            }
        }
        for (int i = 0; i < words.offsets().length; i++) {
            int holder = words.holders()[i] - 1;
            if (!acking.isInLiveLease(cursors.get(holder), words.leaseIds()[holder], words.offsets()[i])) {
                throw SqlError.leaseIsGone();
            }
        }
    }
}
