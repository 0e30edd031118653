package io.queenmq.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Calls the routines on one session of the database, as a server does. A call for partitions of several shards is split
 * into one call per shard, with that shard in the search_path. Results are in input order.
 */
final class Api extends ShardSession {
    /** The present epoch, as of a caller with a current catalog. */
    private static final String EPOCH = "(select encryption_epoch from queen.system_state)";

    private final boolean triesPlain;

    private Api(Connection connection, String schema, Shards shards, boolean triesPlain) {
        super(connection, schema, shards);
        this.triesPlain = triesPlain;
    }

    /** Opens a session with the settings of the sessions of a server. */
    static Api open(Connection connection, String schema, Shards shards, Map<String, String> settings) {
        var api = new Api(connection, schema, shards, true);
        settings.forEach((name, value) -> api.execute("set " + name + " = '" + value + "'"));
        return api;
    }

    /** Returns the same session, with or without the short statement for plain leases. */
    Api tryingPlain(boolean isTried) {
        return new Api(connection(), schema(), shards(), isTried);
    }

    record Append(Partition partition, long known, Batch batch) {}

    record Appended(int index, long base, OffsetDateTime createdAt) {}

    List<Appended> push(Append... appends) {
        return split(appends, a -> a.partition().id(),
                (index, rows) -> new Appended(index, rows.getLong(2), time(rows, 3)),
                "select index, base, created_at from " + schema() + ".push(?, ?, ?, ?, ?, ?, " + EPOCH + ")",
                args -> segments(args, Append::known));
    }

    /** Pushes to partitions with known -1: missing ones are created with the segments. */
    List<Appended> begin(Append... appends) {
        return split(appends, a -> a.partition().id(),
                (index, rows) -> new Appended(index, rows.getLong(2), time(rows, 3)),
                "select index, base, created_at from " + schema() + ".push(?, ?, ?, ?, ?, ?, " + EPOCH + ", ?, ?)",
                args -> and(segments(args, _ -> -1L), args.uuids(a -> a.partition().queueId()),
                        args.texts(a -> a.partition().name())));
    }

    /** @param count the number of stored messages; the base is null if it is 0 */
    record Bounded(int index, Long base, int count, Long maxSize) {}

    List<Bounded> pushBounded(Append... appends) {
        return split(appends, a -> a.partition().id(),
                (index, rows) -> new Bounded(index, rows.getObject(2, Long.class), rows.getInt(3),
                        rows.getObject(4, Long.class)),
                "select index, base, count, max_size from " + schema() + ".push_bounded(?, ?, ?, ?, ?, ?, ?, " + EPOCH
                        + ")",
                args -> and(segments(args, Append::known), args.uuids(a -> a.partition().queueId())));
    }

    record CatchUp(UUID id, UUID queueId, String name, long known) {
        static CatchUp of(Partition partition, long known) {
            return new CatchUp(partition.id(), partition.queueId(), partition.name(), known);
        }
    }

    record CaughtUp(int index, Long head, boolean isNew, long known, List<Integer> counts, byte[] hashes) {}

    List<CaughtUp> catchUp(int windowMessages, int windowSeconds, CatchUp... wanted) {
        return split(wanted, CatchUp::id,
                (index, rows) -> new CaughtUp(index, rows.getObject(2, Long.class), rows.getBoolean(3), rows.getLong(4),
                        rows.getArray(5) == null ? List.of() : List.of((Integer[]) rows.getArray(5).getArray()),
                        rows.getBytes(6)),
                "select index, head, is_new, known, counts, hashes from " + schema() + ".catch_up(?, ?, ?, ?, ?, ?)",
                args -> List.of(args.uuids(CatchUp::id), args.uuids(CatchUp::queueId), args.texts(CatchUp::name),
                        args.longs(CatchUp::known), windowMessages, args.ints(_ -> windowSeconds)));
    }

    record Span(UUID partition, long first, long end) {}

    /** @param body null for a truncated range */
    record Segment(int index, long base, int count, String body) {}

    List<Segment> fetch(Span... spans) {
        return fetch(Long.MAX_VALUE, spans);
    }

    List<Segment> fetch(long bytesMax, Span... spans) {
        return split(spans, Span::partition,
                (index, rows) -> new Segment(index, rows.getLong(2), rows.getInt(3),
                        rows.getBytes(4) == null ? null : new String(rows.getBytes(4), UTF_8)),
                "select index, base, count, body from " + schema() + ".fetch(?, ?, ?, ?) order by base",
                args -> List.of(args.uuids(Span::partition), args.longs(Span::first), args.longs(Span::end), bytesMax));
    }

    record Opening(UUID partition, String group, OffsetDateTime fromAt) {}

    List<Integer> openCursors(Opening... openings) {
        return split(openings, Opening::partition, (index, _) -> index,
                "select index from " + schema() + ".open_cursors(?, ?, ?)", args -> List
                        .of(args.uuids(Opening::partition), args.texts(Opening::group), args.times(Opening::fromAt)));
    }

    List<LeaseResult> lease(LeaseRequest... requests) {
        return lease(false, requests);
    }

    List<LeaseResult> lease(boolean isAutoAck, LeaseRequest... requests) {
        return lease(isAutoAck, null, requests);
    }

    List<LeaseResult> lease(boolean isAutoAck, Long byteLimit, LeaseRequest... requests) {
        return lease(isAutoAck, byteLimit, false, null, requests);
    }

    /** Leases partitions in which the groups may have no cursor yet; new cursors start at fromAt. */
    List<LeaseResult> leaseAgain(OffsetDateTime fromAt, LeaseRequest... requests) {
        return lease(false, null, true, fromAt, requests);
    }

    List<LeaseResult> leaseAgain(boolean isAutoAck, Long byteLimit, LeaseRequest... requests) {
        return lease(isAutoAck, byteLimit, true, null, requests);
    }

    private List<LeaseResult> lease(boolean isAutoAck, Long byteLimit, boolean opens, OffsetDateTime fromAt,
            LeaseRequest... requests) {
        return split(requests, LeaseRequest::partition,
                (index, rows) -> new LeaseResult(index, rows.getString(2), rows.getLong(3), rows.getLong(4),
                        rows.getLong(5), rows.getObject(6, Long.class), rows.getString(7),
                        rows.getArray(8) == null ? List.of() : List.of((Long[]) rows.getArray(8).getArray()),
                        rows.getBoolean(9), rows.getObject(10, Long.class)),
                "select index, status, first, \"end\", head, until_ms, acked, attempts, is_alone, bytes from "
                        + schema() + ".lease(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::text[]::timestamptz[])",
                args -> and(LeaseRequest.arguments(args), isAutoAck,
                        args.booleans(request -> triesPlain && request.isPlain(requests)),
                        args.booleans(LeaseRequest::isSole), args.longs(_ -> byteLimit), args.booleans(_ -> opens),
                        args.texts(_ -> fromAt == null ? null : fromAt.toString())));
    }

    /** A lease and its completed messages, as the text of a multirange. */
    record Holder(UUID partition, String group, UUID lease, String completed) {
        static Holder of(LeaseRequest request, String completed) {
            return new Holder(request.partition(), request.group(), request.lease(), completed);
        }
    }

    record CursorState(int index, boolean isLive, boolean isReleased, long committed, String acked, boolean isBusy) {
        CursorState(int index, boolean isLive, boolean isReleased, long committed, String acked) {
            this(index, isLive, isReleased, committed, acked, false);
        }
    }

    List<CursorState> ack(Holder... holders) {
        return split(holders, Holder::partition,
                (index, rows) -> new CursorState(index, rows.getBoolean(2), rows.getBoolean(3), rows.getLong(4),
                        rows.getString(5), rows.getBoolean(6)),
                "select index, is_live, is_released, committed, acked, is_busy from " + schema() + ".ack(?, ?, ?, ?)",
                Api::finished);
    }

    /** A failed message, with the position of its lease, counted from 1. */
    record Failed(int holder, long offset, String status, String error) {
        static Failed of(long offset) {
            return new Failed(1, offset, "failed", "boom");
        }
    }

    record Verdict(int itemIndex, boolean isDead) {}

    record Nacked(List<CursorState> holders, List<Verdict> items) {}

    Nacked nack(List<Holder> holders, Failed... items) {
        var cursorStates = new ArrayList<CursorState>();
        var verdicts = new ArrayList<Verdict>();
        for (var part : parts(holders, Holder::partition)) {
            selectShard(part.shard());
            var wrong = args(IntStream.range(0, items.length).boxed()
                    .filter(i -> part.places().contains(items[i].holder())).toList());
            call(rows -> rows.getObject(2) == null
                    ? cursorStates.add(new CursorState(part.place(rows.getInt(1)), rows.getBoolean(3),
                            rows.getBoolean(4), rows.getLong(5), rows.getString(6), rows.getBoolean(8)))
                    : verdicts.add(new Verdict(wrong.items().get(rows.getInt(2) - 1) + 1, rows.getBoolean(7))),
                    "select index, item_index, is_live, is_released, committed, acked, is_dead, is_busy from "
                            + schema() + ".nack(?, ?, ?, ?, ?, ?, ?, ?)",
                    and(finished(args(part.items())), wrong.ints(i -> part.places().indexOf(items[i].holder()) + 1),
                            wrong.longs(i -> items[i].offset()), wrong.texts(i -> items[i].status()),
                            wrong.texts(i -> items[i].error())).toArray());
        }
        cursorStates.sort(Comparator.comparing(CursorState::index));
        verdicts.sort(Comparator.comparing(Verdict::itemIndex));
        return new Nacked(cursorStates, verdicts);
    }

    record Reader(UUID partition, String group) {
        static Reader of(LeaseRequest request) {
            return new Reader(request.partition(), request.group());
        }
    }

    List<Integer> expire(Reader... readers) {
        return split(readers, Reader::partition, (index, _) -> index, "select index from " + schema() + ".expire(?, ?)",
                Api::cursors);
    }

    List<Integer> evict(Reader... readers) {
        return split(readers, Reader::partition, (index, _) -> index, "select index from " + schema() + ".evict(?, ?)",
                Api::cursors);
    }

    record Renewal(UUID lease, int seconds) {}

    record Renewed(int index, OffsetDateTime untilAt, boolean isBusy) {}

    List<Renewed> renew(Renewal... renewals) {
        return split(renewals, Renewal::lease, (index, rows) -> new Renewed(index, time(rows, 2), rows.getBoolean(3)),
                "select index, until_at, is_busy from " + schema() + ".renew(?, ?)",
                args -> List.of(args.uuids(Renewal::lease), args.ints(Renewal::seconds)));
    }

    record Released(int index, boolean isBusy) {}

    /** Returns the released leases. */
    List<Integer> release(Holder... holders) {
        return releaseWithBusy(holders).stream().filter(answer -> !answer.isBusy()).map(Released::index).toList();
    }

    /** Does what release does, and also returns the leases with a locked cursor. */
    List<Released> releaseWithBusy(Holder... holders) {
        return split(holders, Holder::partition, (index, rows) -> new Released(index, rows.getBoolean(2)),
                "select index, is_busy from " + schema() + ".release(?, ?, ?)",
                args -> List.of(args.uuids(Holder::partition), args.texts(Holder::group), args.uuids(Holder::lease)));
    }

    record LoadedLease(int index, String queue, String partition, UUID lease, Long committed, Long leaseEnd, Long first,
            byte[] hashes) {}

    List<LoadedLease> loadLeases(int lookBack, Reader... readers) {
        return split(readers, Reader::partition,
                (index, rows) -> new LoadedLease(index, rows.getString(2), rows.getString(3),
                        rows.getObject(4, UUID.class), rows.getObject(5, Long.class), rows.getObject(6, Long.class),
                        rows.getObject(7, Long.class), rows.getBytes(8)),
                "select index, queue_name, partition_name, lease_id, committed, lease_end, first, hashes from "
                        + schema() + ".load_leases(?, ?, ?)",
                args -> and(cursors(args), lookBack));
    }

    record Resolved(UUID partition, String name, boolean isPending, Long untilMs) {}

    List<Resolved> resolve(UUID queueId, String group, Integer lookBackS, String afterName, int page) {
        var partitions = everyShard(
                rows -> new Resolved(rows.getObject(1, UUID.class), rows.getString(2), rows.getBoolean(3),
                        rows.getObject(4, Long.class)),
                "select partition_id, name, is_pending, until_ms from " + schema() + ".resolve(?, ?, ?::int, ?, ?)",
                queueId, group, lookBackS, afterName, page);
        return shards().count() == 1
                ? partitions
                : partitions.stream().sorted(Comparator.comparing(Resolved::name)).limit(page).toList();
    }

    record PendingCheck(UUID queue, UUID partition, String group, Integer lookBackS) {}

    /** Checks of a queue are made in every shard. */
    List<Integer> hasPending(PendingCheck... checks) {
        var pending = new TreeSet<Integer>();
        for (int shard = 0; shard < shards().count(); shard++) {
            int here = shard;
            var asked = IntStream.range(0, checks.length)
                    .filter(i -> checks[i].partition() == null || shards().of(checks[i].partition()) == here).boxed()
                    .toList();
            var args = args(asked.stream().map(i -> checks[i]).toList());
            selectShard(Shards.name(shard));
            call(rows -> pending.add(asked.get(rows.getInt(1) - 1) + 1),
                    "select index from " + schema() + ".has_pending(?, ?, ?, ?)", args.uuids(PendingCheck::queue),
                    args.uuids(PendingCheck::partition), args.texts(PendingCheck::group),
                    args.ints(PendingCheck::lookBackS));
        }
        return List.copyOf(pending);
    }

    record Subscription(String mode, OffsetDateTime fromAt) {}

    Subscription subscribe(String group, String queue, String namespace, String task, String mode,
            OffsetDateTime fromAt) {
        return inCatalog(rows -> new Subscription(rows.getString(1), time(rows, 2)),
                "select mode_in_force, from_at_in_force from " + schema() + ".subscribe(?, ?, ?, ?, ?, ?::timestamptz)",
                group, queue, namespace, task, mode, fromAt).getFirst();
    }

    /** @param options by column, also namespace, task and may_remove (default: true); -1 is null */
    Queue configure(String name, Map<String, Object> options) {
        var columns = new TreeMap<>(options);
        columns.keySet().removeAll(Set.of("namespace", "task", "may_remove"));
        var json = columns.entrySet().stream().map(option -> "\"" + option.getKey() + "\":\"" + option.getValue() + '"')
                .collect(Collectors.joining(",", "{", "}")).replace("\"-1\"", "null");
        return inCatalog(Queue::read,
                "select * from " + schema() + ".configure('tester', ?, ?, ?, ?::jsonb, "
                        + options.getOrDefault("may_remove", true) + ", 3600)",
                name, options.get("namespace"), options.get("task"), json).getFirst();
    }

    List<Queue> createQueues(String... names) {
        var args = args(List.of(names));
        return inCatalog(Queue::read,
                "select * from " + schema() + ".create_queues(?, ?, ?) order by name collate \"C\"", args.texts(n -> n),
                args.texts(_ -> "ns"), args.texts(_ -> "task"));
    }

    boolean deleteQueue(String name) {
        return inCatalog(rows -> rows.getBoolean(1), "select " + schema() + ".delete_queue('tester', ?)", name)
                .getFirst();
    }

    record Transaction(List<Append> appends, List<Holder> holders, List<Failed> items, List<UUID> required) {}

    /** Returns the bases of the segments, in input order. */
    List<Long> transact(Transaction transaction) {
        return transact(transaction, List.of());
    }

    /** Does what {@link #transact(Transaction)} does, for queues with a limit. */
    List<Long> transactBounded(List<Append> appends) {
        return transact(new Transaction(appends, List.of(), List.of(), List.of()),
                appends.stream().map(append -> append.partition().queueId()).toList());
    }

    private List<Long> transact(Transaction transaction, List<UUID> boundedQueues) {
        selectShardOf(Stream
                .of(transaction.appends().stream().map(a -> a.partition().id()),
                        transaction.holders().stream().map(Holder::partition), transaction.required().stream())
                .flatMap(ids -> ids));
        var values = new ArrayList<Object>(segments(args(transaction.appends()), Append::known));
        values.addAll(finished(args(transaction.holders())));
        var wrong = args(transaction.items());
        values.addAll(List.of(wrong.ints(Failed::holder), wrong.longs(Failed::offset), wrong.texts(Failed::status),
                wrong.texts(Failed::error), args(transaction.required()).uuids(id -> id),
                args(boundedQueues).uuids(id -> id)));
        return call(rows -> rows.getObject(1, Long.class),
                "select base from " + schema() + ".transact(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, " + EPOCH
                        + ") where push_index is not null order by push_index",
                values.toArray());
    }

    /**
     * Calls a routine for operators; returns the value at this path of its document, such as {@code {totals,pending}}.
     */
    String operate(String path, String routine, Object... arguments) {
        var places = String.join(", ", Collections.nCopies(arguments.length, "?"));
        var sql = "select " + schema() + "." + routine + "(" + places + ")::json #>> '" + path + "'";
        return list(rows -> rows.getString(1), sql, arguments).getFirst();
    }

    /** The first arguments of push and transact. */
    private static List<?> segments(Args<Append> args, Function<Append, Long> known) {
        return List.of(args.uuids(a -> a.partition().id()), args.longs(known), args.ints(a -> a.batch().count()),
                args.bytes(a -> a.batch().hashes()), args.bytes(a -> a.batch().body()),
                args.ints(a -> a.batch().largestLine()));
    }

    /** The arguments of ack, and the first ones of nack. */
    private static List<?> finished(Args<Holder> args) {
        return List.of(args.uuids(Holder::partition), args.texts(Holder::group), args.uuids(Holder::lease),
                args.texts(Holder::completed));
    }

    private static List<?> cursors(Args<Reader> args) {
        return List.of(args.uuids(Reader::partition), args.texts(Reader::group));
    }

    private static List<?> and(List<?> values, Object... more) {
        return Stream.concat(values.stream(), Stream.of(more)).toList();
    }

    private static OffsetDateTime time(ResultSet rows, int column) throws SQLException {
        return rows.getObject(column, OffsetDateTime.class);
    }
}
