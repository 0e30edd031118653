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
 * The routines, as a server calls them, on one session of the database. What concerns partitions of several shards is split as a server
 * does: a call for each shard, with that shard in the search_path. Answers come in input order.
 */
final class Api extends ShardSession {
    /** Of a caller who knows all there is to know. */
    private static final String EPOCH = "(select encryption_epoch from queen.system_state)";

    private final boolean triesPlain;

    private Api(Connection connection, String schema, Shards shards, boolean triesPlain) {
        super(connection, schema, shards);
        this.triesPlain = triesPlain;
    }

    /** With the settings that a server gives its sessions. */
    static Api open(Connection connection, String schema, Shards shards, Map<String, String> settings) {
        var api = new Api(connection, schema, shards, true);
        settings.forEach((name, value) -> api.execute("set " + name + " = '" + value + "'"));
        return api;
    }

    /** The same session, with or without the short way to a lease. */
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

    /** Pushes to partitions of which the caller knows nothing: they begin with the segments, unless they exist. */
    List<Appended> begin(Append... appends) {
        return split(appends, a -> a.partition().id(),
                (index, rows) -> new Appended(index, rows.getLong(2), time(rows, 3)),
                "select index, base, created_at from " + schema() + ".push(?, ?, ?, ?, ?, ?, " + EPOCH + ", ?, ?)",
                args -> and(segments(args, _ -> -1L), args.uuids(a -> a.partition().queueId()),
                        args.texts(a -> a.partition().name())));
    }

    /** @param count how many messages were stored; the base is null when none was */
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
                        rows.getArray(5) == null
                                ? List.of()
                                : List.of((Integer[]) rows.getArray(5).getArray()),
                        rows.getBytes(6)),
                "select index, head, is_new, known, counts, hashes from " + schema() + ".catch_up(?, ?, ?, ?, ?, ?)",
                args -> List.of(args.uuids(CatchUp::id), args.uuids(CatchUp::queueId), args.texts(CatchUp::name),
                        args.longs(CatchUp::known), windowMessages, args.ints(_ -> windowSeconds)));
    }

    record Span(UUID partition, long first, long end) {}

    /** @param body null where a range is cut short */
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
                "select index from " + schema() + ".open_cursors(?, ?, ?)",
                args -> List.of(args.uuids(Opening::partition), args.texts(Opening::group),
                        args.times(Opening::fromAt)));
    }

    List<Given> lease(Wish... wishes) {
        return lease(false, wishes);
    }

    List<Given> lease(boolean isAutoAck, Wish... wishes) {
        return lease(isAutoAck, null, wishes);
    }

    List<Given> lease(boolean isAutoAck, Long byteRoom, Wish... wishes) {
        return lease(isAutoAck, byteRoom, false, null, wishes);
    }

    /** Leases partitions in which the groups may have no cursor yet, which begin with fromAt then. */
    List<Given> leaseAnew(OffsetDateTime fromAt, Wish... wishes) {
        return lease(false, null, true, fromAt, wishes);
    }

    List<Given> leaseAnew(boolean isAutoAck, Long byteRoom, Wish... wishes) {
        return lease(isAutoAck, byteRoom, true, null, wishes);
    }

    private List<Given> lease(boolean isAutoAck, Long byteRoom, boolean opens, OffsetDateTime fromAt, Wish... wishes) {
        return split(wishes, Wish::partition,
                (index, rows) -> new Given(index, rows.getString(2), rows.getLong(3), rows.getLong(4), rows.getLong(5),
                        rows.getObject(6, Long.class), rows.getString(7),
                        rows.getArray(8) == null ? List.of() : List.of((Long[]) rows.getArray(8).getArray()),
                        rows.getBoolean(9), rows.getObject(10, Long.class)),
                "select index, status, first, \"end\", head, until_ms, acked, attempts, is_alone, bytes from "
                        + schema() + ".lease(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::text[]::timestamptz[])",
                args -> and(Wish.arguments(args), isAutoAck, args.booleans(wish -> triesPlain && wish.isPlain(wishes)),
                        args.booleans(Wish::isSole), args.longs(_ -> byteRoom), args.booleans(_ -> opens),
                        args.texts(_ -> fromAt == null ? null : fromAt.toString())));
    }

    /** A lease, and the messages done under it, as the text of a multirange. */
    record Holder(UUID partition, String group, UUID lease, String completed) {
        static Holder of(Wish wish, String completed) {
            return new Holder(wish.partition(), wish.group(), wish.lease(), completed);
        }
    }

    record Standing(int index, boolean isLive, boolean isReleased, long committed, String acked, boolean isBusy) {
        Standing(int index, boolean isLive, boolean isReleased, long committed, String acked) {
            this(index, isLive, isReleased, committed, acked, false);
        }
    }

    List<Standing> ack(Holder... holders) {
        return split(holders, Holder::partition,
                (index, rows) -> new Standing(index, rows.getBoolean(2), rows.getBoolean(3), rows.getLong(4),
                        rows.getString(5), rows.getBoolean(6)),
                "select index, is_live, is_released, committed, acked, is_busy from " + schema() + ".ack(?, ?, ?, ?)",
                Api::finished);
    }

    /** A message that went wrong, with the position of its holder, counted from 1. */
    record Failed(int holder, long offset, String status, String error) {
        static Failed of(long offset) {
            return new Failed(1, offset, "failed", "boom");
        }
    }

    record Verdict(int itemIndex, boolean isDead) {}

    record Nacked(List<Standing> holders, List<Verdict> items) {}

    Nacked nack(List<Holder> holders, Failed... items) {
        var standings = new ArrayList<Standing>();
        var verdicts = new ArrayList<Verdict>();
        for (var part : parts(holders, Holder::partition)) {
            enter(part.shard());
            var wrong = args(IntStream.range(0, items.length).boxed()
                    .filter(i -> part.places().contains(items[i].holder())).toList());
            call(rows -> rows.getObject(2) == null
                    ? standings.add(new Standing(part.place(rows.getInt(1)), rows.getBoolean(3), rows.getBoolean(4),
                            rows.getLong(5), rows.getString(6), rows.getBoolean(8)))
                    : verdicts.add(new Verdict(wrong.items().get(rows.getInt(2) - 1) + 1, rows.getBoolean(7))),
                    "select index, item_index, is_live, is_released, committed, acked, is_dead, is_busy from "
                            + schema() + ".nack(?, ?, ?, ?, ?, ?, ?, ?)",
                    and(finished(args(part.items())), wrong.ints(i -> part.places().indexOf(items[i].holder()) + 1),
                            wrong.longs(i -> items[i].offset()), wrong.texts(i -> items[i].status()),
                            wrong.texts(i -> items[i].error())).toArray());
        }
        standings.sort(Comparator.comparing(Standing::index));
        verdicts.sort(Comparator.comparing(Verdict::itemIndex));
        return new Nacked(standings, verdicts);
    }

    record Reader(UUID partition, String group) {
        static Reader of(Wish wish) {
            return new Reader(wish.partition(), wish.group());
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
        return split(renewals, Renewal::lease,
                (index, rows) -> new Renewed(index, time(rows, 2), rows.getBoolean(3)),
                "select index, until_at, is_busy from " + schema() + ".renew(?, ?)",
                args -> List.of(args.uuids(Renewal::lease), args.ints(Renewal::seconds)));
    }

    record Released(int index, boolean isBusy) {}

    /** The leases that were given back. */
    List<Integer> release(Holder... holders) {
        return releaseOrTell(holders).stream().filter(answer -> !answer.isBusy()).map(Released::index).toList();
    }

    /** As release, with those whose cursor somebody is working on. */
    List<Released> releaseOrTell(Holder... holders) {
        return split(holders, Holder::partition, (index, rows) -> new Released(index, rows.getBoolean(2)),
                "select index, is_busy from " + schema() + ".release(?, ?, ?)",
                args -> List.of(args.uuids(Holder::partition), args.texts(Holder::group), args.uuids(Holder::lease)));
    }

    record Held(int index, String queue, String partition, UUID lease, Long committed, Long leaseEnd, Long first,
            byte[] hashes) {}

    List<Held> held(int lookBack, Reader... readers) {
        return split(readers, Reader::partition,
                (index, rows) -> new Held(index, rows.getString(2), rows.getString(3), rows.getObject(4, UUID.class),
                        rows.getObject(5, Long.class), rows.getObject(6, Long.class), rows.getObject(7, Long.class),
                        rows.getBytes(8)),
                "select index, queue_name, partition_name, lease_id, committed, lease_end, first, hashes from "
                        + schema() + ".held(?, ?, ?)",
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

    record Question(UUID queue, UUID partition, String group, Integer lookBackS) {}

    /** A question about a queue is asked in every shard. */
    List<Integer> hasPending(Question... questions) {
        var pending = new TreeSet<Integer>();
        for (int shard = 0; shard < shards().count(); shard++) {
            int here = shard;
            var asked = IntStream.range(0, questions.length)
                    .filter(i -> questions[i].partition() == null || shards().of(questions[i].partition()) == here)
                    .boxed()
                    .toList();
            var args = args(asked.stream().map(i -> questions[i]).toList());
            enter(Shards.name(shard));
            call(rows -> pending.add(asked.get(rows.getInt(1) - 1) + 1),
                    "select index from " + schema() + ".has_pending(?, ?, ?, ?)",
                    args.uuids(Question::queue), args.uuids(Question::partition), args.texts(Question::group),
                    args.ints(Question::lookBackS));
        }
        return List.copyOf(pending);
    }

    record Subscription(String mode, OffsetDateTime fromAt) {}

    Subscription subscribe(String group, String queue, String namespace, String task, String mode,
            OffsetDateTime fromAt) {
        return inCatalog(rows -> new Subscription(rows.getString(1), time(rows, 2)),
                "select mode_in_force, from_at_in_force from " + schema()
                        + ".subscribe(?, ?, ?, ?, ?, ?::timestamptz)",
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
                "select * from " + schema() + ".create_queues(?, ?, ?) order by name collate \"C\"",
                args.texts(n -> n), args.texts(_ -> "ns"), args.texts(_ -> "task"));
    }

    boolean deleteQueue(String name) {
        return inCatalog(rows -> rows.getBoolean(1), "select " + schema() + ".delete_queue('tester', ?)", name)
                .getFirst();
    }

    record Transaction(List<Append> appends, List<Holder> holders, List<Failed> items, List<UUID> required) {}

    /** Bases of the segments, in input order. */
    List<Long> transact(Transaction transaction) {
        return transact(transaction, List.of());
    }

    /** Like {@link #transact(Transaction)}, knowing that the queues pushed to have a limit. */
    List<Long> transactBounded(List<Append> appends) {
        return transact(new Transaction(appends, List.of(), List.of(), List.of()),
                appends.stream().map(append -> append.partition().queueId()).toList());
    }

    private List<Long> transact(Transaction transaction, List<UUID> boundedQueues) {
        enterFor(Stream.of(transaction.appends().stream().map(a -> a.partition().id()),
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

    /** Calls a routine for operators; what its document says at this path, such as {@code {totals,pending}}. */
    String operate(String path, String routine, Object... arguments) {
        var places = String.join(", ", Collections.nCopies(arguments.length, "?"));
        var sql = "select " + schema() + "." + routine + "(" + places + ")::json #>> '" + path + "'";
        return list(rows -> rows.getString(1), sql, arguments).getFirst();
    }

    /** What push and transact take first. */
    private static List<?> segments(Args<Append> args, Function<Append, Long> known) {
        return List.of(args.uuids(a -> a.partition().id()), args.longs(known), args.ints(a -> a.batch().count()),
                args.bytes(a -> a.batch().hashes()), args.bytes(a -> a.batch().body()),
                args.ints(a -> a.batch().largestLine()));
    }

    /** What ack takes, and nack first. */
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
