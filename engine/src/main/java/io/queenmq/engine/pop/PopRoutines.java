package io.queenmq.engine.pop;

import io.queenmq.engine.command.Subscription;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.partition.OffsetSet;
import io.queenmq.engine.queue.QueueOptions;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Calls the routines of pop: evict, lease, open_cursors, expire, release, resolve, has_pending and subscribe. */
final class PopRoutines {
    private final String evict;
    private final String lease;
    private final String openCursors;
    private final String expire;
    private final String release;
    private final String resolve;
    private final String hasPending;
    private final String subscribe;
    private final int bytesMax;

    /** @param bytesMax the approximate maximum number of message bytes of one pop */
    PopRoutines(String api, int bytesMax) {
        this.bytesMax = bytesMax;
        evict = "select index from " + api + ".evict($1, $2)";
        lease = "select index, status, first, \"end\", head, until_ms, acked, attempts, is_alone, bytes from " + api
                + ".lease($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)";
        openCursors = "select index from " + api + ".open_cursors($1, $2, $3)";
        expire = "select index from " + api + ".expire($1, $2)";
        release = "select index, is_busy from " + api + ".release($1, $2, $3)";
        resolve = "select partition_id, name, is_pending, until_ms from " + api + ".resolve($1, $2, $3, $4, $5)";
        hasPending = "select index from " + api + ".has_pending($1, $2, $3, $4)";
        subscribe = "select mode_in_force, from_at_in_force from " + api + ".subscribe($1, $2, $3, $4, $5, $6)";
    }

    /** Leases the partitions of all rounds. Returns one list for each round, with one answer for each of its open tries. */
    Future<List<List<LeaseAnswer>>> lease(Connection connection, List<LeaseRound> rounds, boolean isAutoAck) {
        Map<LeaseRound.Try, LeaseAnswer> answers = new IdentityHashMap<>();
        List<LeaseRound.Try> tries = new ArrayList<>();
        for (LeaseRound round : rounds) {
            tries.addAll(round.open());
        }
        spareRepeated(tries, answers);
        removeOfDeletedQueues(tries);
        List<LeaseRound.Try> expiring = tries.stream()
                .filter(each -> each.partition().backlog().existingQueue().options().doMessagesExpire()).toList();
        Future<List<LeaseRound.Try>> leasable = expiring.isEmpty()
                ? Future.succeededFuture(tries)
                : evict(connection, expiring).map(unready -> {
                    tries.removeAll(unready);
                    removeOfDeletedQueues(tries);
                    return tries;
                });
        return leasable.compose(asked -> leaseTries(connection, asked, isAutoAck, answers))
                .map(_ -> answersOf(rounds, answers));
    }

    /** Removes tries whose queue was deleted while they waited for a call. */
    private static void removeOfDeletedQueues(List<LeaseRound.Try> tries) {
        tries.removeIf(each -> each.partition().backlog().queue() == null);
    }

    private static List<List<LeaseAnswer>> answersOf(List<LeaseRound> rounds,
            Map<LeaseRound.Try, LeaseAnswer> answers) {
        List<List<LeaseAnswer>> all = new ArrayList<>(rounds.size());
        for (LeaseRound round : rounds) {
            List<LeaseAnswer> ofRound = new ArrayList<>(round.open().size());
            round.open().forEach(each -> ofRound.add(answers.getOrDefault(each, LeaseAnswer.NONE)));
            all.add(ofRound);
        }
        return all;
    }

    /**
     * Removes all but one try of each partition and group from the call. After an operator changed a queue, two rounds may
     * request the same partition, and the routine would lease it to both.
     */
    private static void spareRepeated(List<LeaseRound.Try> tries, Map<LeaseRound.Try, LeaseAnswer> answers) {
        Set<PartitionOfGroup> asked = new HashSet<>();
        tries.removeIf(each -> {
            boolean isRepeated = !asked
                    .add(new PartitionOfGroup(each.partition().id(), each.partition().backlog().group()));
            if (isRepeated) {
                answers.put(each, LeaseAnswer.SPARED);
            }
            return isRepeated;
        });
    }

    private record PartitionOfGroup(UUID partitionId, String group) {}

    /** Evicts expired messages. Returns the tries of partitions that have more of them than one call evicts. */
    private Future<List<LeaseRound.Try>> evict(Connection connection, List<LeaseRound.Try> expiring) {
        UUID[] ids = expiring.stream().map(each -> each.partition().id()).toArray(UUID[]::new);
        String[] groups = expiring.stream().map(each -> each.partition().backlog().group()).toArray(String[]::new);
        return connection.call(evict, Tuple.tuple().addValue(ids).addValue(groups)).map(rows -> {
            List<LeaseRound.Try> unready = new ArrayList<>(0);
            for (Row row : rows) {
                unready.add(expiring.get(row.getInteger(0) - 1));
            }
            return unready;
        });
    }

    private Future<Void> leaseTries(Connection connection, List<LeaseRound.Try> tries, boolean isAutoAck,
            Map<LeaseRound.Try, LeaseAnswer> answers) {
        int size = tries.size();
        UUID[] partitionIds = new UUID[size];
        String[] groups = new String[size];
        UUID[] leaseIds = new UUID[size];
        Integer[] batches = new Integer[size];
        Integer[] leaseSeconds = new Integer[size];
        Integer[] delays = new Integer[size];
        Integer[] windows = new Integer[size];
        Integer[] partitionLimits = new Integer[size];
        Boolean[] plains = new Boolean[size];
        Boolean[] soles = new Boolean[size];
        Long[] byteLimits = new Long[size];
        Boolean[] opens = new Boolean[size];
        @Nullable
        OffsetDateTime[] fromAts = new OffsetDateTime[size];
        for (int i = 0; i < size; i++) {
            LeaseRound.Try each = tries.get(i);
            QueueOptions options = each.partition().backlog().existingQueue().options();
            partitionIds[i] = each.partition().id();
            groups[i] = each.partition().backlog().group();
            leaseIds[i] = each.round().leaseId();
            batches[i] = each.round().messagesWanted();
            leaseSeconds[i] = each.round().pop().leaseSeconds(options);
            delays[i] = options.delayedProcessing();
            windows[i] = options.windowBuffer();
            partitionLimits[i] = each.round().partitionsWanted();
            plains[i] = isPlain(each, options);
            soles[i] = each.round().pop().isSole();
            byteLimits[i] = each.round().bytesLeft(bytesMax);
            opens[i] = !each.partition().hasCursor();
            fromAts[i] = each.round().fromAt();
        }
        return connection.call(lease,
                Tuple.of(partitionIds, groups, leaseIds, batches, leaseSeconds, delays).addValue(windows)
                        .addValue(partitionLimits).addValue(isAutoAck).addValue(plains).addValue(soles)
                        .addValue(byteLimits).addValue(opens).addValue(fromAts))
                .map(rows -> {
                    for (Row row : rows) {
                        Long untilMs = row.getLong(5);
                        Long bytes = row.getLong(9);
                        Grant.Range range = new Grant.Range(row.getLong(2), row.getLong(3),
                                OffsetSet.parse(row.getString(6)), Attempts.of(row.getArrayOfLongs(7)),
                                row.getBoolean(8), bytes == null ? 0 : bytes);
                        answers.put(tries.get(row.getInteger(0) - 1), new LeaseAnswer(LeaseStatus.of(row.getString(1)),
                                row.getLong(4), untilMs == null ? 0 : untilMs, range));
                    }
                    return null;
                });
    }

    /** Returns true if the partition is the only one under a lease id made for it, and its queue has no due times. */
    private static boolean isPlain(LeaseRound.Try each, QueueOptions options) {
        return each.round().tries().size() == 1 && options.delayedProcessing() == 0 && options.windowBuffer() == 0
                && LeaseIds.isMadeFor(each.round().leaseId(), each.partition().id());
    }

    /** Creates missing cursors. Returns for each partition whether it exists. */
    Future<List<Boolean>> openCursors(Connection connection, List<CursorOpening> openings) {
        UUID[] ids = openings.stream().map(each -> each.partition().id()).toArray(UUID[]::new);
        String[] groups = openings.stream().map(each -> each.partition().backlog().group()).toArray(String[]::new);
        OffsetDateTime[] fromAts = openings.stream().map(each -> each.round().fromAt()).toArray(OffsetDateTime[]::new);
        return connection.call(openCursors, Tuple.of(ids, groups, fromAts)).map(rows -> marked(rows, ids.length));
    }

    /** Ends expired leases. */
    Future<Void> expire(Connection connection, List<GroupPartition> partitions) {
        return connection.call(expire,
                Tuple.tuple().addValue(partitions.stream().map(GroupPartition::id).toArray(UUID[]::new)).addValue(
                        partitions.stream().map(partition -> partition.backlog().group()).toArray(String[]::new)))
                .mapEmpty();
    }

    /** Releases leases. Returns true for each one that was not released because another transaction locks its cursor. */
    Future<List<Boolean>> release(Connection connection, List<LeaseReleases.Release> releases) {
        return connection
                .call(release,
                        Tuple.of(releases.stream().map(LeaseReleases.Release::partitionId).toArray(UUID[]::new),
                                releases.stream().map(LeaseReleases.Release::group).toArray(String[]::new),
                                releases.stream().map(LeaseReleases.Release::leaseId).toArray(UUID[]::new)))
                .map(rows -> flags(rows, releases.size()));
    }

    /**
     * Returns the next page of partitions that may have messages for the group.
     *
     * @param lookBackS the number of seconds in which a partition must have had a push; null for all partitions
     */
    Future<List<Resolved>> resolve(Connection connection, UUID queueId, String group, @Nullable Integer lookBackS,
            String afterName, int page) {
        return connection.call(resolve, Tuple.tuple().addUUID(queueId).addString(group).addInteger(lookBackS)
                .addString(afterName).addInteger(page)).map(rows -> {
                    List<Resolved> resolved = new ArrayList<>(rows.size());
                    for (Row row : rows) {
                        resolved.add(new Resolved(row.getUUID(0), row.getString(1), row.getBoolean(2), row.getLong(3)));
                    }
                    return resolved;
                });
    }

    /** Returns for each poll whether there is a message. */
    Future<List<Boolean>> hasPending(Connection connection, List<PendingPoller.Poll> polls) {
        UUID[] queueIds = polls.stream().map(PendingPoller.Poll::queueId).toArray(UUID[]::new);
        UUID[] partitionIds = polls.stream().map(PendingPoller.Poll::partitionId).toArray(UUID[]::new);
        String[] groups = polls.stream().map(poll -> poll.waiters().backlog().group()).toArray(String[]::new);
        Integer[] lookBack = polls.stream().map(PendingPoller.Poll::lookBackS).toArray(Integer[]::new);
        return connection.call(hasPending, Tuple.of(queueIds, partitionIds, groups, lookBack))
                .map(rows -> marked(rows, queueIds.length));
    }

    /** Returns the second column for each position; false if there is no row. */
    private static List<Boolean> flags(RowSet<Row> rows, int size) {
        Boolean[] flags = new Boolean[size];
        Arrays.fill(flags, false);
        for (Row row : rows) {
            flags[row.getInteger(0) - 1] = row.getBoolean(1);
        }
        return Arrays.asList(flags);
    }

    /** Returns true for each position that has a row. */
    private static List<Boolean> marked(RowSet<Row> rows, int size) {
        Boolean[] marks = new Boolean[size];
        Arrays.fill(marks, false);
        for (Row row : rows) {
            marks[row.getInteger(0) - 1] = true;
        }
        return Arrays.asList(marks);
    }

    /** Records a subscription, unless there is one. Returns the subscription in force. */
    Future<Subscription> subscribe(Connection connection, SubscriptionKey key, Subscription wanted) {
        return connection.call(subscribe,
                Tuple.tuple().addString(key.group()).addString(key.queue()).addString(key.namespace())
                        .addString(key.task()).addString(wanted.mode().name().toLowerCase())
                        .addOffsetDateTime(wanted.fromAt()))
                .map(rows -> {
                    Row row = rows.iterator().next();
                    return new Subscription(Subscription.Mode.valueOf(row.getString(0).toUpperCase()),
                            row.getOffsetDateTime(1));
                });
    }

    /**
     * A partition of a scan.
     *
     * @param isPending true if it has messages for the group
     * @param untilMs the time until it can be leased; null if it can be leased now
     */
    record Resolved(UUID partitionId, String name, boolean isPending, @Nullable Long untilMs) {}

    /** A cursor to be created for the group of the round. */
    record CursorOpening(GroupPartition partition, LeaseRound round) {}
}
