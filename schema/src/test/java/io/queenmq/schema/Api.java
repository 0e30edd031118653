package io.queenmq.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The routines, as a server calls them, on one session of the database. What concerns lanes of several shards is split as a server
 * does: a call for each shard, with that shard in the search_path. Answers come in input order. Other SQL runs with the tables
 * of all shards in the search_path, as that of operators does.
 */
record Api(Connection connection, String schema, Shards shards, boolean triesPlain) implements AutoCloseable {
    private static final List<String> OPTIONS = List.of("namespace", "task", "lease_time_s", "retry_limit",
            "retry_delay_ms", "delayed_processing_s", "window_buffer_s", "priority", "max_size", "ttl_s",
            "max_wait_time_s", "retention_enabled", "retention_s", "completed_retention_s", "encryption_enabled",
            "dead_letter_queue", "dlq_after_max_retries", "dedup_window_s", "retry_backoff");

    /** Of a caller who knows all there is to know. */
    private static final String EPOCH = "(select encryption_epoch from queen.system_state)";

    /** With the settings of a server's session. */
    static Api open(Connection connection, String schema, Shards shards) {
        return open(connection, schema, shards, Schema.SESSION_SETTINGS);
    }

    static Api open(Connection connection, String schema, Shards shards, Map<String, String> settings) {
        var api = new Api(connection, schema, shards, true);
        settings.forEach((name, value) -> api.execute("set " + name + " = '" + value + "'"));
        return api;
    }

    /** The same session, with or without the short way to a lease. */
    Api tryingPlain(boolean isTried) {
        return new Api(connection, schema, shards, isTried);
    }

    record Append(Lane lane, long known, Batch batch) {}

    record Appended(int index, long base, OffsetDateTime createdAt) implements Indexed<Appended> {
        @Override
        public Appended at(int place) {
            return new Appended(place, base, createdAt);
        }
    }

    List<Appended> push(Append... appends) {
        return sorted(Comparator.comparing(Appended::index), split(appends, a -> a.lane().id(), args -> call(
                rows -> new Appended(rows.getInt(1), rows.getLong(2), time(rows, 3)),
                "select index, base, created_at from " + schema + ".push(?, ?, ?, ?, ?, ?, " + EPOCH + ")",
                args.uuids(a -> a.lane().id()), args.longs(Append::known), args.ints(a -> a.batch().count()),
                args.bytes(a -> a.batch().hashes()), args.bytes(a -> a.batch().body()),
                args.ints(a -> a.batch().largestLine()))));
    }

    /** Pushes to lanes of which the caller knows nothing: they begin with the segments, unless they exist. */
    List<Appended> begin(Append... appends) {
        return sorted(Comparator.comparing(Appended::index), split(appends, a -> a.lane().id(), args -> call(
                rows -> new Appended(rows.getInt(1), rows.getLong(2), time(rows, 3)),
                "select index, base, created_at from " + schema + ".push(?, ?, ?, ?, ?, ?, " + EPOCH + ", ?, ?)",
                args.uuids(a -> a.lane().id()), args.longs(_ -> -1L), args.ints(a -> a.batch().count()),
                args.bytes(a -> a.batch().hashes()), args.bytes(a -> a.batch().body()),
                args.ints(a -> a.batch().largestLine()), args.uuids(a -> a.lane().queueId()),
                args.texts(a -> a.lane().name()))));
    }

    /** @param count how many messages were stored; the base is null when none was */
    record Bounded(int index, Long base, int count, Long maxSize) implements Indexed<Bounded> {
        @Override
        public Bounded at(int place) {
            return new Bounded(place, base, count, maxSize);
        }
    }

    List<Bounded> pushBounded(Append... appends) {
        return sorted(Comparator.comparing(Bounded::index), split(appends, a -> a.lane().id(), args -> call(
                rows -> new Bounded(rows.getInt(1), rows.getObject(2, Long.class), rows.getInt(3),
                        rows.getObject(4, Long.class)),
                "select index, base, count, max_size from " + schema + ".push_bounded(?, ?, ?, ?, ?, ?, ?, " + EPOCH
                        + ")",
                args.uuids(a -> a.lane().id()), args.longs(Append::known), args.ints(a -> a.batch().count()),
                args.bytes(a -> a.batch().hashes()), args.bytes(a -> a.batch().body()),
                args.ints(a -> a.batch().largestLine()), args.uuids(a -> a.lane().queueId()))));
    }

    record CatchUp(UUID id, UUID queueId, String name, long known) {
        static CatchUp of(Lane lane, long known) {
            return new CatchUp(lane.id(), lane.queueId(), lane.name(), known);
        }
    }

    record CaughtUp(int index, Long head, boolean isNew, long known, List<Integer> counts,
            byte[] hashes) implements Indexed<CaughtUp> {
        @Override
        public CaughtUp at(int place) {
            return new CaughtUp(place, head, isNew, known, counts, hashes);
        }
    }

    List<CaughtUp> catchUp(int windowMessages, int windowSeconds, CatchUp... wanted) {
        return sorted(Comparator.comparing(CaughtUp::index), split(wanted, CatchUp::id, args -> call(
                rows -> new CaughtUp(rows.getInt(1), rows.getObject(2, Long.class), rows.getBoolean(3), rows.getLong(4),
                        rows.getArray(5) == null
                                ? List.of()
                                : List.of((Integer[]) rows.getArray(5).getArray()),
                        rows.getBytes(6)),
                "select index, head, is_new, known, counts, hashes from " + schema + ".catch_up(?, ?, ?, ?, ?, ?)",
                args.uuids(CatchUp::id), args.uuids(CatchUp::queueId), args.texts(CatchUp::name),
                args.longs(CatchUp::known), windowMessages, args.ints(_ -> windowSeconds))));
    }

    record Span(UUID lane, long first, long end) {}

    /** @param body null where a range is cut short */
    record Segment(int index, long base, int count, String body) implements Indexed<Segment> {
        @Override
        public Segment at(int place) {
            return new Segment(place, base, count, body);
        }
    }

    List<Segment> fetch(Span... spans) {
        return fetch(Long.MAX_VALUE, spans);
    }

    List<Segment> fetch(long bytesMax, Span... spans) {
        return sorted(Comparator.comparing(Segment::index).thenComparing(Segment::base),
                split(spans, Span::lane, args -> call(
                        rows -> new Segment(rows.getInt(1), rows.getLong(2), rows.getInt(3),
                                rows.getBytes(4) == null ? null : utf8(rows.getBytes(4))),
                        "select index, base, count, body from " + schema + ".fetch(?, ?, ?, ?)",
                        args.uuids(Span::lane), args.longs(Span::first), args.longs(Span::end), bytesMax)));
    }

    record Opening(UUID lane, String group, OffsetDateTime fromAt) {}

    List<Integer> openCursors(Opening... openings) {
        return indexes(openings, Opening::lane, args -> call(rows -> rows.getInt(1),
                "select index from " + schema + ".open_cursors(?, ?, ?)",
                args.uuids(Opening::lane), args.texts(Opening::group), args.times(Opening::fromAt)));
    }

    List<Given> lease(Wish... wishes) {
        return lease(false, wishes);
    }

    List<Given> lease(boolean isAutoAck, Wish... wishes) {
        return lease(isAutoAck, null, wishes);
    }

    /** @param byteRoom of each lease id; null for any number of bytes */
    List<Given> lease(boolean isAutoAck, Long byteRoom, Wish... wishes) {
        return lease(isAutoAck, byteRoom, false, null, wishes);
    }

    /** Leases lanes in which the groups may have no cursor yet, which begin with fromAt then. */
    List<Given> leaseAnew(OffsetDateTime fromAt, Wish... wishes) {
        return lease(false, null, true, fromAt, wishes);
    }

    /** Leases lanes in which the groups may have no cursor yet, from their beginning then. */
    List<Given> leaseAnew(boolean isAutoAck, Long byteRoom, Wish... wishes) {
        return lease(isAutoAck, byteRoom, true, null, wishes);
    }

    private List<Given> lease(boolean isAutoAck, Long byteRoom, boolean opens, OffsetDateTime fromAt, Wish... wishes) {
        return sorted(Comparator.comparing(Given::index), split(wishes, Wish::lane, args -> call(
                rows -> new Given(rows.getInt(1), rows.getString(2), rows.getLong(3), rows.getLong(4), rows.getLong(5),
                        rows.getObject(6, Long.class), rows.getString(7),
                        rows.getArray(8) == null ? List.of() : List.of((Long[]) rows.getArray(8).getArray()),
                        rows.getBoolean(9), rows.getObject(10, Long.class)),
                "select index, status, first, \"end\", head, until_ms, acked, attempts, is_alone, bytes from " + schema
                        + ".lease(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::text[]::timestamptz[])",
                args.uuids(Wish::lane), args.texts(Wish::group), args.uuids(Wish::lease), args.ints(Wish::batch),
                args.ints(Wish::leaseS), args.ints(Wish::delayS), args.ints(Wish::windowS),
                args.ints(Wish::laneLimit), isAutoAck,
                args.booleans(wish -> triesPlain && wish.isPlain(wishes)), args.booleans(Wish::isSole),
                args.longs(_ -> byteRoom), args.booleans(_ -> opens),
                args.texts(_ -> fromAt == null ? null : fromAt.toString()))));
    }

    /** A lease, and the messages done under it, as the text of a multirange. */
    record Holder(UUID lane, String group, UUID lease, String completed) {
        static Holder of(Wish wish, String completed) {
            return new Holder(wish.lane(), wish.group(), wish.lease(), completed);
        }
    }

    record Standing(int index, boolean isLive, boolean isReleased, long committed, String acked, boolean isBusy)
            implements
                Indexed<Standing> {
        @Override
        public Standing at(int place) {
            return new Standing(place, isLive, isReleased, committed, acked, isBusy);
        }

        Standing(int index, boolean isLive, boolean isReleased, long committed, String acked) {
            this(index, isLive, isReleased, committed, acked, false);
        }
    }

    List<Standing> ack(Holder... holders) {
        return sorted(Comparator.comparing(Standing::index), split(holders, Holder::lane, args -> call(
                rows -> new Standing(rows.getInt(1), rows.getBoolean(2), rows.getBoolean(3), rows.getLong(4),
                        rows.getString(5), rows.getBoolean(6)),
                "select index, is_live, is_released, committed, acked, is_busy from " + schema + ".ack(?, ?, ?, ?)",
                args.uuids(Holder::lane), args.texts(Holder::group), args.uuids(Holder::lease),
                args.texts(Holder::completed))));
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
        for (var part : parts(holders, Holder::lane)) {
            enter(part.shard());
            var wrong = IntStream.range(0, items.length).filter(i -> part.indexes().contains(items[i].holder())).boxed()
                    .toList();
            var nacked = nackHere(part.items(), wrong.stream().map(i -> items[i])
                    .map(item -> new Failed(part.indexes().indexOf(item.holder()) + 1, item.offset(), item.status(),
                            item.error()))
                    .toList());
            nacked.holders().forEach(holder -> standings.add(holder.at(part.indexes().get(holder.index() - 1))));
            nacked.items().forEach(
                    item -> verdicts.add(new Verdict(wrong.get(item.itemIndex() - 1) + 1, item.isDead())));
        }
        return new Nacked(sorted(Comparator.comparing(Standing::index), standings),
                sorted(Comparator.comparing(Verdict::itemIndex), verdicts));
    }

    private Nacked nackHere(List<Holder> holders, List<Failed> items) {
        var args = new Args<>(connection, holders);
        var wrong = new Args<>(connection, items);
        var standings = new ArrayList<Standing>();
        var verdicts = new ArrayList<Verdict>();
        call(rows -> rows.getObject(2) == null
                ? standings.add(new Standing(rows.getInt(1), rows.getBoolean(3), rows.getBoolean(4), rows.getLong(5),
                        rows.getString(6), rows.getBoolean(8)))
                : verdicts.add(new Verdict(rows.getInt(2), rows.getBoolean(7))),
                "select index, item_index, is_live, is_released, committed, acked, is_dead, is_busy from " + schema
                        + ".nack(?, ?, ?, ?, ?, ?, ?, ?)",
                args.uuids(Holder::lane), args.texts(Holder::group), args.uuids(Holder::lease),
                args.texts(Holder::completed), wrong.ints(Failed::holder), wrong.longs(Failed::offset),
                wrong.texts(Failed::status), wrong.texts(Failed::error));
        return new Nacked(standings, verdicts);
    }

    record Reader(UUID lane, String group) {
        static Reader of(Wish wish) {
            return new Reader(wish.lane(), wish.group());
        }
    }

    List<Integer> expire(Reader... readers) {
        return indexes(readers, Reader::lane, args -> call(rows -> rows.getInt(1),
                "select index from " + schema + ".expire(?, ?)", args.uuids(Reader::lane), args.texts(Reader::group)));
    }

    record Renewal(UUID lease, int seconds) {}

    record Renewed(int index, OffsetDateTime untilAt, boolean isBusy) implements Indexed<Renewed> {
        @Override
        public Renewed at(int place) {
            return new Renewed(place, untilAt, isBusy);
        }
    }

    List<Renewed> renew(Renewal... renewals) {
        return sorted(Comparator.comparing(Renewed::index), split(renewals, Renewal::lease, args -> call(
                rows -> new Renewed(rows.getInt(1), time(rows, 2), rows.getBoolean(3)),
                "select index, until_at, is_busy from " + schema + ".renew(?, ?)",
                args.uuids(Renewal::lease), args.ints(Renewal::seconds))));
    }

    record Released(int index, boolean isBusy) implements Indexed<Released> {
        @Override
        public Released at(int place) {
            return new Released(place, isBusy);
        }
    }

    /** The leases that were given back. */
    List<Integer> release(Holder... holders) {
        return releaseOrTell(holders).stream().filter(answer -> !answer.isBusy()).map(Released::index).toList();
    }

    /** As release, with those whose cursor somebody is working on. */
    List<Released> releaseOrTell(Holder... holders) {
        return sorted(Comparator.comparing(Released::index), split(holders, Holder::lane, args -> call(
                rows -> new Released(rows.getInt(1), rows.getBoolean(2)),
                "select index, is_busy from " + schema + ".release(?, ?, ?)",
                args.uuids(Holder::lane), args.texts(Holder::group), args.uuids(Holder::lease))));
    }

    record Held(int index, String queue, String partition, UUID lease, Long committed, Long leaseEnd, Long first,
            byte[] hashes) implements Indexed<Held> {
        @Override
        public Held at(int place) {
            return new Held(place, queue, partition, lease, committed, leaseEnd, first, hashes);
        }
    }

    List<Held> held(int lookBack, Reader... readers) {
        return sorted(Comparator.comparing(Held::index), split(readers, Reader::lane, args -> call(
                rows -> new Held(rows.getInt(1), rows.getString(2), rows.getString(3), rows.getObject(4, UUID.class),
                        rows.getObject(5, Long.class), rows.getObject(6, Long.class), rows.getObject(7, Long.class),
                        rows.getBytes(8)),
                "select index, queue_name, partition_name, lease_id, committed, lease_end, first, hashes from " + schema
                        + ".held(?, ?, ?)",
                args.uuids(Reader::lane), args.texts(Reader::group), lookBack)));
    }

    record Resolved(UUID lane, String name, boolean isPending, Long untilMs) {}

    List<Resolved> resolve(UUID queueId, String group, Integer lookBackS, String afterName, int page) {
        var lanes = everyShard(
                rows -> new Resolved(rows.getObject(1, UUID.class), rows.getString(2), rows.getBoolean(3),
                        rows.getObject(4, Long.class)),
                "select partition_id, name, is_pending, until_ms from " + schema + ".resolve(?, ?, ?::int, ?, ?)",
                queueId, group, lookBackS, afterName, page);
        return shards.count() == 1
                ? lanes
                : sorted(Comparator.comparing(Resolved::name), lanes).stream().limit(page).toList();
    }

    record Question(UUID queue, UUID lane, String group, Integer lookBackS) {}

    /** A question about a queue is asked in every shard. */
    List<Integer> hasPending(Question... questions) {
        var pending = new TreeSet<Integer>();
        for (int shard = 0; shard < shards.count(); shard++) {
            int here = shard;
            var asked = IntStream.range(0, questions.length)
                    .filter(i -> questions[i].lane() == null || shards.of(questions[i].lane()) == here).boxed()
                    .toList();
            var args = new Args<>(connection, asked.stream().map(i -> questions[i]).toList());
            enter(Shards.name(shard));
            call(rows -> pending.add(asked.get(rows.getInt(1) - 1) + 1),
                    "select index from " + schema + ".has_pending(?, ?, ?, ?)",
                    args.uuids(Question::queue), args.uuids(Question::lane), args.texts(Question::group),
                    args.ints(Question::lookBackS));
        }
        return List.copyOf(pending);
    }

    record Subscription(String mode, OffsetDateTime fromAt) {}

    Subscription subscribe(String group, String queue, String namespace, String task, String mode,
            OffsetDateTime fromAt) {
        return inCatalog(rows -> new Subscription(rows.getString(1), time(rows, 2)),
                "select mode_in_force, from_at_in_force from " + schema
                        + ".subscribe(?, ?, ?, ?, ?, ?::timestamptz)",
                group, queue, namespace, task, mode, fromAt).getFirst();
    }

    record Queue(UUID id, String name, String namespace, String task, int leaseTimeS, int retryLimit,
            int retryDelayMs) {}

    /** @param options by column name; what is not there is not given */
    Queue configure(String name, Map<String, Object> options) {
        var sql = new StringBuilder("select * from " + schema + ".configure(actor => 'tester', name => ?");
        OPTIONS.forEach(option -> sql.append(", ").append(option).append(" => ")
                .append(options.containsKey(option) ? "'" + options.get(option) + "'" : "null"));
        return inCatalog(Api::queue, sql.append(")").toString(), name).getFirst();
    }

    List<Queue> createQueues(String... names) {
        var args = args(names);
        return sorted(Comparator.comparing(Queue::name), inCatalog(Api::queue,
                "select * from " + schema + ".create_queues(?, ?, ?)",
                args.texts(n -> n), args.texts(_ -> "ns"), args.texts(_ -> "task")));
    }

    boolean deleteQueue(String name) {
        return inCatalog(rows -> rows.getBoolean(1), "select " + schema + ".delete_queue('tester', ?)", name)
                .getFirst();
    }

    record Transaction(List<Append> appends, List<Holder> holders, List<Failed> items, List<UUID> required) {}

    /** Bases of the segments, in input order. */
    List<Long> transact(Transaction transaction) {
        var pushes = new Args<>(connection, transaction.appends());
        var acks = new Args<>(connection, transaction.holders());
        var wrong = new Args<>(connection, transaction.items());
        enterFor(Stream.of(transaction.appends().stream().map(a -> a.lane().id()),
                transaction.holders().stream().map(Holder::lane), transaction.required().stream()).flatMap(ids -> ids));
        return call(rows -> rows.getObject(1, Long.class),
                "select base from " + schema + ".transact(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '{}', " + EPOCH
                        + ")"
                        + " where push_index is not null order by push_index",
                pushes.uuids(a -> a.lane().id()), pushes.longs(Append::known), pushes.ints(a -> a.batch().count()),
                pushes.bytes(a -> a.batch().hashes()), pushes.bytes(a -> a.batch().body()),
                pushes.ints(a -> a.batch().largestLine()),
                acks.uuids(Holder::lane), acks.texts(Holder::group), acks.uuids(Holder::lease),
                acks.texts(Holder::completed), wrong.ints(Failed::holder), wrong.longs(Failed::offset),
                wrong.texts(Failed::status), wrong.texts(Failed::error),
                new Args<>(connection, transaction.required()).uuids(id -> id));
    }

    /** Calls a routine for operators; what its document says at this path, such as {@code {totals,pending}}. */
    String operate(String path, String routine, Object... arguments) {
        var places = String.join(", ", Collections.nCopies(arguments.length, "?"));
        return list(rows -> rows.getString(1),
                "select " + schema + "." + routine + "(" + places + ")::json #>> '" + path + "'", arguments).getFirst();
    }

    /** Like {@link #transact(Transaction)}, knowing that the queues pushed to have a limit. */
    List<Long> transactBounded(List<Append> appends) {
        var pushes = new Args<>(connection, appends);
        enterFor(appends.stream().map(a -> a.lane().id()));
        return call(rows -> rows.getObject(1, Long.class),
                "select base from " + schema
                        + ".transact(?, ?, ?, ?, ?, ?, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', ?, "
                        + EPOCH
                        + ")"
                        + " where push_index is not null order by push_index",
                pushes.uuids(a -> a.lane().id()), pushes.longs(Append::known), pushes.ints(a -> a.batch().count()),
                pushes.bytes(a -> a.batch().hashes()), pushes.bytes(a -> a.batch().body()),
                pushes.ints(a -> a.batch().largestLine()),
                pushes.uuids(a -> a.lane().queueId()));
    }

    List<Integer> evict(Reader... readers) {
        return indexes(readers, Reader::lane, args -> call(rows -> rows.getInt(1),
                "select index from " + schema + ".evict(?, ?)", args.uuids(Reader::lane),
                args.texts(Reader::group)));
    }

    void execute(String sql) {
        // A transaction that failed takes nothing else.
        if (!sql.startsWith("rollback")) {
            enter(Shards.ALL);
        }
        Rows.execute(connection, sql);
    }

    <T> List<T> list(Rows.Reader<T> reader, String sql, Object... values) {
        enter(Shards.ALL);
        return call(reader, sql, values);
    }

    /** A statement about lanes, for each shard: it names tables without a schema. */
    void everywhere(String sql) {
        shards.names().forEach(shard -> {
            enter(shard);
            Rows.execute(connection, sql);
        });
    }

    /** What a routine says that is called in the shard of a lane. */
    <T> List<T> listIn(Lane lane, Rows.Reader<T> reader, String sql, Object... values) {
        enterFor(Stream.of(lane.id()));
        return call(reader, sql, values);
    }

    /** A lane in which a server's call changed something is counted again. */
    void touch(UUID lane) {
        enterFor(Stream.of(lane));
        Rows.execute(connection, "select " + schema + ".touch_lanes(array['" + lane + "']::uuid[], '{}')");
    }

    /** Counts what was written down, in every shard. */
    void countTouched() {
        shards.names().forEach(shard -> {
            enter(shard);
            var answer = "more";
            for (int turns = 0; turns < 10 && answer.equals("more"); turns++) {
                answer = Rows.strings(connection, "select " + schema + ".count_touched(0)").getFirst();
            }
            if (!answer.equals("done")) {
                throw new IllegalStateException("counting the lanes of " + shard + ": " + answer);
            }
        });
    }

    /** A statement about a lane, in its shard: it names tables without a schema. */
    void in(Lane lane, String sql) {
        enterFor(Stream.of(lane.id()));
        Rows.execute(connection, sql);
    }

    /** Lanes and cursors that a test filled in have their keys, as those have that came in through the routines. */
    void writeKeys() {
        everywhere("insert into partition_key (id, queue_id, name) select id, queue_id, name from partition"
                + " on conflict do nothing");
        everywhere("insert into cursor_key (partition_id, group_name) select partition_id, group_name from cursor"
                + " on conflict do nothing");
    }

    /** What each shard says, one after the other, as for upkeep. */
    <T> List<T> everyShard(Rows.Reader<T> reader, String sql, Object... values) {
        return shards.names().stream().flatMap(shard -> {
            enter(shard);
            return call(reader, sql, values).stream();
        }).toList();
    }

    /** On a link of the catalog, which with one shard is that of the shard. */
    <T> List<T> inCatalog(Rows.Reader<T> reader, String sql, Object... values) {
        enter(catalog());
        return call(reader, sql, values);
    }

    /** Where a call goes that speaks of these lanes as one unit: their shard, or the catalog when they are in several. */
    void enterFor(Stream<UUID> lanes) {
        var places = lanes.map(shards::of).distinct().toList();
        enter(places.size() == 1 ? Shards.name(places.getFirst()) : catalog());
    }

    void enter(String searchPath) {
        Rows.execute(connection, "set search_path = " + searchPath);
    }

    int backendPid() {
        return (int) Rows.number(connection, "select pg_backend_pid()");
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private <T> Args<T> args(T[] items) {
        return new Args<>(connection, Arrays.asList(items));
    }

    private <C> List<Integer> indexes(C[] items, Function<C, UUID> lane, Function<Args<C>, List<Integer>> call) {
        return parts(Arrays.asList(items), lane).stream().flatMap(part -> {
            enter(part.shard());
            return call.apply(new Args<>(connection, part.items())).stream().map(i -> part.indexes().get(i - 1));
        }).sorted().toList();
    }

    private <C, A extends Indexed<A>> List<A> split(C[] items, Function<C, UUID> lane,
            Function<Args<C>, List<A>> call) {
        return parts(Arrays.asList(items), lane).stream().flatMap(part -> {
            enter(part.shard());
            return call.apply(new Args<>(connection, part.items())).stream()
                    .map(answer -> answer.at(part.indexes().get(answer.index() - 1)));
        }).toList();
    }

    /** What of a call goes to one shard; indexes: which items of the whole they are, counted from 1. */
    private record Part<C>(String shard, List<C> items, List<Integer> indexes) {}

    private <C> List<Part<C>> parts(List<C> items, Function<C, UUID> lane) {
        if (items.isEmpty()) {
            return List.of(new Part<>(Shards.name(0), items, List.of()));
        }
        var parts = new TreeMap<Integer, Part<C>>();
        for (int i = 0; i < items.size(); i++) {
            var part = parts.computeIfAbsent(shards.of(lane.apply(items.get(i))),
                    shard -> new Part<>(Shards.name(shard), new ArrayList<>(), new ArrayList<>()));
            part.items().add(items.get(i));
            part.indexes().add(i + 1);
        }
        return List.copyOf(parts.values());
    }

    private String catalog() {
        return shards.count() == 1 ? Shards.name(0) : Shards.ALL;
    }

    private <T> List<T> call(Rows.Reader<T> reader, String sql, Object... values) {
        return Rows.list(connection, reader, sql, values);
    }

    /** An answer that speaks of the input by its position. */
    interface Indexed<A> {
        int index();

        A at(int place);
    }

    private static Queue queue(ResultSet rows) throws SQLException {
        return new Queue(rows.getObject("id", UUID.class), rows.getString("name"), rows.getString("namespace"),
                rows.getString("task"), rows.getInt("lease_time_s"), rows.getInt("retry_limit"),
                rows.getInt("retry_delay_ms"));
    }

    private static OffsetDateTime time(ResultSet rows, int column) throws SQLException {
        return rows.getObject(column, OffsetDateTime.class);
    }

    private static String utf8(byte[] bytes) {
        return new String(bytes, UTF_8);
    }

    private static <T> List<T> sorted(Comparator<? super T> order, List<T> answers) {
        return answers.stream().sorted(order).toList();
    }
}
